/* SPDX-License-Identifier: MIT */
/* Threads by time in cells: slices, and keys in, text of the screen out. */
#include "base/mem.h"
#include "report/tui/graph/graph_views.h"
#include "report/tui/graph/time_lanes.h"
#include "report/tui/key_names.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui.h"
#include "tests/frame/unit.h"

/* ---- slices */

TEST(slices_share_no_time_and_leave_none_out)
{
	static const struct time_span spans[] = {
		{ 0, 0 }, { 5, 9 }, { 1, 1000 }, { 7, UINT64_MAX - 1 }, { 0, UINT64_MAX }
	};

	for (size_t i = 0; i < ARRAY_SIZE(spans); i++)
		for (int nr = 1; nr < 40; nr++) {
			struct time_slices s = { .span = spans[i], .nr = nr };
			u64 next = spans[i].from;

			for (int k = 0; k < nr; k++) {
				struct time_span slice = time_slices_span(&s, k, k);

				/* more slices than ns: some are empty */
				if (spans[i].to - spans[i].from + 1 < (u64)nr &&
				    spans[i].to - spans[i].from != UINT64_MAX)
					continue;
				CHECK_EQ(slice.from, next);
				CHECK_EQ(time_slices_at(&s, slice.from), k);
				CHECK_EQ(time_slices_at(&s, slice.to), k);
				next = slice.to + 1;
			}
			CHECK_EQ(time_slices_span(&s, 0, nr - 1).from, spans[i].from);
			CHECK_EQ(time_slices_span(&s, 0, nr - 1).to, spans[i].to);
		}
}

/* ---- the view */

static const char *names[3] = { "main", "reader", "sorter" };

/* 1 s: main has a sample each 0.1 s, reader ten in the first 0.2 s, sorter one at the end. */
static int get_lanes(void *ctx, size_t i, struct time_lanes *ret, struct perr *e)
{
	static const struct time_sample samples[] = {
		{ 1000, 0, 1 }, { 1100, 0, 1 }, { 1200, 0, 1 }, { 1300, 0, 1 }, { 1400, 0, 1 },
		{ 1500, 0, 1 }, { 1600, 0, 1 }, { 1700, 0, 1 }, { 1800, 0, 1 }, { 1900, 0, 1 },
		{ 1050, 1, 6 }, { 1150, 1, 4 }, { 1999, 2, 1 },
	};
	static const u64 sums[] = { 10, 10, 1 };

	(void)ctx;
	if (i)
		return perr_set(e, PERR_NOTFOUND, "the samples have no times");
	*ret = (struct time_lanes){ .nr_lanes = 3,
				    .nr_samples = ARRAY_SIZE(samples),
				    .first = 1000000000,
				    .last = 1999000000 };
	ret->lanes = xcalloc(3, sizeof(*ret->lanes));
	ret->samples = xcalloc(ARRAY_SIZE(samples), sizeof(*ret->samples));
	for (u32 n = 0; n < 3; n++)
		ret->lanes[n] = (struct time_lane){
			.pid = 1, .tid = n + 1, .name = xstrdup(names[n]), .samples = sums[n]
		};
	memcpy(ret->samples, samples, sizeof(samples));
	for (size_t n = 0; n < ARRAY_SIZE(samples); n++)
		ret->samples[n].time *= 1000000;
	return 0;
}

static void put_title(void *ctx, size_t i, struct out *o)
{
	(void)ctx;
	(void)i;
	out_str(o, "event");
}

static struct tui_tables part;
static struct time_span asked;
static size_t nr_parts;

static struct tui_tables *get_part(void *ctx, u64 from, u64 to, struct perr *e)
{
	(void)ctx;
	(void)e;
	asked = (struct time_span){ from, to };
	/* nothing from 1.91 to 1.99 */
	if (from >= 1910000000 && to < 1990000000)
		return NULL;
	nr_parts++;
	return &part;
}

static void free_part(struct tui_tables *p)
{
	CHECK(p == &part);
	nr_parts--;
}

/* A view that stands for the rows of a part. */
static struct tui_view *part_rows(const struct tui_tables *in, size_t i, struct tui_view *like)
{
	struct out o;

	CHECK(in == &part && !like);
	CHECK_EQ(i, 0);
	out_init_mem(&o);
	out_printf(&o, "rows %llu to %llu\n", (unsigned long long)asked.from,
		   (unsigned long long)asked.to);
	return view_text_new("Part", &o);
}

static struct tui_tables whole(void)
{
	part = (struct tui_tables){ .nr = 1, .name = put_title, .title = put_title };
	nr_parts = 0;
	return (struct tui_tables){ .nr = 1,
				    .name = put_title,
				    .title = put_title,
				    .lanes = get_lanes,
				    .part = get_part,
				    .free_part = free_part,
				    .rows = part_rows };
}

static char *screen_of(struct screen *s)
{
	struct out o;

	out_init_mem(&o);
	screen_mem_dump(s, &o);
	out_char(&o, '\0');
	CHECK_EQ(screen_mem_nr_controls(s), 0);
	return o.buf;
}

static void run(struct screen *s)
{
	const struct tui_tables in = whole();
	struct perr e;
	struct tui t;

	tui_run(&t, s, time_view_new(&in, 0, NULL, &e));
	CHECK_EQ(nr_parts, 0);
}

static char *screen_after(const char *size, bool utf8, const char *key_names)
{
	int *keys, rows = 0, cols = 0;
	struct screen *s;
	struct perr e;
	size_t nr;
	char *text;

	CHECK_EQ(sscanf(size, "%dx%d", &cols, &rows), 2);
	CHECK(!key_names_parse(key_names, &keys, &nr, &e));
	s = screen_mem_new(rows, cols, utf8, keys, nr);
	run(s);
	text = screen_of(s);
	s->ops->close(s);
	free(keys);
	return text;
}

static void check_shows(const char *key_names, const char *want, const char *hidden)
{
	char *text = screen_after("80x9", true, key_names);

	if (want && !strstr(text, want))
		unit_fail(__FILE__, __LINE__, "after %s: no %s in\n%s", key_names, want, text);
	if (hidden && strstr(text, hidden))
		unit_fail(__FILE__, __LINE__, "after %s: %s in\n%s", key_names, hidden, text);
	free(text);
}

TEST(a_lane_for_each_thread)
{
	char *text = screen_after("40x8", true, "");

	CHECK_STR(text, "Time, event\n"
			"          ╷0.000 s      ╷0.466\n"
			"all       ▂█ ▂▆ ▂  ▂  ▂  ▂  ▂  ▂  ▂  ▂ ▂\n"
			"1 main    ▂  ▂  ▂  ▂  ▂  ▂  ▂  ▂  ▂  ▂\n"
			"2 reader   █  ▆\n"
			"3 sorter                               ▂\n"
			"0.000 to 0.033 s: 1 of 21 samples (4.8 %\n"
			"Space range  Enter rows  g flame graph\n"
			"[line 3]\n");
	free(text);
}

TEST(ranges_and_their_undoing)
{
	/* 60 slices of 16.65 ms */
	check_shows("", "0.000 to 0.017 s: 1 of 21 samples (4.8 %)", NULL);
	check_shows("Space > ", "0.000 to 0.183 s: 12 of 21", NULL);
	check_shows("Space > Down Down", ", 10 of thread 2", NULL);
	check_shows("Space > u", "0.000 to 0.017 s: 1 of 21", NULL);
	check_shows("Space > Esc", "0.167 to 0.183 s: 0 of 21", NULL);
	check_shows("Space > Esc ^R", "nothing to do again", NULL);
	check_shows("Space > u ^R", "0.000 to 0.183 s: 12", NULL);
	check_shows("End", "0.982 to 0.999 s: 1 of 21", NULL);
	check_shows("End Space Home", "0.000 to 0.999 s: 21 of 21 samples (100.0 %)", NULL);
	check_shows("z", "no range yet", NULL);
	check_shows("> Space > z", ", zoomed in", NULL);
	check_shows("> Space > z End", "0.347 to 0.350 s: 0 of 21", NULL);
	check_shows("> Space > z u", "0.167 to 0.350", "zoomed in");
	check_shows("u", "nothing to undo", NULL);
	check_shows("^R", "nothing to do again", NULL);
}

TEST(other_views_get_the_range)
{
	check_shows("Enter", "rows 1000000000 to 1016650000", NULL);
	check_shows("Space > Enter", "rows 1000000000 to 1183150000", NULL);
	check_shows("Space > Enter q", "0.000 to 0.183 s", NULL);
	check_shows("Space > Enter q Enter q u", "0.000 to 0.017", NULL);
	check_shows("End < < Left Left Enter", NULL, "no samples were taken");
	check_shows("End Left Left Left Enter", "no samples were taken in this range", NULL);
	check_shows("g", "rows 1000000000 to 1016650000", NULL);
}

TEST(mouse_drags_choose_a_range)
{
	static const int keys[] = { TKEY_CLICK };
	struct screen *s = screen_mem_new(9, 80, true, keys, 1);
	char *text;

	s->click_row = 4;
	s->click_col = 20;
	run(s);
	text = screen_of(s);
	CHECK(strstr(text, "0.000 to 0.017 s: 1 of 21 samples (4.8 %), 0 of thread 2"));
	free(text);
	CHECK_EQ(screen_mem_style(s, 4, 20), STYLE_FLAME_CURSOR);
	s->ops->close(s);
}

TEST(no_times)
{
	const struct tui_tables in = whole();
	struct perr e = { 0 };

	CHECK(!time_view_new(&in, 1, NULL, &e));
	CHECK_STR(e.text, "the samples have no times");
}

TEST(any_size_any_keys_hostile_names)
{
	static const int any[] = {
		TKEY_ARROW_UP,
		TKEY_ARROW_DOWN,
		TKEY_ARROW_LEFT,
		TKEY_ARROW_RIGHT,
		TKEY_PAGE_UP,
		TKEY_PAGE_DOWN,
		TKEY_TO_START,
		TKEY_TO_END,
		TKEY_RETURN,
		TKEY_CLICK,
		TKEY_DRAG,
		TKEY_WHEEL_DOWN,
		' ',
		'z',
		'u',
		'g',
		'<',
		'>',
		TKEY_CTRL('R'),
		TKEY_DOUBLE_CLICK,
	};
	u64 x = 88172645463325252ull;
	int keys[200];

	names[0] = "\033]0;x\a\n\t";
	names[1] = "漢字漢字\xff";
	names[2] = "";
	for (int round = 0; round < 80; round++) {
		struct screen *s;

		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			keys[i] = any[x % ARRAY_SIZE(any)];
		}
		s = screen_mem_new(1 + (int)(x / 7 % 30), 1 + (int)(x / 977 % 120), round & 1, keys,
				   ARRAY_SIZE(keys));
		s->click_row = (int)(x / 13 % 30);
		s->click_col = (int)(x / 31 % 120);
		run(s);
		CHECK_EQ(screen_mem_nr_controls(s), 0);
		s->ops->close(s);
	}
}
