/* SPDX-License-Identifier: MIT */
/* The attrs of the events of --off-cpu. */
#ifndef RECORD_OPEN_OFFCPU_CONFIG_H
#define RECORD_OPEN_OFFCPU_CONFIG_H

#include "record/model/rec_event.h"

/* Bytes of a sleeping thread's stack that prec copies itself; a multiple of 8. */
#define OFFCPU_STACK_MAX 16384u

/*
 * Completes the attr of the event that is_made, if there is one: its samples are those of the
 * switch event without their payload, or without one have registers and a copy of the stack. The
 * attrs of the other events are complete but for their ids.
 */
void offcpu_config(struct rec_evlist *l);

#endif
