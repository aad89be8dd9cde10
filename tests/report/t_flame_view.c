/* SPDX-License-Identifier: MIT */
/* The flame graph in cells: boxes by their cells, and keys in, text of the screen out. */
#include "base/mem.h"
#include "report/tui/graph/flame_boxes.h"
#include "report/tui/graph/graph_views.h"
#include "report/tui/key_names.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui.h"
#include "tests/frame/unit.h"

/* ---- trees */

struct stack {
	const char *frames[6]; /* the outermost first */
	u64 samples;
};

/* A tree of stacks that are sorted by their heaviest frames; a sample has a period of 10. */
static void make_tree(struct flame *f, const struct stack *stacks, size_t nr)
{
	flame_init(f, 2);
	for (size_t i = 0; i < nr; i++) {
		u32 names[ARRAY_SIZE(stacks->frames)];
		size_t n = 0;

		for (; n < ARRAY_SIZE(names) && stacks[i].frames[n]; n++) {
			for (names[n] = 1; names[n] < f->nr_names; names[n]++)
				if (!strcmp(f->names[names[n]].text, stacks[i].frames[n]))
					break;
			if (names[n] == f->nr_names)
				flame_add_name(f, stacks[i].frames[n], "prog", FLAME_USER);
		}
		flame_add_stack(f, names, n);
		flame_count(f, FLAME_PERIOD, stacks[i].samples * 10);
		flame_count(f, FLAME_SAMPLES, stacks[i].samples);
	}
	flame_finish(f);
}

static const struct stack plain_stacks[] = {
	{ { "main", "parse", "hash" }, 4 },
	{ { "main", "parse" }, 2 },
	{ { "main", "sort", "hash" }, 3 },
	{ { "init" }, 1 },
};

TEST(boxes_cover_the_cells_whose_middles_lie_in_them)
{
	static const struct stack thirds[] = { { { "a" }, 1 }, { { "b" }, 1 }, { { "c" }, 1 } };
	struct flame_boxes b = { 0 };
	struct flame f;

	make_tree(&f, thirds, ARRAY_SIZE(thirds));
	for (int cols = 1; cols < 50; cols++) {
		const struct flame_part part = { .nr = 5, .cols = cols };
		int next = 0;

		flame_boxes_lay(&b, &f, &part);
		for (size_t i = 0; i < b.nr; i++) {
			if (!b.items[i].line)
				continue;
			CHECK_EQ(b.items[i].from, next);
			CHECK(b.items[i].to > b.items[i].from);
			CHECK(b.items[i].to - b.items[i].from - cols / 3 <= 1);
			next = b.items[i].to;
		}
		CHECK_EQ(next, cols);
	}
	flame_boxes_fini(&b);
	flame_fini(&f);
}

TEST(zoom_gives_a_box_and_those_above_it_the_whole_width)
{
	struct flame_boxes b = { 0 };
	struct flame f;
	u32 sort;

	make_tree(&f, plain_stacks, ARRAY_SIZE(plain_stacks));
	sort = flame_parent(&f, 5);
	CHECK_STR(f.names[f.name[sort]].text, "sort");
	flame_boxes_lay(&b, &f, &(struct flame_part){ .zoom = sort, .nr = 9, .cols = 20 });
	CHECK_EQ(b.nr, 4);
	for (size_t i = 0; i < b.nr; i++) {
		CHECK_EQ(b.items[i].line, i);
		CHECK_EQ(b.items[i].to - b.items[i].from, 20);
	}
	CHECK(!flame_boxes_of(&b, 2));
	CHECK_EQ(flame_boxes_at(&b, 2, 19)->node, sort);
	flame_boxes_fini(&b);
	flame_fini(&f);
}

TEST(walks_in_the_tree)
{
	struct flame f;

	make_tree(&f, plain_stacks, ARRAY_SIZE(plain_stacks));
	CHECK_EQ(flame_parent(&f, 0), 0);
	CHECK_EQ(flame_parent(&f, 1), 0);
	CHECK_EQ(flame_ancestor(&f, 5, 1), 1);
	CHECK_EQ(flame_heaviest(&f, 1, FLAME_PERIOD), 2);
	CHECK_EQ(flame_heaviest(&f, f.nr - 1, FLAME_PERIOD), 0);
	flame_fini(&f);
}

/* ---- the view */

static const struct stack *given;
static size_t nr_given;

static bool get_flame(void *ctx, size_t i, const bool *shown, struct flame *ret)
{
	(void)ctx;
	(void)i;
	(void)shown;
	if (nr_given)
		make_tree(ret, given, nr_given);
	return nr_given;
}

static void put_title(void *ctx, size_t i, struct out *o)
{
	(void)ctx;
	out_printf(o, "event%zu", i);
}

static const struct tui_tables tables = { .nr = 1, .title = put_title, .flame = get_flame };

static struct screen *play(int rows, int cols, bool utf8, const int *keys, size_t nr,
			   const struct table_place *place)
{
	struct screen *s = screen_mem_new(rows, cols, utf8, keys, nr);
	struct tui t;

	tui_run(&t, s, flame_view_new(&tables, 0, NULL, "", place, NULL));
	return s;
}

static char *screen_after(const char *size, bool utf8, const char *names)
{
	int *keys, rows = 0, cols = 0;
	struct screen *s;
	struct perr e;
	struct out o;
	size_t nr;

	CHECK_EQ(sscanf(size, "%dx%d", &cols, &rows), 2);
	CHECK(!key_names_parse(names, &keys, &nr, &e));
	s = play(rows, cols, utf8, keys, nr, NULL);
	out_init_mem(&o);
	screen_mem_dump(s, &o);
	out_char(&o, '\0');
	CHECK_EQ(screen_mem_nr_controls(s), 0);
	s->ops->close(s);
	free(keys);
	return o.buf;
}

static void show(const struct stack *stacks, size_t nr)
{
	given = stacks;
	nr_given = nr;
}

static void check_screen(const char *size, const char *names, const char *want)
{
	char *text = screen_after(size, true, names);

	CHECK_STR(text, want);
	free(text);
}

static void check_shows(const char *names, const char *want, const char *hidden)
{
	char *text = screen_after("60x12", true, names);

	if (want && !strstr(text, want))
		unit_fail(__FILE__, __LINE__, "after %s: no %s in\n%s", names, want, text);
	if (hidden && strstr(text, hidden))
		unit_fail(__FILE__, __LINE__, "after %s: %s in\n%s", names, hidden, text);
	free(text);
}

TEST(a_box_for_each_node)
{
	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	check_screen("40x8", "",
		     "Flame graph, event0\n"
		     "[all                                   ]\n"
		     "[main                              ][  ]\n"
		     "[parse                 ][sort      ]\n"
		     "[hash          ]        [hash      ]\n"
		     "\n"
		     "100.00% all  10 samples, own 0.00%\n"
		     "Enter zoom  u undo  / find  I invert\n"
		     "[line 2]\n");
	check_screen("40x8", "f",
		     "Flame graph, event0\n"
		     "\n"
		     "[hash          ]        [hash      ]\n"
		     "[parse                 ][sort      ]\n"
		     "[main                              ][  ]\n"
		     "[all                                   ]\n"
		     "100.00% all  10 samples, own 0.00%\n"
		     "Enter zoom  u undo  / find  I invert\n"
		     "[line 6]\n");
}

TEST(arrows_walk_from_box_to_box)
{
	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	check_shows("Down", "90.00% main  9 samples, own 0.00%", NULL);
	check_shows("Down Right", "10.00% init  1 sample, own 10.00%", NULL);
	check_shows("Down Right Left", "90.00% main", NULL);
	check_shows("Down Down Right", "30.00% sort", NULL);
	check_shows("Down Down Right Up", "90.00% main", NULL);
	check_shows("Down Down", "60.00% parse  6 samples, own 20.00%, period 60  prog", NULL);
	check_shows("End", "40.00% hash", NULL);
	check_shows("End Home", "100.00% all", NULL);
	check_shows("f Up Up", "60.00% parse", NULL);
	check_shows("PgDn", "40.00% hash", NULL);
}

TEST(zoom_invert_and_their_undoing)
{
	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	check_shows("Down Down Right Enter", ", in sort", "parse");
	check_shows("Down Down Right Enter",
		    "30.00% sort  3 samples, own 0.00%, 100.00% of the zoom", NULL);
	check_shows("Down Down Right Enter u", "parse", ", in sort");
	check_shows("Down Down Right Enter Esc", "parse", ", in sort");
	check_shows("Down Down Right Enter Backspace", "parse", ", in sort");
	check_shows("Down Down Right Enter u ^R", ", in sort", "parse");
	check_shows("Enter", "has the whole width", NULL);
	check_shows("u", "nothing to undo", NULL);
	check_shows("^R", "nothing to do again", NULL);
	/* what ran at the top: hash of both callers */
	check_shows("I Down", "70.00% hash  7 samples, own 0.00%", NULL);
	check_shows("I Down Down Right", "30.00% sort", NULL);
	check_shows("End I", "70.00% hash", NULL);
	check_shows("End I u", "40.00% hash", "inverted");
	check_shows("I u ^R", ", inverted", NULL);
}

/* Trees without commands, recursion and functions: weights go where the words of the keys say. */
TEST(trees_without_what_hides_the_rest)
{
	static const struct stack stacks[] = {
		{ { "one", "main", "walk", "walk", "walk", "hash" }, 4 },
		{ { "one", "main", "walk", "walk" }, 2 },
		{ { "two", "main", "sort" }, 3 },
		{ { "two", "idle" }, 1 },
	};

	show(stacks, ARRAY_SIZE(stacks));
	check_shows("Down", "60.00% one  6 samples, own 0.00%", NULL);
	/* main of both commands */
	check_shows("c Down", "90.00% main  9 samples, own 0.00%", "one");
	check_shows("Down Down c", "90.00% main", "one");
	check_shows("c Down Down Right", "30.00% sort", NULL);
	check_shows("c c Down", "60.00% one", "no commands");
	check_shows("c u Down", "60.00% one", "no commands");
	check_shows("Down Down Down R", "60.00% walk  6 samples, own 20.00%", NULL);
	check_shows("Down Down Down R Down", "40.00% hash  4 samples, own 40.00%", NULL);
	check_shows("Down Down Down R u ^R Down", "40.00% hash", NULL);
	check_shows("R I Down", "40.00% hash", NULL);
	check_shows("R I Down Down", "40.00% walk  4 samples, own 0.00%", NULL);
	/* what is dropped takes its stacks along */
	check_shows("Down x", ", without one", "hash");
	check_shows("Down x Home", "100.00% all  4 samples", NULL);
	check_shows("Down x u", "60.00% one", "without");
	check_shows("Down x u ^R", ", without one", "hash");
	check_shows("x", "nothing would be left", NULL);
	/* what is merged leaves its weight to its caller */
	check_shows("Down Down Down M", "60.00% main  6 samples, own 20.00%", "[walk");
	check_shows("Down Down Down M Down", "40.00% hash", NULL);
	check_shows("c Down M", "100.00% all  10 samples, own 0.00%", "[main");
	check_shows("End M Home M x M x M x M x M", NULL, NULL);
	/* after an undoing, another change */
	check_shows("Down x u Right x", ", without two", "without one");
}

TEST(search_marks_and_counts)
{
	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	check_shows("/ hash Enter", "hash: match 1 of 2, 70.00 % of the samples", NULL);
	check_shows("/ hash Enter Down", "2 found (70.0 %)", NULL);
	check_shows("/ hash Enter n", "match 2 of 2", NULL);
	check_shows("/ hash Enter N", "match 2 of 2", NULL);
	check_shows("/ hash Enter n Up", "30.00% sort", NULL);
	/* boxes within boxes count once */
	check_shows("/ (main|sort|init) Enter", "match 1 of 2, 100.00 %", NULL);
	check_shows("/ HASH Enter", "HASH is in no box", NULL);
	check_shows("/ ( Enter", "(: ", NULL);
	check_shows("n", "no search yet", NULL);
	check_shows("/ hash Enter Esc", NULL, "found");
	check_shows("End #", "hash: match 1 of 2", NULL);
	/* out of a zoom that does not hold the match */
	check_shows("Down Right Enter / sort Enter", "match 1 of 1", ", in init");
}

TEST(styles_of_boxes)
{
	static const int keys[] = { 'n', TKEY_ARROW_UP };
	static const struct table_place hash = { .function = "hash", .object = "prog" };
	struct screen *s;

	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	s = play(8, 40, true, keys, 0, &hash);
	CHECK_EQ(screen_mem_style(s, 4, 5), STYLE_FLAME_CURSOR);
	CHECK_EQ(screen_mem_style(s, 4, 30), STYLE_MATCH);
	CHECK(screen_mem_style(s, 2, 5) >= STYLE_FLAME);
	s->ops->close(s);
	s = play(8, 40, true, keys, 2, &hash);
	CHECK_EQ(screen_mem_style(s, 3, 30), STYLE_FLAME_CURSOR);
	s->ops->close(s);
}

TEST(mouse)
{
	static const int click[] = { TKEY_CLICK }, twice[] = { TKEY_DOUBLE_CLICK };
	struct screen *s = screen_mem_new(8, 40, true, click, 1);
	struct tui t;

	show(plain_stacks, ARRAY_SIZE(plain_stacks));
	s->click_row = 3;
	s->click_col = 30;
	tui_run(&t, s, flame_view_new(&tables, 0, NULL, "", NULL, NULL));
	CHECK_EQ(screen_mem_style(s, 3, 30), STYLE_FLAME_CURSOR);
	CHECK(screen_mem_style(s, 3, 5) != STYLE_FLAME_CURSOR);
	s->ops->close(s);
	s = screen_mem_new(8, 40, true, twice, 1);
	s->click_row = 3;
	s->click_col = 30;
	tui_run(&t, s, flame_view_new(&tables, 0, NULL, "", NULL, NULL));
	CHECK_EQ(screen_mem_style(s, 3, 5), STYLE_FLAME_CURSOR);
	s->ops->close(s);
}

/* ---- names and sizes */

static char long_name[65537];

static const struct stack hostile_stacks[] = {
	{ { "\033]0;title\a\033[2J", "a\tb", "\xff\xfe\x80", "漢字漢字漢字" }, 40 },
	{ { "\xe2\x80\xae"
	    "rtl",
	    "line\nbreak\rback", "", "e\xcc\x81\xcc\x81" },
	  30 },
	{ { long_name, "std::map<int, X<(a)>>::at(int) const", "::", "f<g<h" }, 20 },
	{ { "x", "x", "x", "x", "x", "x" }, 1 },
};

static const int any_keys[] = {
	TKEY_ARROW_UP,
	TKEY_ARROW_DOWN,
	TKEY_ARROW_LEFT,
	TKEY_ARROW_RIGHT,
	TKEY_PAGE_UP,
	TKEY_PAGE_DOWN,
	TKEY_TO_START,
	TKEY_TO_END,
	TKEY_RETURN,
	TKEY_ERASE,
	TKEY_WHEEL_DOWN,
	TKEY_CLICK,
	'u',
	TKEY_DOUBLE_CLICK,
	'I',
	'f',
	'#',
	'n',
	'N',
	'h',
	'c',
	'R',
	'M',
	'x',
	TKEY_CTRL('R'),
	TKEY_ESCAPE,
	'y',
	'/',
	'x',
};

TEST(names_reach_the_screen_escaped_and_any_keys_are_safe)
{
	u64 x = 88172645463325252ull;
	int keys[200];

	memset(long_name, 'n', sizeof(long_name) - 1);
	show(hostile_stacks, ARRAY_SIZE(hostile_stacks));
	check_shows("Down", "\\x1b]0;", NULL);
	for (int round = 0; round < 80; round++) {
		struct screen *s;

		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			keys[i] = any_keys[x % ARRAY_SIZE(any_keys)];
			/* Esc without a step leaves */
			if (keys[i] == TKEY_ESCAPE && i % 7)
				keys[i] = 'u';
		}
		s = play(1 + (int)(x / 7 % 30), 1 + (int)(x / 977 % 120), round & 1, keys,
			 ARRAY_SIZE(keys), NULL);
		CHECK_EQ(screen_mem_nr_controls(s), 0);
		s->ops->close(s);
	}
}

/* What the function is called is at the end of its name. */
TEST(a_very_long_name_has_a_label)
{
	static char name[5000] = "std::map<";
	const struct stack stack = { { name }, 1 };
	size_t n = strlen(name);

	memset(name + n, 'x', 4900);
	snprintf(name + n + 4900, sizeof(name) - n - 4900, ">::find(int)");
	show(&stack, 1);
	check_shows("", "std::map<...>::find ", "xxx");
}

TEST(few_lines_and_one_sample)
{
	static const struct stack one[] = { { { "f" }, 1 } };

	show(one, 1);
	check_screen("20x5", "Down",
		     "Flame graph, event0\n"
		     "[all               ]\n"
		     "[f                 ]\n"
		     "100.00% f  1 sample\n"
		     "Enter zoom  u undo\n"
		     "[line 3]\n");
	check_screen("9x2", "Down", "[f      ]\n\n[line 1]\n");
	show(NULL, 0);
	CHECK(!flame_view_new(&tables, 0, NULL, "", NULL, NULL));
}
