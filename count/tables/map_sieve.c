/* SPDX-License-Identifier: MIT */
#include "count/tables/map_sieve.h"

#include <string.h>

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

static void clear_words(struct map_sieve *s)
{
	if (s->nr_used > MAP_SIEVE_MAX_WORDS)
		memset(s->words, 0, sizeof(s->words));
	else
		while (s->nr_used)
			s->words[s->used[--s->nr_used]] = 0;
	s->nr_used = 0;
}

static void set_all(struct map_sieve *s)
{
	memset(s->words, 0xff, sizeof(s->words));
	s->nr_used = MAP_SIEVE_MAX_WORDS + 1;
}

/* Sets the bits of the pieces from first to last, for which there is room in s->used. */
static void set_bits(struct map_sieve *s, u64 first, u64 last)
{
	for (u64 word = first / 64; word <= last / 64; word++) {
		u32 at = map_sieve_place(word * 64);
		u64 bits = ~0ull;

		if (word == first / 64)
			bits &= ~0ull << first % 64;
		if (word == last / 64)
			bits &= ~0ull >> (63 - last % 64);
		if (!s->words[at])
			s->used[s->nr_used++] = (u16)at;
		s->words[at] |= bits;
	}
}

static void fill(struct map_sieve *s, const struct mapset *set)
{
	find_ranges(s, set);
	clear_words(s);
	for (size_t i = 0; i < set->nr; i++) {
		u64 first = set->maps[i]->start >> MAP_SIEVE_PIECE_SHIFT;
		u64 last = (set->maps[i]->end - 1) >> MAP_SIEVE_PIECE_SHIFT;

		if (last / 64 - first / 64 >= MAP_SIEVE_MAX_WORDS - s->nr_used) {
			set_all(s);
			return;
		}
		set_bits(s, first, last);
	}
}

const struct map_sieve *map_sieves_get(struct map_sieves *s, const struct mapset *set, size_t nr)
{
	struct map_sieve *m = &s->of[set->id % MAP_SIEVES];

	if (m->set_id != set->id) {
		m->set_id = set->id;
		m->asked = 0;
	}
	if (m->asked == MAP_SIEVE_PAYS)
		return m;
	if (nr < MAP_SIEVE_PAYS - m->asked) {
		m->asked += (u32)nr;
		return NULL;
	}
	fill(m, set);
	m->asked = MAP_SIEVE_PAYS;
	return m;
}
