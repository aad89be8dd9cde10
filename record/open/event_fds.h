/* SPDX-License-Identifier: MIT */
/*
 * Handles the descriptors of an event: a matrix of nr_cpus x nr_threads in ev->fds and ev->ids,
 * with the descriptor for (cpu, thread) at cpu * nr_threads + thread, and -1 where nothing is open.
 */
#ifndef RECORD_OPEN_EVENT_FDS_H
#define RECORD_OPEN_EVENT_FDS_H

#include "record/model/rec_event.h"

/*
 * Resizes the matrix to nr_cpus x nr_threads. Descriptors of the first threads_before threads, the
 * width of the old matrix, keep their CPU and thread.
 */
void event_fds_resize(struct rec_event *ev, size_t nr_cpus, size_t nr_threads,
		      size_t threads_before);

/* Close the descriptor at one index, if it is open, or all of them. The matrix keeps its size. */
void event_fds_close_at(struct rec_event *ev, size_t place);
void event_fds_close(struct rec_event *ev);

/* Returns true if any descriptor is open. */
bool event_fds_any(const struct rec_event *ev);

#endif
