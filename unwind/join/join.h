/* SPDX-License-Identifier: MIT */
/*
 * Extends truncated stacks with callers from neighbouring samples. If two stacks of a thread
 * contain the same frame (function and canonical frame address), it is the same call and has the
 * same callers, unless a stack between the two shows that the call has returned. A question is a
 * request for the callers of a truncated stack's last frame.
 *
 *	join_batch_add(batch, ...)		any thread: the stacks of a part of the recording
 *	join_model_add(model, batch)		the batches in the order of the recording
 *	t = join_model_finish(model)		after the last batch
 *	join_answer(t, ...), join_path_of(t, ...)	by any thread
 *
 * The results depend only on the stacks and their order, not on how they are divided into batches.
 */
#ifndef UNWIND_JOIN_JOIN_H
#define UNWIND_JOIN_JOIN_H

#include "unwind/unwind.h"

/* A stack; members with the same names as in struct unwind_frames are taken from there. */
struct join_stack {
	u64 task; /* a number that identifies the recorded thread, chosen by the caller */
	u64 rank; /* position in the recording; stacks of a task are added in ascending order */
	u64 time; /* ns; used by join_find() only */
	const u64 *sps, *ips;
	const u32 *numbers;
	const struct unwind_tag *tags; /* unwind_tags() */
	size_t nr;
	u64 last_cfa;
	bool at_root; /* the last frame is the thread's first call */
	bool asks;    /* the stack has a question: the callers of its last frame are unknown */
};

/*
 * Identifies a call in all stacks that contain it: by its function, and by its canonical frame
 * address (CFA), which is the stack pointer in the caller.
 */
struct join_frame {
	u64 function, cfa;
};

struct join_batch;
struct join_batch *join_batch_new(void);
void join_batch_free(struct join_batch *b);
/* Adds a copy of s. Returns the number of its question in this batch, if s->asks. */
u32 join_batch_add(struct join_batch *b, const struct join_stack *s);

struct join_model;

/* Makes an empty model. finds_by_time: join_find() will be called, which needs memory for each
 * question. */
struct join_model *join_model_new(bool finds_by_time);
void join_model_free(struct join_model *m);
/* Adds the stacks of the next batch and empties it. Batches are numbered from 0 in this order. One
 * thread at a time calls it. */
void join_model_add(struct join_model *m, struct join_batch *b);
/* Returns the bytes of memory that the model takes. */
size_t join_model_bytes(const struct join_model *m);

/* The answers to all questions. */
struct join_table;

/* Frees the model and returns its answers. */
struct join_table *join_model_finish(struct join_model *m);
void join_table_free(struct join_table *t);

/* The callers of a frame, nearest first. All zero is a valid empty path; join_path_fini() frees it.
 */
struct join_path {
	u64 *ips;
	size_t nr, cap;
	bool at_root; /* the last caller is the thread's first call */
};
void join_path_fini(struct join_path *p);

/*
 * Returns the number of the call that a question is about, JOIN_NO_CALL if it is unknown. rank: of
 * the stack with the question. Stacks whose questions are about the same call have the same
 * callers.
 */
#define JOIN_NO_CALL UINT32_MAX
u32 join_answer(const struct join_table *t, u32 batch, u32 question, u64 rank);

/* Prefetches the memory that join_answer() and join_likely_answer() read for a question. */
void join_prefetch(const struct join_table *t, u32 batch, u32 question);
/* Returns the number of the call that join_answer() will most likely return, and prefetches its
 * memory. */
u32 join_likely_answer(const struct join_table *t, u32 batch, u32 question);

/* Finds at most max callers of a call. *ret is empty for JOIN_NO_CALL, and if no stack shows a
 * caller.
 */
void join_path_of(const struct join_table *t, u32 call, size_t max, struct join_path *ret);

/* Moves from *call to its caller: sets *call and the caller's *ret_ip. Returns false if the caller
 * is unknown. */
bool join_step(const struct join_table *t, u32 *call, u64 *ret_ip);
/* True if the call is the thread's first, which has no caller. */
bool join_is_root(const struct join_table *t, u32 call);
/* Returns the number of calls; their numbers are below it. */
size_t join_nr_calls(const struct join_table *t);

/* Finds at most max callers of f, the last frame of a stack that has a question, by the stack's
 * task and time. */
void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret);

#endif
