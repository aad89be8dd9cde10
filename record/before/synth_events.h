/* SPDX-License-Identifier: MIT */
/*
 * Makes the records that describe the recording itself: its events, ids, threads, CPUs and clock.
 */
#ifndef RECORD_BEFORE_SYNTH_EVENTS_H
#define RECORD_BEFORE_SYNTH_EVENTS_H

#include "base/wbuf.h"
#include "record/open/target.h"

/*
 * Appends TIME_CONV, the conversion from the CPU's counter to perf's clock, from the control page
 * of a ring. Appends nothing if time_page is NULL or the counter cannot be converted.
 */
void synth_time_conv(struct wbuf *out, const void *time_page);
/* Appends ID_INDEX, which gives the ring, CPU and thread of each id of each event. */
void synth_id_index(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t);
/*
 * Appends EVENT_UPDATE records: unit, scale and CPUs of each event that has them and, if `names` is
 * true (for pipes), its name.
 */
void synth_event_updates(struct wbuf *out, const struct rec_evlist *l, bool names);
/* Appends THREAD_MAP, the threads of the target with their comms. */
void synth_thread_map(struct wbuf *out, const struct rec_target *t);
/* Appends CPU_MAP, the CPUs of the target; the CPU number -1 if events are opened on any CPU. */
void synth_cpu_map(struct wbuf *out, const struct rec_target *t);

#endif
