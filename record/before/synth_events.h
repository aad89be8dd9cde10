/* SPDX-License-Identifier: MIT */
/* What the recording itself is: its events, ids, threads, CPUs and clock as records. */
#ifndef RECORD_BEFORE_SYNTH_EVENTS_H
#define RECORD_BEFORE_SYNTH_EVENTS_H

#include "base/wbuf.h"
#include "record/open/target.h"

/* From a ring's control page; nothing when the CPU's counter does not follow the kernel's clock. */
void synth_time_conv(struct wbuf *out, const void *time_page);
void synth_id_index(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t);
/* Unit, scale and CPUs where an event has them, and with names (for pipes) its name. */
void synth_event_updates(struct wbuf *out, const struct rec_evlist *l, bool names);
void synth_thread_map(struct wbuf *out, const struct rec_target *t);
void synth_cpu_map(struct wbuf *out, const struct rec_target *t);

#endif
