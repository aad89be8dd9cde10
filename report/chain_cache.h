/* SPDX-License-Identifier: MIT */
/*
 * Texts of whole call chains that were printed before. Profiles repeat their stacks: a chain seen
 * twice is kept, and from then on printed with one copy. Memory is bounded; when it is full the
 * cache starts anew.
 */
#ifndef REPORT_CHAIN_CACHE_H
#define REPORT_CHAIN_CACHE_H

#include "base/bytes.h"

/* What the text of a chain depends on. */
struct chain_key {
	struct span raw; /* the chain as recorded */
	u32 user_maps;   /* mapset ids */
	u32 kernel_maps;
	u32 form; /* which fields are printed */
};

struct chain_cache;

/* len: bytes of chains and texts kept. */
struct chain_cache *chain_cache_new(size_t len);
void chain_cache_free(struct chain_cache *c);

/*
 * The chain's text, borrowed until chain_cache_put, or an empty span. *ret_keep is set when the
 * chain was seen before and its text is worth keeping.
 */
struct span chain_cache_get(struct chain_cache *c, const struct chain_key *key, bool *ret_keep);

/* Keeps a copy of the text of the chain that the last chain_cache_get did not find. */
void chain_cache_put(struct chain_cache *c, const struct chain_key *key, const char *text,
		     size_t len);

#endif
