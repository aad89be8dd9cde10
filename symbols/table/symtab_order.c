/* SPDX-License-Identifier: MIT */
#include "symbols/table/symtab_order.h"

#include <string.h>

#include "base/pages.h"

#define DIGIT_BITS 11
#define DIGITS (1u << DIGIT_BITS)

/*
 * Sorts keys by their upper halves, stably, with a radix sort. A digit that is equal in all keys
 * costs only the pass that counts.
 */
static u64 *sort_keys(u64 *keys, u64 *spare, size_t nr)
{
	for (unsigned int shift = 32; shift < 64; shift += DIGIT_BITS) {
		u32 place[DIGITS] = { 0 }, sum = 0;
		u64 *t;

		for (size_t i = 0; i < nr; i++)
			place[(keys[i] >> shift) & (DIGITS - 1)]++;
		if (place[(keys[0] >> shift) & (DIGITS - 1)] == nr)
			continue;
		for (size_t d = 0; d < DIGITS; d++) {
			u32 n = place[d];

			place[d] = sum;
			sum += n;
		}
		for (size_t i = 0; i < nr; i++)
			spare[place[(keys[i] >> shift) & (DIGITS - 1)]++] = keys[i];
		t = keys;
		keys = spare;
		spare = t;
	}
	return keys;
}

/*
 * Returns the numbers of the nr symbols at syms, sorted by start, stably, each in the low half of
 * an element. The caller frees *ret_owned.
 */
static u64 *sorted_numbers(const struct sym *syms, size_t nr, u64 **ret_owned)
{
	u64 *keys = xmalloc(2 * nr * sizeof(*keys)), *sorted, least = UINT64_MAX, most = 0;

	pages_will_fill(keys, 2 * nr * sizeof(*keys));
	for (size_t i = 0; i < nr; i++) {
		least = syms[i].start < least ? syms[i].start : least;
		most = syms[i].start > most ? syms[i].start : most;
	}
	for (size_t i = 0; i < nr; i++)
		keys[i] = (syms[i].start - least) << 32 | i;
	sorted = sort_keys(keys, keys + nr, nr);
	*ret_owned = keys;
	if (!((most - least) >> 32))
		return sorted;
	/* starts differ in more than 32 bits: sort by the upper halves, too */
	for (size_t i = 0; i < nr; i++) {
		u64 number = (u32)sorted[i];

		sorted[i] = (syms[number].start - least) >> 32 << 32 | number;
	}
	return sort_keys(sorted, sorted == keys ? keys + nr : keys, nr);
}

/* Sorts the symbols from index `from` on. */
static void sort_tail(struct symtab *t, size_t from)
{
	size_t nr = t->nr - from;
	struct sym *syms = t->syms + from;
	u64 *owned, *sorted = sorted_numbers(syms, nr, &owned);

	/*
	 * Moves the symbols in place, along the cycles of the permutation. The page faults of a
	 * second array would cost more.
	 */
	for (size_t i = 0; i < nr; i++) {
		struct sym first = syms[i];
		size_t at = i;

		while ((u32)sorted[at] != i) {
			size_t next = (u32)sorted[at];

			syms[at] = syms[next];
			sorted[at] = at;
			at = next;
		}
		syms[at] = first;
		sorted[at] = at;
	}
	free(owned);
}

/*
 * Merges the sorted parts [0, from) and [from, nr). Of equal starts, those of the first part come
 * first.
 */
static void merge_tail(struct symtab *t, size_t from)
{
	size_t left = from, right = t->nr - from, at = t->nr;
	struct sym *tail = xmalloc(right * sizeof(*tail));

	memcpy(tail, t->syms + from, right * sizeof(*tail));
	while (right) {
		if (left && t->syms[left - 1].start > tail[right - 1].start)
			t->syms[--at] = t->syms[--left];
		else
			t->syms[--at] = tail[--right];
	}
	free(tail);
}

static bool tail_is_sorted(const struct symtab *t, size_t from)
{
	for (size_t i = from + 1; i < t->nr; i++)
		if (t->syms[i - 1].start > t->syms[i].start)
			return false;
	return true;
}

void symtab_order(struct symtab *t)
{
	size_t from = t->nr_sorted;

	if (from == t->nr)
		return;
	if (!tail_is_sorted(t, from))
		sort_tail(t, from);
	if (from && t->syms[from - 1].start > t->syms[from].start)
		merge_tail(t, from);
	t->nr_sorted = t->nr;
}
