/* SPDX-License-Identifier: MIT */
#include "count/tables/map_sieve.h"

#include <string.h>

/* With so many pieces set, too little would be held back to be worth the trouble. */
#define MAX_PIECES ((1u << MAP_SIEVE_BITS) / 8)

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

static void fill(struct map_sieve *s, const struct mapset *set)
{
	size_t nr = 0;

	find_ranges(s, set);
	memset(s->bits, 0, sizeof(s->bits));
	for (size_t i = 0; i < set->nr; i++) {
		u64 piece = set->maps[i]->start >> MAP_SIEVE_PIECE_SHIFT;
		u64 last = (set->maps[i]->end - 1) >> MAP_SIEVE_PIECE_SHIFT;

		if (last - piece >= MAX_PIECES - nr) {
			memset(s->bits, 0xff, sizeof(s->bits));
			return;
		}
		nr += last - piece + 1;
		for (; piece <= last; piece++) {
			u32 at = map_sieve_place(piece);

			s->bits[at / 64] |= 1ull << (at % 64);
		}
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
