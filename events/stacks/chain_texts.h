/* SPDX-License-Identifier: MIT */
/*
 * Call chains as they were recorded, each distinct one once, by number; and the number of a text
 * for each of them in the maps of a process: most samples have a chain that came before. The chains
 * lie in two halves. When one is full, the other is emptied and filled anew, unless chains of it
 * are held. Not thread safe.
 */
#ifndef EVENTS_STACKS_CHAIN_TEXTS_H
#define EVENTS_STACKS_CHAIN_TEXTS_H

#include "base/blobs.h"
#include "base/hash.h"

#define CHAIN_NONE UINT32_MAX
#define CHAIN_RECENT 1024

struct chain_texts {
	struct chain_half {
		struct blobs chains;
		struct idmap texts; /* (maps, number of the chain) -> text */
		u64 nr_held;
	} halves[2];
	u32 filling;
	size_t max_bytes; /* of the chains in a half */
	/* texts found or set lately, by the low bits of their chain; chain_plus_1 0: free */
	struct chain_recent {
		u64 maps;
		u32 chain_plus_1, text;
	} recent[CHAIN_RECENT];
};

/* max_bytes: of all chains; a little more is used. */
void chain_texts_init(struct chain_texts *c, size_t max_bytes);
void chain_texts_fini(struct chain_texts *c);

/*
 * The number of a chain, which is copied if it is new; CHAIN_NONE: there is no room. It is valid
 * until the next call, or, where it is held, until it is dropped.
 */
u32 chain_texts_put(struct chain_texts *c, struct span chain);
static inline void chain_texts_hold(struct chain_texts *c, u32 chain)
{
	c->halves[chain & 1].nr_held++;
}
static inline void chain_texts_drop(struct chain_texts *c, u32 chain)
{
	c->halves[chain & 1].nr_held--;
}
/* The chain, aligned to 8 bytes, as long as its number is valid. */
struct span chain_texts_get(const struct chain_texts *c, u32 chain);

/* As chain_texts_find(), of one that was not asked for lately. */
u32 chain_texts_find_any(struct chain_texts *c, u32 chain, u64 maps);

/* The text that was set for a chain in these maps, a number of the caller's; IDMAP_NONE: none. */
static inline u32 chain_texts_find(struct chain_texts *c, u32 chain, u64 maps)
{
	const struct chain_recent *r = &c->recent[chain % CHAIN_RECENT];

	if (r->maps == maps && r->chain_plus_1 == chain + 1)
		return r->text;
	return chain_texts_find_any(c, chain, maps);
}
void chain_texts_set(struct chain_texts *c, u32 chain, u64 maps, u32 text);

/* Forgets all texts, and the chains that are not held; their numbers are void. */
void chain_texts_forget(struct chain_texts *c);

/* Bytes of memory. */
size_t chain_texts_bytes(const struct chain_texts *c);

#endif
