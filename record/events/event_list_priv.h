/* SPDX-License-Identifier: MIT */
/* For tests: event_list_print with an answer of their own to what the machine can count. */
#ifndef RECORD_EVENTS_EVENT_LIST_PRIV_H
#define RECORD_EVENTS_EVENT_LIST_PRIV_H

#include "record/events/event_list.h"

/* Whether an event of that type and config can be opened. */
typedef bool event_supported_fn(void *ctx, u32 type, u64 config);

size_t event_list_print_with(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f,
			     event_supported_fn *supported, void *ctx);

#endif
