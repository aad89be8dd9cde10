/* SPDX-License-Identifier: MIT */
/*
 * Runs of bytes stored once: equal runs have one id, whoever brings them. Ids are dense, in the
 * order of first sight; 0 is the empty run. Call chains and raw payloads are kept so.
 */
#ifndef BASE_BYTE_RUNS_H
#define BASE_BYTE_RUNS_H

#include "base/bytes.h"

struct byte_run {
	const u8 *p; /* aligned to 8 */
	u32 n;       /* bytes */
	u32 check;   /* of its hash: where it lies in the table, and most unequal runs differ */
};

struct byte_runs_slot {
	u32 id; /* 0: free */
	u32 check;
};

struct byte_runs_block {
	u8 *p;
	size_t size;
};

struct byte_runs {
	struct byte_run *runs; /* by id */
	size_t nr, cap;
	struct byte_runs_slot *slots;
	size_t mask;
	struct byte_runs_block *blocks; /* where the bytes lie */
	size_t nr_blocks, cap_blocks;
	u8 *free_at;
	size_t left;
	size_t bytes; /* of everything allocated here */
};

void byte_runs_init(struct byte_runs *t);
void byte_runs_fini(struct byte_runs *t);

/*
 * The id of the n bytes at p, copied when they are new. n below 4 GiB. hash: any that is equal for
 * equal runs, such as hash_bytes.
 */
u32 byte_runs_put(struct byte_runs *t, const void *p, size_t n, u64 hash);

/* Room for n bytes, aligned to 8, that lives as long as t: for a run that is yet to be made. */
void *byte_runs_room(struct byte_runs *t, size_t n);

/*
 * As byte_runs_put, without a copy: of a run of another table with hashes of the same kind, or one
 * in t's own room.
 */
u32 byte_runs_adopt(struct byte_runs *t, const struct byte_run *r);
void byte_runs_prefetch(const struct byte_runs *t, u32 check);
/* The bytes of all runs of `from` are t's from now on; from can still be read. */
void byte_runs_take_blocks(struct byte_runs *t, struct byte_runs *from);

/* Nothing may be put from now on. */
void byte_runs_freeze(struct byte_runs *t);

/* Gives every run a new number; new_ids[0] is 0. Of a frozen table. */
void byte_runs_renumber(struct byte_runs *t, const u32 *new_ids);

static inline struct span byte_runs_get(const struct byte_runs *t, u64 id)
{
	return id < t->nr ? span_of(t->runs[id].p, t->runs[id].n) : span_of(NULL, 0);
}

#endif
