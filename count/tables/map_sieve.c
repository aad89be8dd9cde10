/* SPDX-License-Identifier: MIT */
#include "count/tables/map_sieve.h"

#include <string.h>

/* With so many words in use, too little would be held back to be worth the trouble. */
#define MAX_WORDS ((1u << MAP_SIEVE_WORD_BITS) / 8)

/* Divides the maps at the widest gap between them. */
static void find_ranges(struct map_sieve *s, const struct mapset *set)
{
	size_t at = 0;
	u64 widest = 0;

	s->low = s->high = (struct map_sieve_range){ 0 };
	if (!set->nr)
		return;
	for (size_t i = 1; i < set->nr; i++) {
		u64 gap = set->maps[i]->start - set->maps[i - 1]->end;

		if (gap > widest) {
			widest = gap;
			at = i;
		}
	}
	s->high.start = set->maps[at]->start;
	s->high.len = set->maps[set->nr - 1]->end - s->high.start;
	if (!at)
		return;
	s->low.start = set->maps[0]->start;
	s->low.len = set->maps[at - 1]->end - s->low.start;
}

/* Sets the bits of the pieces from first to last. */
static void set_bits(struct map_sieve *s, u64 first, u64 last)
{
	for (u64 word = first / 64; word <= last / 64; word++) {
		u64 bits = ~0ull;

		if (word == first / 64)
			bits &= ~0ull << first % 64;
		if (word == last / 64)
			bits &= ~0ull >> (63 - last % 64);
		s->words[map_sieve_place(word * 64)] |= bits;
	}
}

static void fill(struct map_sieve *s, const struct mapset *set)
{
	size_t nr = 0;

	find_ranges(s, set);
	memset(s->words, 0, sizeof(s->words));
	for (size_t i = 0; i < set->nr; i++) {
		u64 first = set->maps[i]->start >> MAP_SIEVE_PIECE_SHIFT;
		u64 last = (set->maps[i]->end - 1) >> MAP_SIEVE_PIECE_SHIFT;
		u64 words = last / 64 - first / 64 + 1;

		if (words > MAX_WORDS - nr) {
			memset(s->words, 0xff, sizeof(s->words));
			return;
		}
		nr += words;
		set_bits(s, first, last);
	}
}

const struct map_sieve *map_sieves_get(struct map_sieves *s, const struct mapset *set)
{
	struct map_sieve *m = &s->of[set->id % MAP_SIEVES];

	if (m->set_id != set->id) {
		m->set_id = set->id;
		m->ready = false;
		return NULL;
	}
	if (!m->ready)
		fill(m, set);
	m->ready = true;
	return m;
}
