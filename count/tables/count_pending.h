/* SPDX-License-Identifier: MIT */
/*
 * Samples whose stack copy was too short, put aside until all samples have been read: their stacks
 * are then completed with callers from the stacks of other samples (unwind/join/join.h).
 */
#ifndef COUNT_TABLES_COUNT_PENDING_H
#define COUNT_TABLES_COUNT_PENDING_H

#include "base/mem.h"
#include "count/tables/count_rows.h"
#include "machine/chain_ips.h"
#include "unwind/join/join.h"

struct pending_sample {
	const struct mapset *user_maps, *kernel_maps; /* count_workers holds references */
	struct count_sums sums;
	u32 batch, question; /* see unwind/join/join.h */
	u32 left;            /* user frames that may be added */
	u32 nr;              /* entries of the chain */
	/*
	 * By symbol: the stack as count_pack gave it, its owner's, with room for one id more, and
	 * the upper half of its hash. By address, see count_pending_keep_chain.
	 */
	void *chain;
	u32 check;
};

/* Samples in the order in which they came, each with its key. */
struct count_pending {
	struct pending_block *first, *last;
	size_t nr, nr_keys; /* nr_keys: 32-bit words of each key */
	size_t bytes;
	struct arena chains;
};

void count_pending_init(struct count_pending *p);
void count_pending_fini(struct count_pending *p);
size_t count_pending_bytes(const struct count_pending *p);

/*
 * Puts a sample aside. key: its row's key of nr words, without the values of COUNT_STACK and
 * COUNT_END; nr is the same for all samples.
 */
void count_pending_add(struct count_pending *p, const struct pending_sample *s, const u32 *key,
		       size_t nr);

/* Copies a chain of addresses for a sample. */
void count_pending_keep_chain(struct count_pending *p, const struct chain_ips *chain,
			      struct pending_sample *s);

/*
 * The chain of a sample as it was put aside, with what the joins add: at most max user frames.
 * Returns how many entries it had before.
 */
size_t count_pending_chain(const struct pending_sample *s, const struct join_path *path, u32 max,
			   struct chain_ips *ret);

/* A position among the samples. Zero-initialised it is before the first one. */
struct pending_cursor {
	struct pending_block *block;
	size_t i;
};

/* The next sample and its key, which may be changed; NULL behind the last. */
struct pending_sample *count_pending_next(const struct count_pending *p, struct pending_cursor *c,
					  u32 **ret_key);

#endif
