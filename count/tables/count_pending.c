/* SPDX-License-Identifier: MIT */
#include "count/tables/count_pending.h"

#define BLOCK_SAMPLES 512 /* ~50 KiB: what is put aside does not move */

/* Samples, each followed by its key. */
struct pending_block {
	struct pending_block *next;
	size_t nr;
	u64 words[];
};

void count_pending_init(struct count_pending *p)
{
	*p = (struct count_pending){ 0 };
}

void count_pending_fini(struct count_pending *p)
{
	struct pending_block *b, *next;

	for (b = p->first; b; b = next) {
		next = b->next;
		free(b);
	}
	arena_fini(&p->chains);
	count_pending_init(p);
}

size_t count_pending_bytes(const struct count_pending *p)
{
	return p->bytes + p->chains.total;
}

static size_t words_of_sample(const struct count_pending *p)
{
	return sizeof(struct pending_sample) / sizeof(u64) + (p->nr_keys + 1) / 2;
}

static void add_block(struct count_pending *p)
{
	size_t size = BLOCK_SAMPLES * words_of_sample(p) * sizeof(u64);
	struct pending_block *b = xmalloc(sizeof(*b) + size);

	b->next = NULL;
	b->nr = 0;
	p->bytes += sizeof(*b) + size;
	if (p->last)
		p->last->next = b;
	else
		p->first = b;
	p->last = b;
}

void count_pending_add(struct count_pending *p, const struct pending_sample *s, const u32 *key,
		       size_t nr)
{
	struct pending_block *b;
	u64 *to;

	p->nr_keys = nr;
	if (!p->last || p->last->nr == BLOCK_SAMPLES)
		add_block(p);
	b = p->last;
	to = b->words + b->nr++ * words_of_sample(p);
	memcpy(to, s, sizeof(*s));
	memcpy(to + sizeof(*s) / sizeof(*to), key, nr * sizeof(*key));
	p->nr++;
}

void count_pending_keep_chain(struct count_pending *p, const struct chain_ips *chain,
			      struct pending_sample *s)
{
	size_t size = chain->nr * sizeof(*chain->ips);
	u8 *bytes = arena_alloc(&p->chains, size + chain->nr);

	memcpy(bytes, chain->ips, size);
	memcpy(bytes + size, chain->modes, chain->nr);
	s->chain = bytes;
	s->nr = (u32)chain->nr;
}

size_t count_pending_chain(const struct pending_sample *s, const struct join_path *path, u32 max,
			   struct chain_ips *ret)
{
	const u8 *bytes = s->chain;
	size_t size = s->nr * sizeof(*ret->ips);

	chain_ips_reserve(ret, s->nr);
	memcpy(ret->ips, bytes, size);
	memcpy(ret->modes, bytes + size, s->nr);
	ret->nr = s->nr;
	ret->circle = 0;
	ret->end = STACK_END(UNWIND_TRUNCATED);
	chain_list_join(ret, path, max);
	return s->nr;
}

struct pending_sample *count_pending_next(const struct count_pending *p, struct pending_cursor *c,
					  u32 **ret_key)
{
	struct pending_sample *s;

	if (!c->block)
		c->block = p->first;
	else if (c->i == c->block->nr && c->block->next)
		*c = (struct pending_cursor){ .block = c->block->next };
	if (!c->block || c->i == c->block->nr)
		return NULL;
	s = (struct pending_sample *)(void *)(c->block->words + c->i++ * words_of_sample(p));
	*ret_key = (u32 *)(void *)(s + 1);
	return s;
}
