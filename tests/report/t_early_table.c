/* SPDX-License-Identifier: MIT */
/* Tables that have put only some rows in their order yet. */
#include "base/mem.h"
#include "report/tui/rows_model.h"
#include "tests/report/table_world.h"
#include "tests/frame/unit.h"

#define MANY 5000u

/* Samples of many addresses; a few thousand rows are heavier than any other, and differ. */
static struct world_row *many_rows(bool circular, bool heavy)
{
	struct world_row *rows = xcalloc(MANY, sizeof(*rows));
	u64 random = 1;

	for (u64 i = 0; i < MANY; i++) {
		random = random * 6364136223846793005 + 1442695040888963407;
		rows[i] = (struct world_row){ .tid = 1 + (random >> 40) % 2, .nr = 2 };
		rows[i].period = heavy && i % 3 ? 100 + i * 7919 % MANY : 1 + i % 20;
		/* addresses all around the circle are in no order but that of perf's tree */
		rows[i].ips[0] = circular ? random : 0x10000 + i * 4001 % MANY * 16;
		rows[i].ips[1] = 0x1000 + i % 7;
	}
	return rows;
}

/* Makes the table again; early: the first rows are sorted at once, the others by settle(). */
static void make_again(struct table_world *w, bool early)
{
	w->table->ops->free(w->table);
	hist_fini(&w->hist);
	table_world_list(w);
	w->table = early ? hist_table_new_early(&w->hist, w->tree, 2)
			 : hist_table_new(&w->hist, w->tree, 2);
}

static u32 *rows_in_order(struct table *t, size_t *ret_nr)
{
	size_t nr = *ret_nr = t->ops->nr_rows(t, TABLE_TOP);
	u32 *rows = xcalloc(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		rows[i] = t->ops->row(t, TABLE_TOP, i);
	return rows;
}

/* The first rows are those of the whole order, each of the others is behind them once. */
static void check_early(struct table *t, const u32 *want, size_t nr)
{
	size_t nr_settled = t->ops->nr_settled(t), i;
	bool *seen = xcalloc(nr + 1, sizeof(*seen));

	for (i = 0; i < nr; i++) {
		u32 r = t->ops->row(t, TABLE_TOP, i);

		if (i < nr_settled)
			CHECK_EQ(r, want[i]);
		CHECK(r < nr && !seen[r]);
		seen[r] = true;
	}
	free(seen);
}

static void check_whole(struct table *t, const u32 *want, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		CHECK_EQ(t->ops->row(t, TABLE_TOP, i), want[i]);
	CHECK_EQ(t->ops->nr_settled(t), nr);
	CHECK(!t->ops->settle(t));
}

/* Wherever a viewer looks first, it sees the row of the whole order. */
static void check_scrolled(struct table_world *w, const u32 *want, size_t nr)
{
	const size_t places[] = { 0, 200, nr / 2, nr - 1 };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct rows_model m;

		make_again(w, true);
		rows_model_init(&m, w->table, 0);
		rows_set_cursor(&m, (struct rows_pos){ places[i], 0 });
		CHECK_EQ(rows_line_at_cursor(&m)->row, want[places[i]]);
		CHECK_EQ(rows_cursor(&m).at, places[i]);
		rows_move(&m, -100);
		CHECK_EQ(m.state.cursor, want[places[i] < 100 ? 0 : places[i] - 100]);
		rows_model_fini(&m);
	}
}

TEST(first_rows_are_those_of_the_whole_order)
{
	size_t nr_early = 0;

	for (u32 i = 0; i < 16; i++) {
		struct world_row *rows = many_rows(i & 1, i & 2);
		struct table_world *w =
			table_world_new(rows, MANY, i & 4 ? "comm,sym" : "sym", i & 8);
		size_t nr, nr_settled;
		u32 *want = rows_in_order(w->table, &nr);

		check_whole(w->table, want, nr);
		make_again(w, true);
		nr_settled = w->table->ops->nr_settled(w->table);
		nr_early += nr_settled < nr;
		CHECK(nr_settled < nr || !(i & 2));
		check_early(w->table, want, nr);
		CHECK_EQ(w->table->ops->settle(w->table), nr_settled < nr);
		check_early(w->table, want, nr);
		while (w->table->ops->settle(w->table))
			;
		check_whole(w->table, want, nr);
		check_scrolled(w, want, nr);
		/* sorting by a column begins with the whole order; freeing needs none */
		make_again(w, true);
		CHECK(!w->table->ops->sort(w->table, 0, true));
		CHECK(!w->table->ops->sort(w->table, TABLE_NO_COLUMN, true));
		check_whole(w->table, want, nr);
		make_again(w, true);
		(void)w->table->ops->settle(w->table);
		free(want);
		free(rows);
		table_world_free(w);
	}
	CHECK(nr_early >= 8);
}

/* A screen of rows that differ is shown before the others, whose order is that of perf's tree. */
TEST(few_heavy_rows_are_settled_early)
{
	struct world_row *rows = many_rows(true, false);
	struct table_world *w;
	size_t nr, nr_settled;
	u32 *want;

	for (u32 i = 0; i < MANY; i++)
		rows[i].period = i < 60 ? 1000 + i : 1;
	w = table_world_new(rows, MANY, "sym", false);
	want = rows_in_order(w->table, &nr);
	make_again(w, true);
	nr_settled = w->table->ops->nr_settled(w->table);
	CHECK(nr_settled >= 60 && nr_settled < nr);
	check_early(w->table, want, nr);
	check_scrolled(w, want, nr);
	free(want);
	free(rows);
	table_world_free(w);
}

/* How many rows are below each row: its branches of any weight. */
static void nr_rows_below(struct table *t, size_t nr, u32 *ret)
{
	for (u32 r = 0; r < nr; r++) {
		ret[r] = (u32)t->ops->nr_rows(t, r);
		if (ret[r])
			ret[r] += 100 * (u32)t->ops->nr_rows(t, t->ops->row(t, r, 0));
	}
}

/* Below a lower limit, light rows get their branches when they are asked for, alone or together. */
TEST(light_rows_get_their_branches_later)
{
	for (u32 i = 0; i < 4; i++) {
		struct world_row *rows = many_rows(false, true);
		struct table_world *w = table_world_new(rows, MANY, "comm,sym", i & 1);
		size_t nr = w->hist.nr;
		u32 *want = xcalloc(nr, sizeof(*want)), *got = xcalloc(nr, sizeof(*got));
		u32 some[] = { (u32)nr - 1, 7, 1000, 8, 1001 };
		struct table *t;

		w->chain.min_percent = 0;
		make_again(w, true);
		nr_rows_below(w->table, nr, want);
		w->chain.min_percent = 50;
		make_again(w, true);
		t = w->table;
		CHECK(!t->ops->has_rows(t, some[1]));
		CHECK_EQ(t->ops->nr_rows(t, some[2]), 0);
		t->ops->limit(t, 0);
		if (i & 2)
			t->ops->expect(t, some, ARRAY_SIZE(some));
		for (u32 n = 0; n < ARRAY_SIZE(some); n++)
			CHECK_EQ(t->ops->has_rows(t, some[n]), want[some[n]] > 0);
		CHECK(want[some[1]] > 0);
		for (u32 n = 0; n < nr; n += 300)
			t->ops->expect(t, w->hist.lines + n, nr - n < 300 ? nr - n : 300);
		nr_rows_below(t, nr, got);
		for (u32 n = 0; n < nr; n++)
			CHECK_EQ(got[n], want[n]);
		free(want);
		free(got);
		free(rows);
		table_world_free(w);
	}
}

/* How many rows a model shows from a limit on; all of them are heavy enough, the others are not. */
static size_t nr_from_limit(struct rows_model *m, double limit)
{
	const struct table_ops *ops = m->table->ops;
	size_t nr = 0;

	m->state.limit = limit;
	rows_apply(m);
	for (size_t i = 0; i < m->nr; i++)
		CHECK(ops->share(m->table, m->order[i]) * 100 >= limit);
	for (size_t i = 0; i < m->nr_all; i++)
		nr += ops->share(m->table, ops->row(m->table, TABLE_TOP, i)) * 100 >= limit;
	CHECK_EQ(m->nr, nr);
	return nr;
}

/* Rows below a limit are left out whether or not the order is that of shares. */
TEST(light_rows_are_left_out_in_any_order)
{
	for (u32 i = 0; i < 8; i++) {
		struct world_row *rows = many_rows(i & 1, true);
		struct table_world *w = table_world_new(rows, MANY, "sym", i & 2);
		struct rows_model m;
		size_t some;

		make_again(w, i & 4);
		rows_model_init(&m, w->table, i & 4 ? 0.02 : 0);
		some = nr_from_limit(&m, 0.02);
		CHECK(w->table->ops->by_share(w->table));
		CHECK(some && some < m.nr_all);
		CHECK_EQ(nr_from_limit(&m, 0), m.nr_all);
		m.state.sort_col = rows_column_of(w->table, TABLE_FUNCTION);
		CHECK_EQ(nr_from_limit(&m, 0.02), some);
		CHECK(!w->table->ops->by_share(w->table));
		m.state.sort_col = TABLE_NO_COLUMN;
		CHECK_EQ(nr_from_limit(&m, 0.02), some);
		rows_model_fini(&m);
		free(rows);
		table_world_free(w);
	}
}

/* Rows of a column with many values are in the order of the values; equal ones stay as they were.
 */
TEST(many_values_are_sorted)
{
	struct world_row *rows = many_rows(true, true);
	struct table_world *w = table_world_new(rows, MANY, "comm,sym", false);
	struct table *t = w->table;
	size_t nr;
	u32 *first = rows_in_order(t, &nr), *place = xcalloc(nr, sizeof(*place));

	for (size_t i = 0; i < nr; i++)
		place[first[i]] = (u32)i;
	for (size_t col = 3; col < 5; col++)
		for (int descending = 0; descending < 2; descending++) {
			CHECK(!t->ops->sort(t, TABLE_NO_COLUMN, false));
			CHECK(!t->ops->sort(t, col, descending));
			for (size_t i = 1; i < nr; i++) {
				u32 a = t->ops->row(t, TABLE_TOP, i - 1);
				u32 b = t->ops->row(t, TABLE_TOP, i);
				const struct hist_field *f;
				int cmp;

				(void)hist_table_figure(t, col, &f);
				cmp = sort_key_sort(w->hist.d, hist_field_key(w->hist.layout, f),
						    t->ops->value(t, a, col),
						    t->ops->value(t, b, col));
				cmp = descending ? -cmp : cmp;
				CHECK(cmp < 0 || (!cmp && place[a] < place[b]));
			}
		}
	free(first);
	free(place);
	free(rows);
	table_world_free(w);
}
