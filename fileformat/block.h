/* SPDX-License-Identifier: MIT */
/* Blocks of bytes that records lie in, counted by reference. For fileformat/ only. */
#ifndef FILEFORMAT_BLOCK_H
#define FILEFORMAT_BLOCK_H

#include "base/types.h"

/*
 * A run of bytes read from a stream or decompressed. No record straddles two blocks; a reference to
 * the block keeps its records. Blocks of the usual size are recycled.
 */
struct pd_block {
	u32 refs;
	size_t cap;
	struct pd_block_pool *pool;
	struct pd_block *next_free;
	u8 bytes[];
};

struct pd_block_pool {
	struct pd_block *free_list;
	unsigned int nr_free, nr_used;
	size_t cap; /* of blocks of the usual size, bytes */
};

/* An empty pool whose usual size is that of a stream's blocks, 1 MiB. */
void block_pool_init(struct pd_block_pool *pool);
/* A block of at least cap bytes with one reference, which is the caller's (pd_block_put). */
struct pd_block *block_new(struct pd_block_pool *pool, size_t cap);
/* Frees the blocks without a reference. Blocks in use are freed or recycled when put. */
void block_pool_clear(struct pd_block_pool *pool);

#endif
