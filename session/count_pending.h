/* SPDX-License-Identifier: MIT */
/*
 * Samples whose stack copy was too short, put aside while the others are counted: their stacks are
 * joined to those of other samples (unwind/join.h) once all have been seen.
 */
#ifndef SESSION_COUNT_PENDING_H
#define SESSION_COUNT_PENDING_H

#include "session/byte_runs.h"
#include "session/count_rows.h"
#include "session/frames.h"
#include "unwind/join.h"

struct pending_sample {
	const struct mapset *user_maps, *kernel_maps; /* held by who counts */
	struct count_sums sums;
	u32 batch, question; /* see unwind/join.h */
	u32 left;            /* user frames that may be added */
	u32 chain;
};

struct count_pending {
	struct pending_sample *items;
	size_t nr, cap;
	u64 *keys; /* of their rows: all but the stack and its end are known */
	size_t nr_keys, cap_keys;
	struct byte_runs chains; /* ips, then modes; or packed, see below */
};

void count_pending_init(struct count_pending *p);
void count_pending_fini(struct count_pending *p);
size_t count_pending_bytes(const struct count_pending *p);

/* Puts a sample aside; key: nr words. */
void count_pending_add(struct count_pending *p, const struct pending_sample *s,
		       const struct chain_ips *chain, const u64 *key, size_t nr);

/* By symbol: the stack as count_pack gave it, with its hash. */
void count_pending_add_packed(struct count_pending *p, const struct pending_sample *s,
			      const u32 *ids, size_t nr_ids, u64 hash, const u64 *key, size_t nr);

/*
 * The chain of a sample as it was put aside, with what the joins add: at most max user frames.
 * Returns how many entries it had before.
 */
size_t count_pending_chain(const struct count_pending *p, size_t i, const struct join_path *path,
			   u32 max, struct chain_ips *ret);

#endif
