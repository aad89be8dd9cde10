/* SPDX-License-Identifier: MIT */
/*
 * The tables that one thread counts samples into, see count/counts.h for what a row is. Stacks,
 * frames and blobs are numbered within a counter; count_merge.h brings several together.
 */
#ifndef COUNT_COUNTER_H
#define COUNT_COUNTER_H

#include "base/blobs.h"
#include "count/tables/count_pending.h"
#include "count/tables/count_frames.h"
#include "count/tables/count_pack.h"
#include "machine/chain_repeat.h"
#include "count/tables/count_rows.h"
#include "count/counter_kind.h"
#include "count/count_tails.h"
#include "count/counted.h"
#include "count/counts_config.h"

/*
 * Ranks order everything by its first sight: number of the sample << RANK_BITS, and below that a
 * running number within the sample (its branches, its new frames).
 */
#define RANK_BITS 16

/* The task that a sample belongs to. */
struct count_task {
	u32 comm, pid, tid;
	struct mapset *user_maps, *kernel_maps;
	u32 cgroup_ns;
	u32 parallelism; /* 0 without COUNT_PARALLELISM */
};

/* A sample that could not be decoded. */
struct count_broken {
	u64 rank, off;
	char *text;
};

/*
 * A sample between the steps of counting: what is known of it before its ids are looked up, while
 * the memory of these look-ups is prefetched.
 */
struct counter_sample {
	const struct pd_event *ev;
	const struct pd_sample *s;
	const struct count_task *task;
	u64 rank, next_rank; /* of the sample, of its next new frame */
	struct chain_ips chain;
	u64 stack_hash, blob_hash;
	u32 row_hash;
	bool is_pending; /* its stack is to be joined: see counter_finish */
	u32 question;    /* of such a stack, in its batch */
	/* by symbol: */
	u32 *ids; /* the stack */
	size_t nr_ids, cap_ids;
	u32 ip_frame;
};

struct counter {
	const struct counts_config *cfg; /* with its defaults filled in */
	const struct counter_kind *kind;
	u32 keyed; /* the columns of cfg that tell rows apart */
	struct count_frames frames;
	struct blobs stacks;      /* u32 frame ids, with CHAIN_REPEATs and a COUNT_TAIL */
	struct count_tails tails; /* of stacks that were joined, by symbol */
	struct blobs blobs;
	struct count_rows rows;
	bool leaf_of_branches;       /* see struct chain */
	struct map_sieves *sieves;   /* by symbol only */
	struct count_totals *events; /* by pd_event.idx */
	size_t nr_events;
	u64 first_time, last_time;
	struct count_unwound unwound;
	struct machine_stacks *user; /* NULL: stack copies are left alone */
	bool joins;                  /* stacks go into batches */
	struct join_batch *batch;    /* with joins: the caller's, for the stacks that come */
	u32 batch_number;
	struct count_pending pending;
	bool has_truncated; /* some stack may be joined */
	struct count_broken *broken;
	size_t nr_broken, cap_broken;
	u64 nr_broken_samples;
	struct counter_sample own; /* for counter_add */
	u32 *ids;                  /* of the chain at hand */
	size_t cap_ids;
};

/*
 * user: unwinds stack copies; the counter frees it; NULL when there are none. Samples whose stack
 * is truncated wait for counter_finish(), unless cfg->no_join.
 */
void counter_init(struct counter *c, const struct counts_config *cfg, bool late_kernel,
		  bool leaf_of_branches, struct machine_stacks *user);
void counter_fini(struct counter *c);
/* Frees what is needed to add samples: the counter can only be read from now on. */
void counter_freeze(struct counter *c);

void counter_sample_init(const struct counter *c, struct counter_sample *cs);
void counter_sample_fini(struct counter_sample *cs);

/* The id of an address in the task's user or kernel space; rank as of count_frames_get(). */
static inline u32 counter_frame(struct counter *c, const struct count_task *task, u8 mode, u64 ip,
				u64 *rank)
{
	const struct count_spaces spaces = { task->user_maps, task->kernel_maps };
	u32 id;

	count_frames_get(&c->frames, &spaces, &ip, &mode, 1, rank, &id);
	return id;
}

/*
 * Counts a sample in three steps; rank: its number. Between them others may be prepared and named.
 * ev, s and task are borrowed until the last.
 */
void counter_prepare(struct counter *c, struct counter_sample *cs, const struct pd_event *ev,
		     const struct pd_sample *s, const struct count_task *task, u64 rank);
/*
 * Unwinds the stacks of up to COUNTER_AHEAD samples side by side; they are prepared next, in any
 * order. n = 0 forgets those that were not.
 */
#define COUNTER_AHEAD MACHINE_STACKS_AHEAD
void counter_unwind_ahead(struct counter *c, const struct counter_sample *samples, size_t n);
void counter_name(struct counter *c, struct counter_sample *cs);
/* Between naming and counting, if other samples are counted in between: prefetches more memory. */
void counter_fetch(const struct counter *c, const struct counter_sample *cs);
/* Between fetching and counting, once that memory has arrived: what it points to. */
void counter_fetch_bytes(const struct counter *c, const struct counter_sample *cs);
void counter_count(struct counter *c, struct counter_sample *cs);

/* All steps at once. */
void counter_add(struct counter *c, const struct pd_event *ev, const struct pd_sample *s,
		 const struct count_task *task, u64 rank);

/*
 * Bracket samples whose stacks belong to the batch of this number (batch_order.h); nothing is done
 * for a counter that joins no stacks.
 */
struct batch_order;
void counter_begin_batch(struct counter *c, struct batch_order *o, u32 number);
void counter_end_batch(struct counter *c, struct batch_order *o);

/*
 * Counts the samples that were put aside, with the callers in joins, which was made from the
 * batches of all counters. References to the maps of their tasks must still be held.
 */
void counter_finish(struct counter *c, const struct join_table *joins);

/* Adds a sample that the filter left out to its event's totals. parallelism: as in count_task. */
void counter_add_filtered(struct counter *c, const struct pd_event *ev, const struct pd_sample *s,
			  u32 parallelism);

/* Notes a sample that could not be decoded. */
void counter_add_broken(struct counter *c, const struct pd_record *r, const struct perr *e,
			u64 rank);

/* Adds the totals of another counter. */
void counter_add_totals(struct counter *c, const struct counter *other);

size_t counter_bytes(const struct counter *c);

#endif
