/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose copy was too short, made whole. A frame that another stack of the same thread has,
 * too, is the same call of the same function as long as no stack between the two contradicts, and
 * has the same callers there.
 *
 *	join_batch_add(batch, ...)		any thread: the stacks of a stretch of the recording
 *	join_model_add(model, batch)		the batches in the order of the recording
 *	t = join_model_finish(model)		when all stacks were seen
 *	join_answer(t, ...), join_path_of(t, ...)	by any thread
 *
 * What is found depends on the stacks and their order alone, not on where one batch ends.
 */
#ifndef UNWIND_JOIN_JOIN_H
#define UNWIND_JOIN_JOIN_H

#include "unwind/unwind.h"

/* A stack as unwind.h gives it, leaf first. */
struct join_stack {
	u64 task; /* the recorded thread: any number of the caller's */
	u64 rank; /* its place in the recording; stacks of a task come in ascending order */
	u64 time; /* ns, for join_find alone */
	const u64 *sps, *ips;
	const u32 *numbers; /* of ips in tags */
	const struct unwind_tag *tags;
	size_t nr;
	u64 last_cfa; /* 0: not known */
	bool at_root; /* its last frame is the thread's first */
	bool asks;    /* for its last frame's callers */
};

/*
 * What is the same for a frame in all stacks that have it: its function and its canonical frame
 * address, which is the stack pointer in its caller.
 */
struct join_frame {
	u64 function, cfa;
};

struct join_batch;
struct join_batch *join_batch_new(void);
void join_batch_free(struct join_batch *b);
/* Adds a copy of s. Returns the number of its question among those of this batch. */
u32 join_batch_add(struct join_batch *b, const struct join_stack *s);

struct join_model;

/* finds_by_time: join_find will be called; it takes memory for each question. */
struct join_model *join_model_new(bool finds_by_time);
void join_model_free(struct join_model *m);
/* The next batch, the first is number 0. It is empty again then. */
void join_model_add(struct join_model *m, struct join_batch *b);
/* Bytes that it takes. */
size_t join_model_bytes(const struct join_model *m);

struct join_table;

/* Frees the model. */
struct join_table *join_model_finish(struct join_model *m);
void join_table_free(struct join_table *t);

/* The callers of a frame, nearest first. Zero-initialised is empty; join_path_fini frees it. */
struct join_path {
	u64 *ips;
	size_t nr, cap;
	bool at_root; /* they reach the thread's first frame */
};
void join_path_fini(struct join_path *p);

/* The answer to a question of a stack of that rank: stacks with the same run have the same callers.
 */
#define JOIN_NO_RUN UINT32_MAX
u32 join_answer(const struct join_table *t, u32 batch, u32 question, u64 rank);

/*
 * Fetches from memory what join_answer will look at; without waiting for that, then, the run that
 * it will most likely give.
 */
void join_prefetch(const struct join_table *t, u32 batch, u32 question);
u32 join_likely_answer(const struct join_table *t, u32 batch, u32 question);

/* The callers, at most max: none (nr 0) for JOIN_NO_RUN, and where no stack tells. */
void join_path_of(const struct join_table *t, u32 run, size_t max, struct join_path *ret);

/* The same one by one: steps from *run to its caller's. False when there is none to be found. */
bool join_step(const struct join_table *t, u32 *run, u64 *ret_ip);
/* Whether nothing calls it: it is the thread's first frame. */
bool join_is_root(const struct join_table *t, u32 run);
/* Runs are numbered below that. */
size_t join_nr_runs(const struct join_table *t);

/* Those of f, the last frame of a stack with a question, by its task and time. */
void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret);

#endif
