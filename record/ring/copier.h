/* SPDX-License-Identifier: MIT */
/*
 * Passes records from the rings to the output: counts them, cuts stack copies down to their valid
 * bytes (dyn_size), notes the build-ids of mapped files, and drops samples of tasks outside the
 * target. All processing between a kernel's ring and the file happens here.
 */
#ifndef RECORD_RING_COPIER_H
#define RECORD_RING_COPIER_H

#include <pthread.h>

#include "base/wbuf.h"
#include "record/header/buildids.h"
#include "record/live/live_chains.h"
#include "record/model/rec_event.h"
#include "record/ring/dropped_samples.h"
#include "record/ring/rec_counts.h"
#include "record/ring/ring_merge.h"

struct rec_copier;
struct offcpu_rings;

/*
 * Returns a copier for the events of l; free it with copier_free. l and ids (NULL: build-ids are
 * not noted) must outlive it. Use a copier from one thread.
 */
struct rec_copier *copier_new(const struct rec_evlist *l, struct rec_buildids *ids);
void copier_free(struct rec_copier *c);

/* From now on passes mappings, forks and counts of samples to a keeper, which must outlive c. */
void copier_set_keeper(struct rec_copier *c, struct keeper *keeper);

/*
 * As copier_set_keeper (keeper may be NULL), for a copier that is one of several, each in a thread
 * of its own: it uses keeper and ids behind the lock. lock and changes, which all of them have,
 * must outlive it.
 */
void copier_share(struct rec_copier *c, struct keeper *keeper, pthread_mutex_t *lock,
		  struct stack_changes *changes);
/* Adds the counts of `from`, whose thread has ended, to those of `to`. */
void copier_add_counts(struct rec_copier *to, const struct rec_copier *from);

/*
 * Keeps samples of whole_system events from process pid, or with tid != 0 from its thread tid
 * alone, and from all tasks that these start from now on. Has no effect without such events.
 */
void copier_follow(struct rec_copier *c, s32 pid, s32 tid);
/* As copier_follow, for the forked process pid of the command: from its exec on. */
void copier_follow_command(struct rec_copier *c, s32 pid);

/*
 * Returns true if records must be copied with copier_pass's `out`, because stack copies are to be
 * cut, samples to be dropped, or mappings to be corrected (copied_record.h).
 */
bool copier_must_copy(const struct rec_copier *c);

/*
 * Processes the records of one sweep of a ring (parts as returned by ring_peek). If out is not
 * NULL, appends them to it, with stacks cut and without dropped samples. Fails with PERR_FORMAT if
 * a record is malformed or incomplete, which would be a bug of the kernel; the rest of the parts is
 * then dropped.
 */
int copier_pass(struct rec_copier *c, const struct span *parts, int nr_parts, struct wbuf *out,
		struct perr *e) MUST_CHECK;

/*
 * From now on passes samples of events with rec_event.unwound to live, which must outlive c; the
 * events of live are those of the list. Use copier_put() then.
 */
/* Records about processes go there, and come out with the samples that need them. Borrowed. */
void copier_set_lean(struct rec_copier *c, struct lean_tasks *lean);
void copier_set_live(struct rec_copier *c, struct live_chains *live);

/* From now on drops samples of events that are unwound, and counts them. */
void copier_set_drop(struct rec_copier *c, bool drop);
struct dropped_samples *copier_dropped(struct rec_copier *c);

/* Returns where the records' times lie; all zero without events. */
struct ring_times copier_times(const struct rec_copier *c);

/*
 * Processes one record and appends what is written of it to out: samples of events that are unwound
 * later, at the latest with live_chains_flush(), and until then *v and out must stay. time: of the
 * record, ns. Fails with PERR_FORMAT if a record does not fit its event.
 */
int copier_put(struct rec_copier *c, const struct ring_view *v, u64 time, struct wbuf *out,
	       struct perr *e) MUST_CHECK;

/*
 * Ends a sweep, when all rings have been passed once. Appends to out the samples that waited until
 * their process was known, and drops those that have waited for a whole sweep. last: none may wait
 * any longer; call it so only if all samples passed are older than the sweep.
 */
void copier_end_sweep(struct rec_copier *c, struct wbuf *out, bool last);

/* Returns the counts so far; the copier owns them. */
const struct rec_counts *copier_counts(const struct rec_copier *c);

/* What is known of times off the CPU; the copier owns it. */
struct offcpu_rings *copier_offcpu(struct rec_copier *c);

/* Notes that the next samples go to a new file. */
void copier_begin_file(struct rec_copier *c);

/*
 * How many samples of the event of this index in the list have passed so far, and how many were
 * lost according to its LOST_SAMPLES records.
 */
void copier_event_counts(const struct rec_copier *c, size_t event, u64 *ret_samples, u64 *ret_lost);

#endif
