/* SPDX-License-Identifier: MIT */
#include "count/tables/row_share.h"

#include "base/mem.h"

void row_share_init(struct row_share *s, const struct count_rows *like, size_t most)
{
	size_t nr_slots = 16;

	while (nr_slots < 2 * most)
		nr_slots *= 2;
	*s = (struct row_share){ .like = like, .most = most, .mask = nr_slots - 1 };
	s->rows = table_alloc_any((most + 1) * sizeof(*s->rows));
	s->slots = table_alloc(nr_slots * sizeof(*s->slots));
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
	s->rows[s->nr++] = row;
	s->slots[i] = (struct count_rows_slot){ (u32)s->nr, hash };
}
