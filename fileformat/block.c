/* SPDX-License-Identifier: MIT */
#include "fileformat/block.h"

#include "base/mem.h"
#include "fileformat/perfdata.h"

#define STREAM_BLOCK ((size_t)1 << 20) /* a stream is read in pieces of this size */
/*
 * Of free blocks, so much is kept for reuse: what is freed with a round is needed for the next one,
 * and pages that malloc() has given back cost much to get again.
 */
#define BYTES_KEPT ((size_t)64 << 20)

void block_pool_init(struct pd_block_pool *pool)
{
	*pool = (struct pd_block_pool){ .cap = STREAM_BLOCK };
}

struct pd_block *block_new(struct pd_block_pool *pool, size_t cap)
{
	struct pd_block *b = pool->free_list;

	if (b && cap <= pool->cap) {
		pool->free_list = b->next_free;
		pool->nr_free--;
	} else {
		if (cap < pool->cap)
			cap = pool->cap;
		b = xmalloc(sizeof(*b) + cap);
		b->cap = cap;
	}
	pool->nr_used++;
	b->refs = 1;
	b->pool = pool;
	b->next_free = NULL;
	return b;
}

struct pd_block *pd_block_get(struct pd_block *b)
{
	if (b)
		b->refs++;
	return b;
}

void pd_block_put(struct pd_block *b)
{
	struct pd_block_pool *pool;

	if (!b || --b->refs)
		return;
	pool = b->pool;
	pool->nr_used--;
	if (b->cap != pool->cap || pool->nr_free >= BYTES_KEPT / pool->cap) {
		free(b);
		return;
	}
	b->next_free = pool->free_list;
	pool->free_list = b;
	pool->nr_free++;
}

void block_pool_clear(struct pd_block_pool *pool)
{
	struct pd_block *b, *next;

	for (b = pool->free_list; b; b = next) {
		next = b->next_free;
		free(b);
	}
	pool->free_list = NULL;
	pool->nr_free = 0;
}
