/* SPDX-License-Identifier: MIT */
/*
 * Samples with copies of stacks become samples with call chains while they are recorded. Holds the
 * processes and their maps as of the sample that is unwound: it is given the side-band records of
 * all rings before the samples that may depend on them, and samples in the order of time.
 *
 *	live_chains_apply()	what existed before the recording
 *	live_chains_note()	side-band records of a sweep, in any order; live_chains_notes_end()
 *	live_chains_put()	samples, oldest first
 *	live_chains_flush()	before the samples' bytes go away
 *	live_chains_end_sweep()
 *
 * Used by one thread, which may have others unwind for it: each has a lane of samples, and all work
 * while live_chains_flush() waits.
 */
#ifndef RECORD_LIVE_LIVE_CHAINS_H
#define RECORD_LIVE_LIVE_CHAINS_H

#include "record/live/chainer.h"
#include "record/live/live_opener.h"

struct live_chains;

/* procfs: "/proc"; keep_copies: samples keep their copies besides the chains. Borrowed: both. */
struct live_chains *live_chains_new(const char *procfs, bool keep_copies, struct diag *diag);
void live_chains_free(struct live_chains *l);

/*
 * Before samples come: from now on nr threads unwind, each the samples of a lane. begin, in each of
 * them: called first. Fails with PERR_IO.
 */
int live_chains_add_threads(struct live_chains *l, size_t nr, void (*begin)(void *ctx, size_t lane),
			    void *ctx, struct perr *e) MUST_CHECK;
/* The next samples are of this lane: `out` of each must be of one lane alone. */
void live_chains_set_lane(struct live_chains *l, size_t lane);

/* From now on, samples have before them what they need of these. Borrowed. */
void live_chains_set_lean(struct live_chains *l, struct lean_tasks *lean);
/* Before something changes in them: writes the samples that wait, if they may need them. */
void live_chains_before_lean(struct live_chains *l);

/* From now on a file that is slow to open is not waited for while the rings fill. */
void live_chains_set_hurry(struct live_chains *l, struct live_hurry hurry);

/* Adds the next event, whose samples have this attr. Events have the numbers 0, 1, ... */
void live_chains_add_event(struct live_chains *l, const struct pd_attr *opened);

/* Applies one side-band record at once. Of its time nothing is known, or it is the oldest. */
void live_chains_apply(struct live_chains *l, const u8 *record, u32 size);

/* Copies a side-band record, to be applied before samples of this time (ns) and later. */
void live_chains_note(struct live_chains *l, const u8 *record, u32 size, u64 time);
/* No more notes come in this sweep. */
void live_chains_notes_end(struct live_chains *l);

/*
 * Appends the sample, whose bytes are the record, to out with a call chain: now or with one of the
 * next calls, at the latest with live_chains_flush(); until then the record and out must stay.
 * event: its number. Fails with PERR_FORMAT if the record does not fit the event.
 */
int live_chains_put(struct live_chains *l, u32 event, const u8 *record, u32 size, u64 time,
		    struct wbuf *out, struct perr *e) MUST_CHECK;
void live_chains_flush(struct live_chains *l);
/* Returns room for a record of `size` bytes that lies in two parts, for the next live_chains_put().
 */
u8 *live_chains_room(struct live_chains *l, u32 size);

/* How much is done for the next samples. Nothing may wait to be flushed. */
void live_chains_set_level(struct live_chains *l, enum overload_level level);

/* Applies the notes up to this time (ns): no older samples come. */
void live_chains_advance(struct live_chains *l, u64 time);
/* Frees what no later sample needs. Nothing may wait to be flushed. */
void live_chains_end_sweep(struct live_chains *l);
/*
 * True while samples wait for files that are being opened: the round must not end, because they are
 * older than others that are written meanwhile.
 */
bool live_chains_hold(const struct live_chains *l);
/* false: writes all samples, also those whose files are not there, with the next sweep. */
void live_chains_set_hold(struct live_chains *l, bool may_hold);
/*
 * True if sweeps should follow each other sooner: in one of the last ones, the memory of a stack
 * that is deeper than its copy had changed before it was read.
 */
bool live_chains_need_early_sweeps(const struct live_chains *l);

/* The counts begin at 0 again. */
void live_chains_begin_file(struct live_chains *l);
/* What was done for an event so far. */
struct chainer_counts live_chains_counts(const struct live_chains *l, u32 event);

#endif
