/* SPDX-License-Identifier: MIT */
/*
 * The frames of call chains by id: those of counts have their ids, and behind these every function
 * that was inlined at a frame's place has one of its own, so that a chain with inlined functions is
 * ids like any other.
 */
#ifndef PROFILE_CHAIN_FRAMES_H
#define PROFILE_CHAIN_FRAMES_H

#include "base/intern.h"
#include "profile/chain_tree.h"
#include "session/frames.h"

struct counts;

/* A frame of its own at the place of one of counts: the symbol has the function's name. */
struct inlined_frame {
	struct frame frame;
	u32 counted;     /* id of that one */
	bool is_inlined; /* false where perf takes it for the function that has the symbol */
};

struct chain_frames {
	const struct counts *counts;
	u32 nr_counted;                /* ids of counts are lower */
	struct inlined_frame *inlined; /* by id - nr_counted */
	size_t nr_inlined, cap;
	/* Where something is inlined, else NULL: */
	u32 *places; /* by id of counts: in runs + 1; 0: the frame stands for itself */
	u32 *runs;   /* how many, then their ids, innermost first, and the frame's own last */
	size_t nr_runs, cap_runs;
	struct idmap lines; /* (id, 0) -> text id of the source line, of all at such places */
	struct intern texts;
};

/* c is borrowed, and may be NULL; after counts_resolve(). No functions are inlined yet. */
void chain_frames_init(struct chain_frames *cf, const struct counts *c);
void chain_frames_fini(struct chain_frames *cf);

struct chain_lines {
	bool wanted, full_path; /* source lines; with their folders */
	/*
	 * A function inlined into itself is an inlined frame, too; else it is the frame of the
	 * place again, as perf shows it. Implied by `wanted`.
	 */
	bool all_apart;
};

/*
 * Looks up the functions inlined at the places of all frames, object by object, in up to nr_threads
 * threads.
 */
void chain_frames_find_inlined(struct chain_frames *cf, struct chain_lines lines,
			       unsigned int nr_threads);

/* Ids are lower than this. */
static inline u32 chain_frames_nr(const struct chain_frames *cf)
{
	return cf->nr_counted + (u32)cf->nr_inlined;
}

static inline bool chain_frames_is_inlined(const struct chain_frames *cf, u32 id)
{
	return id >= cf->nr_counted && cf->inlined[id - cf->nr_counted].is_inlined;
}

/* The frame of counts at whose place a function is: the id itself for all others. */
static inline u32 chain_frames_place(const struct chain_frames *cf, u32 id)
{
	return id >= cf->nr_counted ? cf->inlined[id - cf->nr_counted].counted : id;
}

/* Borrowed until chain_frames_fini. */
const struct frame *chain_frames_get(const struct chain_frames *cf, u32 id);

/*
 * The functions at the place of a frame of counts, as ids of frames: the innermost inlined one
 * first, the frame's own last. Returns how many; 0 when nothing is inlined there. Borrowed until
 * chain_frames_fini.
 */
static inline size_t chain_frames_at(const struct chain_frames *cf, u32 id, const u32 **ret)
{
	const u32 *run = cf->places && cf->places[id] ? &cf->runs[cf->places[id] - 1] : NULL;

	*ret = run ? run + 1 : NULL;
	return run ? *run : 0;
}

/*
 * The source line of a place's function where something is inlined: what calls the function before
 * it, and of the innermost one the place's own. NULL: nothing is, or lines were not wanted.
 */
const char *chain_frames_line(const struct chain_frames *cf, u32 id);

/* What is more is no program's stack, or was made to hurt: such a one stays as it is. */
#define CHAIN_FRAMES_MAX 16384

/*
 * Writes the ids of a stack with what is inlined, leaf first as the stack, to
 * ret[CHAIN_FRAMES_MAX]. How many; 0 where the stack stays as it is.
 */
size_t chain_frames_expand(const struct chain_frames *cf, const u32 *ids, size_t nr, u32 *ret);

/* A chain_frame_fn: arg is the struct chain_frames. */
void chain_frame_of_frames(void *arg, u32 id, struct chain_frame *ret);

#endif
