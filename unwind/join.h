/* SPDX-License-Identifier: MIT */
/*
 * Stacks whose copy was too short, made whole. A frame that another stack of the same thread has,
 * too, is the same call of the same function as long as no stack between the two contradicts, and
 * has the same callers there.
 *
 *	join_note(notes, ...)			each thread of ours into notes of its own
 *	t = join_table_new(all_notes, n)	when all stacks were noted
 *	join_find(t, ..., &path)		by any thread
 *
 * What is found depends on the stacks alone, not on how they were spread over notes.
 */
#ifndef UNWIND_JOIN_H
#define UNWIND_JOIN_H

#include "base/types.h"

struct join_notes;
struct join_notes *join_notes_new(void);
void join_notes_free(struct join_notes *n);

/*
 * What follows was not recorded right behind what came before: to be called where stacks of other
 * notes may lie between.
 */
void join_notes_break(struct join_notes *n);

/* A stack as unwind.h gives it, leaf first. */
struct join_stack {
	u64 task; /* the recorded thread: any number of the caller's */
	u64 time; /* ns; stacks of a task come in ascending order between two breaks */
	u64 rank; /* tells stacks of one task and time apart */
	const u64 *functions, *sps, *ips;
	size_t nr;
	/* Without functions: that of an ip is asked for where it is not the last stack's. */
	u64 (*function_of)(void *ctx, u64 ip);
	void *ctx;
	u64 space;    /* in which an ip is always of the same function */
	u64 last_cfa; /* 0: not known */
	bool at_root; /* its last frame is the thread's first */
};
void join_note(struct join_notes *n, const struct join_stack *s);

/*
 * What is the same for a frame in all stacks that have it: its function and its canonical frame
 * address, which is the stack pointer in its caller.
 */
struct join_frame {
	u64 function, cfa;
};
static inline struct join_frame join_frame_of(const struct join_stack *s, size_t i)
{
	u64 cfa = i + 1 < s->nr ? s->sps[i + 1] : s->last_cfa;
	u64 function = s->functions ? s->functions[i] : s->function_of(s->ctx, s->ips[i]);

	/* the first frame of a thread has none, and nothing lies above it */
	return (struct join_frame){ function, i + 1 == s->nr && s->at_root ? UINT64_MAX : cfa };
}

/* Bytes that the notes take. */
size_t join_notes_bytes(const struct join_notes *n);

struct join_table;

/* Reads the notes; they may be freed then. */
struct join_table *join_table_new(struct join_notes *const *notes, size_t nr);
void join_table_free(struct join_table *t);

/* The callers of a frame, nearest first. Zero-initialised is empty; join_path_fini frees it. */
struct join_path {
	u64 *ips;
	size_t nr, cap;
	bool at_root; /* they reach the thread's first frame */
};
void join_path_fini(struct join_path *p);

/*
 * The callers of f, the last frame of a stack that was noted with that task and time: at most max;
 * none (nr 0) when no stack tells.
 */
void join_find(const struct join_table *t, u64 task, u64 time, const struct join_frame *f,
	       size_t max, struct join_path *ret);

/* In two steps: stacks with the same run have the same callers. Run JOIN_NO_RUN has none. */
#define JOIN_NO_RUN UINT32_MAX
u32 join_find_run(const struct join_table *t, u64 task, u64 time, const struct join_frame *f);
void join_path_of(const struct join_table *t, u32 run, size_t max, struct join_path *ret);

#endif
