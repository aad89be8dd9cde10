/* SPDX-License-Identifier: MIT */
/* The attrs of the events of --off-cpu. */
#ifndef RECORD_OPEN_OFFCPU_CONFIG_H
#define RECORD_OPEN_OFFCPU_CONFIG_H

#include "record/model/rec_event.h"

/*
 * Completes the attr of the event that is_made, if there is one: its samples are those of the
 * switch event without their payload. The attrs of the other events are complete but for their ids.
 */
void offcpu_config(struct rec_evlist *l);

#endif
