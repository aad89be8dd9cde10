/* SPDX-License-Identifier: MIT */
/* The limits that a recording was made with: of chains, of stack copies and of the rate. */
#ifndef PROFILE_VERDICT_VERDICT_LIMITS_H
#define PROFILE_VERDICT_VERDICT_LIMITS_H

#include "profile/verdict/verdict.h"

/*
 * Sets max_stack, cut_by_option, copy_size and rate of v from the events' attributes and from the
 * chains that were counted; unwound from in->counts.
 */
void verdict_set_limits(struct verdict *v, const struct verdict_input *in);

/*
 * Fills v->events with those that are wanted and have samples, counted or filtered, their sums
 * zero. Returns their numbers + 1 by pd_event.idx, 0: not wanted; the caller frees it.
 */
u32 *verdict_list_events(const struct verdict_input *in, struct verdict *v);

#endif
