/* SPDX-License-Identifier: MIT */
/*
 * The way through a session that delivers every record one by one, in time order, with the state of
 * the machine as of that record. Text output needs this.
 */
#ifndef SESSION_REPLAY_H
#define SESSION_REPLAY_H

#include "fileformat/order.h"
#include "session/session.h"

struct replay_event {
	struct pd_record rec;
	u64 time;                /* -1 for records without one */
	struct pd_event *ev;     /* NULL for records of no event */
	struct pd_sample sample; /* SAMPLE: all of it; other kernel records: the trailer's fields */
	bool is_sample;
	bool deferred_pending; /* its CALLCHAIN_DEFERRED never came */
	bool head_only;        /* see replay_heads_only */
	bool is_short;         /* see replay_shorten: rec.words say all, sample says nothing */
};

struct replay_stats {
	u64 nr_samples;
	u64 nr_lost_records; /* sum of LOST: records that found no room in a ring */
	u64 nr_lost_samples; /* sum of LOST_SAMPLES: newer recorders count the same losses there */
	u64 nr_throttled;    /* THROTTLE: times that the kernel stopped a too fast event */
	u64 nr_broken_samples;
	u64 nr_unknown_id;
};

/* Counts what a record says of losses; records of other types are left alone. */
void replay_stats_note(struct replay_stats *st, const struct pd_record *rec, bool swap);
/* Warns of a record that could not be decoded. */
void replay_warn_skipped(const struct session *s, const struct pd_record *rec,
			 const struct perr *e);

/* True for events whose samples are neither joined with other records nor taken apart. */
bool replay_is_plain(const struct pd_event *ev);

struct replay;

/* merge_deferred: join CALLCHAIN_DEFERRED records to their samples (stock perf's default). */
struct replay *replay_new(struct session *s, bool merge_deferred);
void replay_free(struct replay *r);
/* Before the first record: records as they lie in the file, not by time. */
void replay_keep_file_order(struct replay *r);

/*
 * Before the first record: samples that can be delivered as they are (no group read, no call chain
 * to be joined) come with head_only set and only those members that pd_read_sample_head fills. One
 * that turns out to be damaged when it is decoded further has been counted as a sample.
 */
void replay_heads_only(struct replay *r);

/*
 * Before the first record: samples may come as the words that shorten() has made of them, see
 * pd_order_shorten(). Such a sample has is_short, time, ev and rec.words.
 */
void replay_shorten(struct replay *r, pd_shorten_fn *shorten, void *ctx, const bool *wanted);

/*
 * Next record: 1, 0 at the end, negative on error (all whole records before it were delivered).
 * Side-band records have been applied to the session when they are returned, EXIT is applied by
 * the call after: its thread can still be named. A group read (FORMAT.md 2.5) gives one event per
 * member that counted. *ret is valid until the next call.
 */
int replay_next(struct replay *r, struct replay_event *ret, struct perr *e) MUST_CHECK;

/* After replay_next() has returned a short sample: those that follow it, see
 * pd_order_next_shorts().
 */
size_t replay_next_shorts(struct replay *r, struct pd_short *ret, size_t most);

struct replay_stats replay_get_stats(const struct replay *r);

#endif
