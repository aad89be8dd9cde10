/* SPDX-License-Identifier: MIT */
/*
 * The descriptors of an event: a matrix of nr_cpus x nr_threads, in ev->fds and ev->ids. The place
 * of (cpu, thread) is cpu * nr_threads + thread; -1 where nothing is open.
 */
#ifndef RECORD_OPEN_EVENT_FDS_H
#define RECORD_OPEN_EVENT_FDS_H

#include "record/model/rec_event.h"

/*
 * Makes the matrix nr_cpus x nr_threads. The descriptors of the first threads_before threads, which
 * the event has already, keep their CPU and thread.
 */
void event_fds_resize(struct rec_event *ev, size_t nr_cpus, size_t nr_threads,
		      size_t threads_before);

/* Closes the descriptor of one place, if it is open; or all of them. The matrix stays. */
void event_fds_close_at(struct rec_event *ev, size_t place);
void event_fds_close(struct rec_event *ev);

/* Whether any place is open. */
bool event_fds_any(const struct rec_event *ev);

#endif
