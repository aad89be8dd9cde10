/* SPDX-License-Identifier: MIT */
#include "report/tui/rows_cells.h"

#include "base/mem.h"

#define PART 8192 /* rows that are done between two looks at the keys: about a millisecond */

u64 rows_bytes_of(const char *text)
{
	u64 bytes = 0;

	for (; *text; text++) {
		if ((u8)*text >= 0x80)
			return UINT64_MAX;
		bytes |= rows_byte_bit(*text);
	}
	return bytes;
}

static void make_rows(struct rows_cells *c, size_t col, size_t nr)
{
	struct rows_column *x = &c->columns[col];

	for (size_t i = x->made; i < x->made + nr; i++) {
		table_row r = c->rows[i];
		u64 value = c->table->ops->value(c->table, r, col);
		u32 number = idmap_get(&x->numbers, value, 0);
		enum table_tone tone;

		if (number == IDMAP_NONE) {
			size_t at = x->nr, had = at;

			number = (u32)at;
			idmap_put(&x->numbers, value, 0, number);
			vec_push(x->values, at, x->cap_values, value);
			vec_push(x->starts, x->nr, x->cap_starts, x->texts.len);
			c->table->ops->cell(c->table, r, col, &x->texts, &tone);
			out_char(&x->texts, '\0');
			vec_push(x->bytes, had, x->cap_bytes,
				 rows_bytes_of(x->texts.buf + x->starts[number]));
		}
		x->of[r] = number;
	}
	x->made += nr;
	if (x->made == c->nr_rows)
		idmap_fini(&x->numbers);
}

bool rows_cells_go_on(struct rows_cells *c)
{
	for (size_t i = 0; i < c->nr_columns; i++) {
		size_t left = c->nr_rows - c->columns[i].made;

		if (c->columns[i].figure || !left)
			continue;
		make_rows(c, i, left < PART ? left : PART);
		return true;
	}
	return false;
}

const struct rows_column *rows_cells_of(struct rows_cells *c, size_t col)
{
	struct rows_column *x = &c->columns[col];

	if (x->made < c->nr_rows)
		make_rows(c, col, c->nr_rows - x->made);
	return x;
}

void rows_cells_init(struct rows_cells *c, struct table *table, table_row *rows, size_t nr_rows,
		     size_t max_row)
{
	*c = (struct rows_cells){ .table = table, .rows = rows, .nr_rows = nr_rows };
	c->nr_columns = table->ops->nr_columns(table);
	c->columns = xcalloc(c->nr_columns + 1, sizeof(*c->columns));
	for (size_t i = 0; i < c->nr_columns; i++) {
		struct rows_column *x = &c->columns[i];
		struct table_column column;

		table->ops->column(table, i, &column);
		x->figure = column.number;
		out_init_mem(&x->texts);
		if (!x->figure)
			x->of = xcalloc(max_row + 1, sizeof(*x->of));
	}
}

void rows_cells_fini(struct rows_cells *c)
{
	for (size_t i = 0; i < c->nr_columns; i++) {
		free(c->columns[i].of);
		free(c->columns[i].starts);
		free(c->columns[i].values);
		free(c->columns[i].bytes);
		idmap_fini(&c->columns[i].numbers);
		out_fini(&c->columns[i].texts);
	}
	free(c->columns);
}
