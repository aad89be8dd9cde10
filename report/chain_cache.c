/* SPDX-License-Identifier: MIT */
#include "report/chain_cache.h"

#include "base/hash.h"
#include "base/mem.h"

#define NR_SLOTS (1u << 15)

struct slot {
	u64 hash; /* 0: empty */
	u32 user_maps, kernel_maps, form;
	u32 raw_len, text_len; /* text_len 0: seen, text not kept */
	u32 off;               /* of raw, then text, in the arena */
};

struct chain_cache {
	struct slot *slots;
	u8 *arena;
	size_t used, arena_len;
	u64 last_hash; /* of the key that chain_cache_get saw last */
};

struct chain_cache *chain_cache_new(size_t len)
{
	struct chain_cache *c = xcalloc(1, sizeof(*c));

	c->slots = xcalloc(NR_SLOTS, sizeof(*c->slots));
	c->arena = xmalloc(len);
	c->arena_len = len;
	return c;
}

void chain_cache_free(struct chain_cache *c)
{
	if (!c)
		return;
	free(c->slots);
	free(c->arena);
	free(c);
}

static u64 key_hash(const struct chain_key *k)
{
	u64 h = hash_bytes(k->raw.p, k->raw.n);

	return hash_pair(h ^ k->form, (u64)k->user_maps << 32 | k->kernel_maps) | 1;
}

static bool slot_matches(const struct slot *s, const struct chain_key *k, u64 hash)
{
	return s->hash == hash && s->raw_len == k->raw.n && s->user_maps == k->user_maps &&
	       s->kernel_maps == k->kernel_maps && s->form == k->form;
}

struct span chain_cache_get(struct chain_cache *c, const struct chain_key *key, bool *ret_keep)
{
	struct slot *s;

	*ret_keep = false;
	if (!key->raw.n)
		return span_of(NULL, 0);
	c->last_hash = key_hash(key);
	s = &c->slots[c->last_hash >> 1 & (NR_SLOTS - 1)];
	if (!slot_matches(s, key, c->last_hash)) {
		*s = (struct slot){ .hash = c->last_hash,
				    .user_maps = key->user_maps,
				    .kernel_maps = key->kernel_maps,
				    .form = key->form,
				    .raw_len = (u32)key->raw.n };
		return span_of(NULL, 0);
	}
	if (!s->text_len) {
		*ret_keep = true;
		return span_of(NULL, 0);
	}
	if (memcmp(c->arena + s->off, key->raw.p, key->raw.n))
		return span_of(NULL, 0);
	return span_of(c->arena + s->off + s->raw_len, s->text_len);
}

void chain_cache_put(struct chain_cache *c, const struct chain_key *key, const char *text,
		     size_t len)
{
	struct slot *s = &c->slots[c->last_hash >> 1 & (NR_SLOTS - 1)];

	if (key->raw.n + len > c->arena_len / 64)
		return;
	if (c->used + key->raw.n + len > c->arena_len) {
		struct slot mine = *s;

		memset(c->slots, 0, NR_SLOTS * sizeof(*c->slots));
		c->used = 0;
		*s = mine;
	}
	s->off = (u32)c->used;
	s->text_len = (u32)len;
	memcpy(c->arena + c->used, key->raw.p, key->raw.n);
	memcpy(c->arena + c->used + key->raw.n, text, len);
	c->used += key->raw.n + len;
}
