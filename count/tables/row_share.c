/* SPDX-License-Identifier: MIT */
#include "count/tables/row_share.h"

#include "base/mem.h"

#define FIRST_SLOTS 1024

void row_share_init(struct row_share *s, const struct count_rows *like, size_t most)
{
	*s = (struct row_share){ .like = like, .most = most, .mask = FIRST_SLOTS - 1 };
	s->rows = table_alloc_any((most + 1) * sizeof(*s->rows));
	s->slots = table_alloc(FIRST_SLOTS * sizeof(*s->slots));
}

void row_share_freeze(struct row_share *s)
{
	if (s->slots)
		table_free(s->slots, (s->mask + 1) * sizeof(*s->slots));
	s->slots = NULL;
}

void row_share_fini(struct row_share *s)
{
	row_share_freeze(s);
	table_free(s->rows, (s->most + 1) * sizeof(*s->rows));
	*s = (struct row_share){ 0 };
}

static void grow(struct row_share *s)
{
	size_t old = s->mask + 1;
	struct count_rows_slot *slots = table_alloc(old * 2 * sizeof(*slots));

	s->mask = old * 2 - 1;
	for (size_t k = 0; k < old; k++) {
		size_t i = s->slots[k].check & s->mask;

		if (!s->slots[k].row)
			continue;
		while (slots[i].row)
			i = (i + 1) & s->mask;
		slots[i] = s->slots[k];
	}
	table_free(s->slots, old * sizeof(*slots));
	s->slots = slots;
}

void row_share_add(struct row_share *s, u32 *row, u32 hash)
{
	size_t i = hash & s->mask;

	for (; s->slots[i].row; i = (i + 1) & s->mask) {
		u32 *had = s->rows[s->slots[i].row - 1];

		if (s->slots[i].check != hash || !count_rows_is_key(s->like, had, row))
			continue;
		count_rows_join(s->like, had, row, count_rows_sums_in(s->like, row));
		return;
	}
	row_share_append(s, row);
	s->slots[i] = (struct count_rows_slot){ (u32)s->nr, hash };
	if (++s->nr_slotted * 3 > s->mask * 2)
		grow(s);
}
