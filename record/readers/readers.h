/* SPDX-License-Identifier: MIT */
/*
 * Threads that read rings side by side (--threads). Each has some of the rings, a copier and a sink
 * of its own, so that readers share nothing on the way of a sample; records about tasks and maps,
 * which are few, are noted behind one lock.
 *
 *	rings of some CPUs -> reader -> copier -> sink (data.0)
 *	rings of the others -> reader -> copier -> sink (data.1)
 *
 * The functions are for the thread that made the readers.
 */
#ifndef RECORD_READERS_READERS_H
#define RECORD_READERS_READERS_H

#include <pthread.h>

#include "record/readers/reader_layout.h"
#include "record/ring/copier.h"
#include "record/ring/ring.h"
#include "record/sink/sink.h"

struct readers;

struct readers_config {
	const struct rec_evlist *l;
	/* the rings, borrowed: only the readers read them until readers_stop has returned */
	const struct rec_rings *rings;
	const struct reader_layout *layout; /* borrowed */
	struct rec_buildids *ids;           /* NULL: build-ids are not noted */
	struct keeper *keeper;              /* NULL: nothing is kept */
	/* records are copied to the sinks, which have threads; else they are written from the ring
	 */
	bool copies;
	bool keeps_priority; /* do not raise the readers' priority: the user has chosen one */
	int sweep_ms;        /* a reader sweeps its rings at least this often */
};

/*
 * Returns one reader for each place of the layout, without a thread so far. A ring goes to the
 * place of its CPU. Free it with readers_free, after readers_stop.
 */
struct readers *readers_new(const struct readers_config *cfg);
size_t readers_nr(const struct readers *r);
/* Gives reader i its sink, which the readers close from now on. Each needs one before the start. */
void readers_set_sink(struct readers *r, size_t i, struct rec_sink *sink);
/* The copier of reader i, to tell it the target. Not after readers_start. */
struct rec_copier *readers_copier(struct readers *r, size_t i);

/* Makes the calling thread run on these CPUs, as far as that is permitted; none: it runs anywhere.
 */
void readers_run_on(const struct cpu_list *cpus);

/* The lock behind which the readers use the keeper and the build-ids: others take it as well. */
pthread_mutex_t *readers_lock(struct readers *r);

/* Starts the threads. Fails with PERR_IO if one cannot be created; then call readers_stop. */
int readers_start(struct readers *r, struct perr *e) MUST_CHECK;

/* A descriptor that is readable when readers_error or readers_ended may return something new. */
int readers_fd(const struct readers *r);
/* Returns the error of the first reader that failed, else 0. Such a reader reads no more. */
int readers_error(struct readers *r, struct perr *e) MUST_CHECK;
/* Returns true if all events that end with the target have ended. */
bool readers_ended(struct readers *r);

/*
 * Lets each reader sweep its rings for the last time, ends the threads and closes the sinks. Call
 * it when the events are disabled. Returns the first error of a reader or of a close; further calls
 * return 0.
 */
int readers_stop(struct readers *r, struct perr *e) MUST_CHECK;
/* After readers_stop: adds the counts of all copiers to those of `to`. */
void readers_add_counts(struct readers *r, struct rec_copier *to);
/* Adds the bytes and writes of all sinks so far to *stat. */
void readers_add_stat(struct readers *r, struct rec_sink_stat *stat);
/* Returns how often a reader found new records after waiting for them. */
u64 readers_wakeups(struct readers *r);

/* r may be NULL. Calls readers_stop if need be. */
void readers_free(struct readers *r);

#endif
