/* SPDX-License-Identifier: MIT */
#include "events/stacks/chain_texts.h"

#include <string.h>

/* Texts of one half: where a process maps files all the time, each of its chains gets many. */
#define MAX_TEXTS ((size_t)1 << 17)

void chain_texts_init(struct chain_texts *c, size_t max_bytes)
{
	*c = (struct chain_texts){ .max_bytes = max_bytes / 2 };
	blobs_init(&c->halves[0].chains);
	blobs_init(&c->halves[1].chains);
}

void chain_texts_fini(struct chain_texts *c)
{
	for (size_t i = 0; i < 2; i++) {
		blobs_fini(&c->halves[i].chains);
		idmap_fini(&c->halves[i].texts);
	}
}

/* Begins to fill the other half. False: chains of it are held. */
static bool turn_over(struct chain_texts *c)
{
	struct chain_half *other = &c->halves[!c->filling];

	if (other->nr_held)
		return false;
	blobs_fini(&other->chains);
	blobs_init(&other->chains);
	idmap_clear(&other->texts);
	memset(c->recent, 0, sizeof(c->recent));
	c->filling = !c->filling;
	return true;
}

/*
 * As hash_bytes(), of whole words and in a third of the time. Bits move up only, until the end:
 * addresses differ in their lower half.
 */
static u64 hash_words(const u8 *p, size_t n)
{
	const u64 k = 0x9e3779b97f4a7c15ull;
	u64 a = n, b = n + k, v[4];

	for (; n >= 32; p += 32, n -= 32) {
		memcpy(v, p, 32);
		a = (((a ^ v[0]) * k) ^ v[1]) * k;
		b = (((b ^ v[2]) * k) ^ v[3]) * k;
	}
	for (; n >= 8; p += 8, n -= 8) {
		memcpy(v, p, 8);
		a = (a ^ v[0]) * k;
	}
	return hash_pair(a, b);
}

u32 chain_texts_put(struct chain_texts *c, struct span chain)
{
	struct blobs *t = &c->halves[c->filling].chains;

	if (t->bytes > c->max_bytes) {
		if (!turn_over(c))
			return CHAIN_NONE;
		t = &c->halves[c->filling].chains;
	}
	return blobs_put(t, chain.p, chain.n, hash_words(chain.p, chain.n)) << 1 | c->filling;
}

struct span chain_texts_get(const struct chain_texts *c, u32 chain)
{
	return blobs_get(&c->halves[chain & 1].chains, chain >> 1);
}

static void note_recent(struct chain_texts *c, u32 chain, u64 maps, u32 text)
{
	c->recent[chain % CHAIN_RECENT] =
		(struct chain_recent){ .maps = maps, .chain_plus_1 = chain + 1, .text = text };
}

u32 chain_texts_find_any(struct chain_texts *c, u32 chain, u64 maps)
{
	u32 text = idmap_get(&c->halves[chain & 1].texts, maps, chain);

	if (text != IDMAP_NONE)
		note_recent(c, chain, maps, text);
	return text;
}

void chain_texts_set(struct chain_texts *c, u32 chain, u64 maps, u32 text)
{
	struct idmap *texts = &c->halves[chain & 1].texts;

	if (texts->nr >= MAX_TEXTS)
		idmap_clear(texts);
	idmap_put(texts, maps, chain, text);
	note_recent(c, chain, maps, text);
}

void chain_texts_forget(struct chain_texts *c)
{
	memset(c->recent, 0, sizeof(c->recent));
	for (size_t i = 0; i < 2; i++) {
		struct chain_half *h = &c->halves[i];

		idmap_fini(&h->texts);
		if (h->nr_held)
			continue;
		blobs_fini(&h->chains);
		blobs_init(&h->chains);
	}
}

size_t chain_texts_bytes(const struct chain_texts *c)
{
	size_t bytes = 0;

	for (size_t i = 0; i < 2; i++)
		bytes += c->halves[i].chains.bytes + idmap_bytes(&c->halves[i].texts);
	return bytes;
}
