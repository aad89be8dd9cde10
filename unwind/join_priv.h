/* SPDX-License-Identifier: MIT */
/* What join_notes.c writes down and join_table.c reads. */
#ifndef UNWIND_JOIN_PRIV_H
#define UNWIND_JOIN_PRIV_H

#include "unwind/join.h"

/* Stands for the caller of a thread's first frame. */
#define JOIN_ROOT 0

/* A frame and its caller. Keys are of (task, function, cfa), never JOIN_ROOT. */
struct join_edge {
	u64 key, cfa;
	u64 caller, caller_ip;
};

/* Stacks with the same frames, one right after the other. */
struct join_seen {
	u64 task, rank;
	u64 first, last;        /* time */
	u64 last_key, last_cfa; /* the frame whose caller is not known; JOIN_ROOT: there is none */
	size_t off;             /* of its edges, leaf first */
	u32 nr;
};

/* See struct join_edge. */
u64 join_key(u64 task, const struct join_frame *f);

struct join_previous;

struct join_notes {
	struct join_edge *edges;
	size_t nr_edges, cap_edges;
	u32 *slots; /* edge + 1 by what is in it, 0: free */
	size_t nr_slots;
	struct join_seen *seen;
	size_t nr_seen, cap_seen;
	u32 *ids; /* edges of what was seen */
	size_t nr_ids, cap_ids;
	u64 *asked; /* keys of last frames of other stacks that may be joined */
	size_t nr_asked, cap_asked;
	struct join_previous *previous;
};

#endif
