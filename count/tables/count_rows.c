/* SPDX-License-Identifier: MIT */
#include "count/tables/count_rows.h"

#include "base/mem.h"

#define FIRST_SLOTS 1024
#define LARGE_SLOTS ((size_t)1 << 18) /* from here on tables grow by less: memory costs more */

void count_rows_init(struct count_rows *t, unsigned int nr_keys, unsigned int nr_first)
{
	*t = (struct count_rows){ .nr_keys = nr_keys,
				  .nr_first = nr_first,
				  .mask = FIRST_SLOTS - 1 };
	t->slots = table_alloc(FIRST_SLOTS * sizeof(*t->slots));
}

static size_t words_bytes(const struct count_rows *t)
{
	return t->cap * count_rows_width(t) * sizeof(*t->words);
}

void count_rows_freeze(struct count_rows *t)
{
	if (t->slots)
		table_free(t->slots, (t->mask + 1) * sizeof(*t->slots));
	t->slots = NULL;
}

void count_rows_fini(struct count_rows *t)
{
	table_free(t->words, words_bytes(t));
	count_rows_freeze(t);
	*t = (struct count_rows){ 0 };
}

static void grow(struct count_rows *t)
{
	size_t old = t->mask + 1, nr_slots = old < LARGE_SLOTS ? old * 4 : old * 2;
	struct count_rows_slot *slots = table_alloc(nr_slots * sizeof(*slots));

	t->mask = nr_slots - 1;
	for (size_t k = 0; k < old; k++) {
		size_t i = t->slots[k].check & t->mask;

		if (!t->slots[k].row)
			continue;
		while (slots[i].row)
			i = (i + 1) & t->mask;
		slots[i] = t->slots[k];
	}
	table_free(t->slots, old * sizeof(*slots));
	t->slots = slots;
}

static size_t add_row(struct count_rows *t, const u32 *key)
{
	size_t row = t->nr++, old = words_bytes(t);

	if (row == t->cap) {
		t->cap = table_grown(t->cap, old);
		t->words = table_realloc(t->words, old, words_bytes(t));
	}
	memcpy(count_rows_key(t, row), key, (t->nr_keys + t->nr_first) * sizeof(*key));
	*count_rows_sums(t, row) = (struct count_sums){ .first = UINT64_MAX };
	return row;
}

void count_rows_add(struct count_rows *t, const u32 *key, u32 check, const struct count_sums *sums)
{
	size_t i = check & t->mask, row;

	for (; t->slots[i].row; i = (i + 1) & t->mask)
		if (t->slots[i].check == check &&
		    count_rows_is_key(t, count_rows_key(t, t->slots[i].row - 1), key))
			break;
	if (t->slots[i].row) {
		row = t->slots[i].row - 1;
	} else {
		row = add_row(t, key);
		t->slots[i] = (struct count_rows_slot){ (u32)row + 1, check };
		if (t->nr * 2 > t->mask)
			grow(t);
	}
	count_rows_join(t, count_rows_key(t, row), key, sums);
}

size_t count_rows_bytes(const struct count_rows *t)
{
	return words_bytes(t) + (t->mask + 1) * sizeof(*t->slots);
}
