/* SPDX-License-Identifier: MIT */
/* Reference-counted blocks of bytes that hold records. For fileformat/ only. Not thread safe. */
#ifndef FILEFORMAT_BLOCK_H
#define FILEFORMAT_BLOCK_H

#include "base/types.h"

/*
 * Bytes that were read from a stream or decompressed. A record never lies in two blocks. The
 * records of a block are valid as long as somebody holds a reference to it (pd_block_get/put). A
 * block without references goes back to its pool if it has the pool's usual size.
 */
struct pd_block {
	u32 refs;
	size_t cap;                 /* bytes */
	struct pd_block_pool *pool; /* that made it */
	struct pd_block *next_free;
	u8 bytes[];
};

struct pd_block_pool {
	struct pd_block *free_list;
	unsigned int nr_free, nr_used;
	size_t cap; /* bytes of a block of the usual size */
};

/* Makes an empty pool. Its usual block size is that of stream blocks, 1 MiB. */
void block_pool_init(struct pd_block_pool *pool);
/* Returns a block of at least cap bytes with one reference, which the caller drops with
 * pd_block_put(). */
struct pd_block *block_new(struct pd_block_pool *pool, size_t cap);
/* Frees the pool's unused blocks. Blocks in use are freed or recycled when their last reference is
 * dropped. */
void block_pool_clear(struct pd_block_pool *pool);

#endif
