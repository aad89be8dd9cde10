/* SPDX-License-Identifier: MIT */
/* prep's table model through table_ops, without a command line: rows, cells, call trees, order. */
#include "report/table/level_table.h"
#include "tests/report/table_world.h"
#include "tests/frame/unit.h"

/* Appends the cells of all rows below a parent, a line each, two blanks for each level. */
static void put_rows(struct table *t, table_row parent, size_t depth, struct out *o)
{
	bool has = parent != TABLE_TOP && t->ops->has_rows(t, parent);
	size_t nr = t->ops->nr_rows(t, parent);

	if (parent != TABLE_TOP) {
		CHECK_EQ(has, nr > 0);
		CHECK_EQ(t->ops->has_rows(t, parent), nr > 0);
	}
	for (size_t i = 0; i < nr; i++) {
		table_row r = t->ops->row(t, parent, i);
		enum table_tone tone;

		out_fill(o, ' ', 2 * depth);
		for (size_t col = 0; col < t->ops->nr_columns(t); col++) {
			if (col)
				out_char(o, '|');
			t->ops->cell(t, r, col, o, &tone);
		}
		out_char(o, '\n');
		put_rows(t, r, depth + 1, o);
	}
}

static void check_rows(struct table *t, const char *want)
{
	struct out o;

	out_init_mem(&o);
	put_rows(t, TABLE_TOP, 0, &o);
	out_char(&o, '\0');
	CHECK_STR(o.buf, want);
	out_fini(&o);
}

/* main 0x10 calls f 0x20 calls g 0x30; f calls itself */
static const struct world_row calls[] = {
	{ 1, 10, { 0x30, 0x20, 0x10 }, 3 },
	{ 1, 20, { 0x20, 0x20, 0x10 }, 3 },
	{ 1, 30, { 0x10 }, 1 },
	{ 2, 40, { 0x20, 0x10 }, 2 },
};

TEST(columns_have_titles_and_widths)
{
	static const struct table_column want[] = {
		{ "Overhead", 8, true, true },  { "Samples", 12, true, true },
		{ "Period", 12, true, true },   { "Command", 7, false, false },
		{ "Symbol", 22, false, false },
	};
	struct table_world *w = table_world_new(calls, 4, "comm,sym", false);
	struct table *t = w->table;

	CHECK_EQ(t->ops->nr_columns(t), ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct table_column c;

		t->ops->column(t, i, &c);
		CHECK_STR(c.title, want[i].title);
		CHECK_EQ(c.width, want[i].width);
		CHECK_EQ(c.right, want[i].right);
		CHECK_EQ(c.number, want[i].number);
	}
	table_world_free(w);
}

/* Entries with the heaviest first; below each one its chains from the leaf on. */
TEST(entries_and_their_call_trees)
{
	struct table_world *w = table_world_new(calls, 4, "comm,sym", false);

	check_rows(w->table, "40.00%|1|40|two|[.] 0x0000000000000020\n"
			     "  40.00%|1|40||0x20\n"
			     "    40.00%|1|40||0x10\n"
			     "30.00%|1|30|one|[.] 0x0000000000000010\n"
			     "  30.00%|1|30||0x10\n"
			     "20.00%|1|20|one|[.] 0x0000000000000020\n"
			     "  20.00%|1|20||0x20\n"
			     "    20.00%|1|20||0x20\n"
			     "      20.00%|1|20||0x10\n"
			     "10.00%|1|10|one|[.] 0x0000000000000030\n"
			     "  10.00%|1|10||0x30\n"
			     "    10.00%|1|10||0x20\n"
			     "      10.00%|1|10||0x10\n");
	table_world_free(w);
}

/* A tree forks where chains part; the heavier branch comes first. */
TEST(trees_fork)
{
	static const struct world_row rows[] = {
		{ 1, 10, { 0x30, 0x10 }, 2 },
		{ 1, 60, { 0x30, 0x20, 0x10 }, 3 },
		{ 1, 30, { 0x30, 0x20, 0x40 }, 3 },
	};
	struct table_world *w = table_world_new(rows, 3, "sym", false);

	check_rows(w->table, "100.00%|3|100|[.] 0x0000000000000030\n"
			     "  100.00%|3|100|0x30\n"
			     "    90.00%|2|90|0x20\n"
			     "      60.00%|1|60|0x10\n"
			     "      30.00%|1|30|0x40\n"
			     "    10.00%|1|10|0x10\n");
	/* rows keep their numbers: asking again makes no others */
	CHECK_EQ(w->table->ops->row(w->table, 0, 0), w->table->ops->row(w->table, 0, 0));
	table_world_free(w);
}

/* Whether a row has branches is known before they are made, below each limit. */
TEST(branches_are_known_before_they_are_made)
{
	static const double limits[] = { 0, 5, 15, 25, 35, 45, 75, 100 };
	size_t some = 0, none = 0;

	for (size_t i = 0; i < 2 * ARRAY_SIZE(limits); i++) {
		struct table_world *w = table_world_new(calls, 4, "sym", i & 1);
		struct table *t = w->table;

		t->ops->limit(t, limits[i / 2]);
		for (size_t n = 0; n < t->ops->nr_rows(t, TABLE_TOP); n++) {
			table_row r = t->ops->row(t, TABLE_TOP, n);
			bool has = t->ops->has_rows(t, r);

			CHECK_EQ(has, t->ops->nr_rows(t, r) > 0);
			some += has;
			none += !has;
		}
		table_world_free(w);
	}
	CHECK(some > 4 && none > 4);
}

/* With children callers have entries: self and accumulated shares stand side by side. */
TEST(callers_accumulate)
{
	struct table_world *w = table_world_new(calls, 4, "sym", true);
	struct table *t = w->table;
	struct out o;
	enum table_tone tone;
	table_row top = t->ops->row(t, TABLE_TOP, 0);

	CHECK_EQ(t->ops->nr_rows(t, TABLE_TOP), 3);
	out_init_mem(&o);
	for (size_t col = 0; col < 3; col++) {
		t->ops->cell(t, top, col, &o, &tone);
		out_char(&o, ' ');
	}
	out_char(&o, '\0');
	CHECK_STR(o.buf, "100.00% 30.00% 1 ");
	CHECK(t->ops->share(t, top) == 1);
	out_fini(&o);
	table_world_free(w);
}

/* A level for each key, with the sums of what is below; call trees below the last one. */
TEST(levels_of_a_hierarchy)
{
	struct table_world *w = table_world_new(calls, 4, "comm,sym", false);
	struct table *t;
	table_row rows[1];

	w->table->ops->free(w->table);
	hist_fini(&w->hist);
	table_world_list(w);
	t = w->table = level_table_new(&w->hist, w->tree, 1);
	check_rows(t, "60.00%|3|60|one\n"
		      "  30.00%|1|30|[.] 0x0000000000000010\n"
		      "    30.00%|1|30|0x10\n"
		      "  20.00%|1|20|[.] 0x0000000000000020\n"
		      "    20.00%|1|20|0x20\n"
		      "      20.00%|1|20|0x20\n"
		      "        20.00%|1|20|0x10\n"
		      "  10.00%|1|10|[.] 0x0000000000000030\n"
		      "    10.00%|1|10|0x30\n"
		      "      10.00%|1|10|0x20\n"
		      "        10.00%|1|10|0x10\n"
		      "40.00%|1|40|two\n"
		      "  40.00%|1|40|[.] 0x0000000000000020\n"
		      "    40.00%|1|40|0x20\n"
		      "      40.00%|1|40|0x10\n");
	/* both levels are sorted, by figures and by names */
	CHECK(!t->ops->sort(t, 2, false));
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, TABLE_TOP, 0)) * 100 + 0.5), 40);
	rows[0] = t->ops->row(t, TABLE_TOP, 1);
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, rows[0], 0)) * 100 + 0.5), 10);
	CHECK(!t->ops->sort(t, 3, true));
	CHECK(t->ops->row(t, TABLE_TOP, 1) == rows[0]);
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, rows[0], 0)) * 100 + 0.5), 30);
	/* of the samples of one row */
	t->ops->whole(t, rows, 1);
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, rows[0], 0)) * 100 + 0.5), 50);
	table_world_free(w);
}

TEST(rows_are_sorted_by_any_column)
{
	struct table_world *w = table_world_new(calls, 4, "comm,sym", false);
	struct table *t = w->table;
	const u64 rising[] = { 10, 20, 30, 40 }, by_comm[] = { 10, 20, 30, 40 };
	size_t i;

	CHECK(!t->ops->sort(t, 2, false));
	for (i = 0; i < 4; i++)
		CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, TABLE_TOP, i)) * 100 + 0.5),
			 rising[i]);
	/* rows of one comm stay as they were */
	CHECK(!t->ops->sort(t, 3, false));
	for (i = 0; i < 4; i++)
		CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, TABLE_TOP, i)) * 100 + 0.5),
			 by_comm[i]);
	CHECK(!t->ops->sort(t, 3, true));
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, TABLE_TOP, 0)) * 100 + 0.5), 40);
	CHECK_EQ((u64)(t->ops->share(t, t->ops->row(t, TABLE_TOP, 1)) * 100 + 0.5), 10);
	table_world_free(w);
}

/* A row by comm alone stands for many functions, the frames below it for one each. */
TEST(places_of_rows)
{
	struct table_world *w = table_world_new(calls, 4, "sym", false);
	struct table *t = w->table;
	struct table_place p;

	CHECK(t->ops->place(t, t->ops->row(t, TABLE_TOP, 0), &p));
	CHECK_EQ(p.addr, 0x20);
	CHECK(!p.function && !p.object);
	table_world_free(w);

	w = table_world_new(calls, 4, "comm", false);
	t = w->table;
	CHECK(!t->ops->place(t, t->ops->row(t, TABLE_TOP, 0), &p));
	CHECK(t->ops->place(t, t->ops->row(t, t->ops->row(t, TABLE_TOP, 0), 0), &p));
	CHECK_EQ(p.addr, 0x10);
	table_world_free(w);
}

TEST(shares_decide_the_tone)
{
	static const struct world_row rows[] = {
		{ 1, 9890, { 0x10 }, 1 },
		{ 1, 100, { 0x20 }, 1 },
		{ 1, 10, { 0x30 }, 1 },
	};
	static const enum table_tone want[] = { TONE_HOT, TONE_WARM, TONE_PLAIN };
	struct table_world *w = table_world_new(rows, 3, "sym", false);
	struct out o;

	out_init_mem(&o);
	for (size_t i = 0; i < 3; i++) {
		enum table_tone tone;

		w->table->ops->cell(w->table, w->table->ops->row(w->table, TABLE_TOP, i), 0, &o,
				    &tone);
		CHECK_EQ(tone, want[i]);
	}
	out_fini(&o);
	table_world_free(w);
}
