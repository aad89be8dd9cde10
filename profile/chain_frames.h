/* SPDX-License-Identifier: MIT */
/*
 * The frames of call chains, with the functions inlined at their places as frames of their own.
 * Frames of counts keep their ids; the ids of inlined functions follow. This is the one place that
 * turns inlined functions into frames.
 */
#ifndef PROFILE_CHAIN_FRAMES_H
#define PROFILE_CHAIN_FRAMES_H

#include "base/intern.h"
#include "profile/chain_tree.h"
#include "session/frames.h"

struct counts;

/* A function inlined at the place of a counted frame, whose name is the symbol's name. */
struct inlined_frame {
	struct frame frame;
	u32 counted;     /* id of the counted frame */
	bool is_inlined; /* false: perf shows it as the function with the symbol */
};

struct chain_frames {
	const struct counts *counts;
	u32 nr_counted;                /* frames of counts have lower ids */
	struct inlined_frame *inlined; /* by id - nr_counted */
	struct arena syms;             /* of these */
	size_t nr_inlined, cap;
	/* NULL when nothing is inlined anywhere: */
	u32 *places; /* by id of counts: 1 + index in runs; 0: nothing is inlined there */
	u32 *runs;   /* number of ids, then the ids, innermost first, the frame's own last */
	size_t nr_runs, cap_runs;
	struct idmap lines; /* (id, 0) -> text id of the source line, of all at such places */
	struct intern texts;
};

/* c is borrowed, must be resolved, and may be NULL. Finds no inlined functions yet. */
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

/* The number of frames; all ids are lower. */
static inline u32 chain_frames_nr(const struct chain_frames *cf)
{
	return cf->nr_counted + (u32)cf->nr_inlined;
}

static inline bool chain_frames_is_inlined(const struct chain_frames *cf, u32 id)
{
	return id >= cf->nr_counted && cf->inlined[id - cf->nr_counted].is_inlined;
}

/* The counted frame at whose place an inlined function is; for a counted frame, the id itself. */
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
 * The source line of a frame at a place with inlined functions: the line that is executed for the
 * innermost function, and the line of the call for each function that another was inlined into.
 * NULL: nothing is inlined at its place, or lines were not wanted.
 */
const char *chain_frames_line(const struct chain_frames *cf, u32 id);

/* Longer stacks are not expanded: no sane program has them. */
#define CHAIN_FRAMES_MAX 16384

/*
 * Writes the ids of a stack with inlined functions to ret[CHAIN_FRAMES_MAX], leaf first. Returns
 * how many; 0 when nothing is inlined in the stack, or it would be too long.
 */
size_t chain_frames_expand(const struct chain_frames *cf, const u32 *ids, size_t nr, u32 *ret);

/* Describes a frame to a call tree: a chain_frame_fn whose arg is the struct chain_frames. */
void chain_frame_of_frames(void *arg, u32 id, struct chain_frame *ret);

#endif
