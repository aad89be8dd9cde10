/* SPDX-License-Identifier: MIT */
/* The views of the terminal over a screen in memory: keys in, text of the screen out. */
#include <unistd.h>

#include "base/mem.h"
#include "report/tui/key_names.h"
#include "report/tui/rows_model.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui_tables.h"
#include "tests/report/made_table.h"
#include "tests/frame/unit.h"

/* ---- what the views get */

static void put_name(void *ctx, size_t i, struct out *o)
{
	(void)ctx;
	out_printf(o, "event%zu", i);
}

static void put_title(void *ctx, size_t i, struct out *o)
{
	out_str(o, "Samples of ");
	put_name(ctx, i, o);
}

static u64 get_samples(void *ctx, size_t i)
{
	(void)ctx;
	return 1234 + i;
}

static struct table *get_table(void *ctx, size_t i)
{
	(void)i;
	return ctx;
}

static void put_text(void *ctx, struct out *o)
{
	(void)ctx;
	out_str(o, (const char *)"line one\nline\033[2J two\n");
}

/* Plays keys on a screen of this size and returns it. */
static struct screen *play(struct made_table *t, int rows, int cols, const int *keys, size_t nr,
			   size_t nr_events)
{
	struct screen *s = screen_mem_new(rows, cols, true, keys, nr);
	const struct tui_tables in = { .ctx = &t->table,
				       .nr = nr_events,
				       .name = put_name,
				       .title = put_title,
				       .samples = get_samples,
				       .table = get_table,
				       .header = put_text,
				       .quality = put_text };

	tui_show_tables(s, &in);
	return s;
}

/* The screen after these keys, as text. */
static char *screen_after(struct made_table *t, const char *size, const char *names,
			  size_t nr_events)
{
	int *keys, rows = 0, cols = 0;
	struct perr e;
	struct screen *s;
	struct out o;
	size_t nr;

	CHECK_EQ(sscanf(size, "%dx%d", &cols, &rows), 2);
	CHECK(!key_names_parse(names, &keys, &nr, &e));
	s = play(t, rows, cols, keys, nr, nr_events);
	out_init_mem(&o);
	screen_mem_dump(s, &o);
	out_char(&o, '\0');
	CHECK_EQ(screen_mem_nr_controls(s), 0);
	s->ops->close(s);
	free(keys);
	return o.buf;
}

static void check_screen(struct made_table *t, const char *size, const char *names,
			 const char *want)
{
	char *text = screen_after(t, size, names, 1);

	CHECK_STR(text, want);
	free(text);
}

/* The screen has the text `want` after these keys, and does not have `not`; NULL: anything. */
static void check_shows(struct made_table *t, const char *names, const char *want,
			const char * not )
{
	char *text = screen_after(t, "60x12", names, 1);

	if (want && !strstr(text, want))
		unit_fail(__FILE__, __LINE__, "after %s: no %s in\n%s", names, want, text);
	if (not &&strstr(text, not ))
		unit_fail(__FILE__, __LINE__, "after %s: %s in\n%s", names, not, text);
	free(text);
}

static const struct made_row plain_rows[] = {
	{ "libc.so", "malloc", 0.5, 0, false }, /* 0 */
	{ "prog", "main", 0.3, 0, false },      /* 1 */
	{ "prog", "work", 0.2, 0, false },      /* 2 */
	{ "libc.so", "malloc", 0.5, 1, false }, /* 3: below malloc */
	{ "prog", "work", 0.5, 4, true },       /* 4: the same node */
	{ "prog", "main", 0.4, 5, false },      /* 5 */
	{ "prog", "init", 0.1, 5, false },      /* 6 */
};

TEST(rows_look_as_those_of_perf)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_screen(&t, "40x7", "",
		     "Samples of event0\n"
		     "  Overhead  Object    Symbol\n"
		     "+   50.00%  libc.so   malloc           ◆\n"
		     "    30.00%  prog      main             ▒\n"
		     "    20.00%  prog      work             ▒\n"
		     "                                       ▒\n"
		     "Enter menu  + open  / filter  ^F find\n"
		     "[line 3]\n");
}

TEST(call_trees_look_as_those_of_perf)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_screen(&t, "40x10", "e Down Down",
		     "Samples of event0\n"
		     "  Overhead  Object    Symbol\n"
		     "-   50.00%  libc.so   malloc           ◆\n"
		     "     50.00% malloc                     ▒\n"
		     "      - work                           ▒\n"
		     "           40.00% main                 ▒\n"
		     "           10.00% init                 ▒\n"
		     "    30.00%  prog      main             ▒\n"
		     "    20.00%  prog      work             ▒\n"
		     "Enter menu  + open  / filter  ^F find\n"
		     "[line 5]\n");
}

TEST(levels_open_one_by_one)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_shows(&t, "+", "+ work", "40.00%");
	check_shows(&t, "+ Down Down +", "- work", NULL);
	check_shows(&t, "+ Down Down +", "40.00% main", NULL);
	check_shows(&t, "E", "40.00% main", NULL);
	check_shows(&t, "E C", NULL, "40.00% main");
	check_shows(&t, "E c", NULL, "40.00% main");
	check_shows(&t, "e e", NULL, "work\n   ");
}

TEST(filters_and_their_undoing)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_shows(&t, "/ work Enter", "symbols with 'work'", "malloc");
	check_shows(&t, "/ work Enter u", "malloc", "symbols with");
	check_shows(&t, "/ work Enter u ^R", "symbols with 'work'", "malloc");
	check_shows(&t, "/ work Enter Left", "malloc", "symbols with");
	check_shows(&t, "/ work Esc", "malloc", "symbols with");
	check_shows(&t, "/ workk Backspace Enter", "20.00%", "malloc");
	check_shows(&t, "/ nothing Enter", "no rows pass the filters", "work");
	check_shows(&t, "Down d", "DSO: prog", "libc");
	check_shows(&t, "Down d d", "libc", "DSO: prog");
	check_shows(&t, "L 25 Enter", "from 25 %", "20.00%");
	check_shows(&t, "L x Enter", "expected a percentage", NULL);
	check_shows(&t, "t", "use -s comm", NULL);
	check_shows(&t, "k", "no row is of the kernel", NULL);
	check_shows(&t, "u", "nothing to undo", NULL);
	check_shows(&t, "^R", "nothing to do again", NULL);
}

TEST(filters_follow_what_is_typed)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_shows(&t, "/ wor", "symbols with 'wor'", "malloc");
	check_shows(&t, "/ wor Backspace Backspace Backspace", "malloc", "symbols with");
	check_shows(&t, "/ wor Esc", "malloc", "symbols with");
	check_shows(&t, "/ wor Esc u", "nothing to undo", NULL);
	check_shows(&t, "/ work Enter u", "malloc", "symbols with");
	check_shows(&t, "/ work Enter / ^U main", "main", "work '");
	check_shows(&t, "/ work Enter / ^U main Esc", "symbols with 'work'", "main");
	check_shows(&t, "/ work Enter / ^U Enter", "malloc", "symbols with");
	check_shows(&t, "/ work Enter / ^U main Enter u", "symbols with 'work'", NULL);
	check_shows(&t, "f ^main|^wo Enter", "rows with '^main|^wo'", "malloc");
	check_shows(&t, "f LIBC Enter", "no rows pass", NULL);
	check_shows(&t, "f !libc Enter", "without rows with 'libc'", "malloc");
	check_shows(&t, "f !main Enter f prog Enter", "20.00%", "malloc");
	check_shows(&t, "f !main Enter f prog Enter u", "malloc", "30.00%");
	check_shows(&t, "f ( Enter", "(: ", NULL);
	check_shows(&t, "f ! Enter u", "nothing to undo", NULL);
	/* the cursor goes to the match while one types, and back */
	check_shows(&t, "^F wor", "[line 5]", NULL);
	check_shows(&t, "^F wor", "1 found (20.0 %)", NULL);
	check_shows(&t, "^F wor Esc", "[line 3]", "found");
	check_shows(&t, "^F wor Enter Home ^F ^U main Esc", "1 found (20.0 %)", NULL);
}

/* The row at the cursor stays there while others come and go around it. */
TEST(cursor_stays_on_its_row)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_shows(&t, "End", "[line 5]", NULL);
	check_shows(&t, "End d", "[line 4]", "libc");
	check_shows(&t, "End d d", "[line 5]", NULL);
	check_shows(&t, "End E", "[line 9]", NULL);
	check_shows(&t, "End o Down Down Enter", "[line 5]", NULL); /* main, malloc, work */
	check_shows(&t, "o Down Down Enter", "[line 4]", NULL);
	/* a row that is filtered out gives the cursor to the next one */
	check_shows(&t, "/ r Backspace ain Enter", "[line 3]", "malloc");
}

TEST(search_keeps_the_rows)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));

	check_shows(&t, "^F (^m) Enter", "match 1 of 2, 80.00 %", NULL);
	check_shows(&t, "^F (^m) Enter", "work", NULL);
	check_shows(&t, "^F (^m) Enter n", "match 2 of 2", NULL);
	check_shows(&t, "^F (^m) Enter n n", "match 1 of 2", NULL);
	check_shows(&t, "^F (^m) Enter N", "match 2 of 2", NULL);
	check_shows(&t, "^F (^M) Enter", "(^M) is in no row", NULL);
	check_shows(&t, "^F ( Enter", "(: ", NULL);
	check_shows(&t, "n", "no search yet", NULL);
	check_shows(&t, "^F lib Enter / work Enter n", "in no row", NULL);
}

TEST(windows_and_menus)
{
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));
	char *text = screen_after(&t, "60x12", "", 3);

	CHECK(strstr(text, "Available samples\n        1K event0\n"));
	free(text);
	text = screen_after(&t, "60x12", "Down Enter", 3);
	CHECK(strstr(text, "Samples of event1"));
	free(text);
	text = screen_after(&t, "60x12", "Down Enter Tab Tab", 3);
	CHECK(strstr(text, "Samples of event0"));
	free(text);
	text = screen_after(&t, "60x12", "Down Enter Esc", 3);
	CHECK(strstr(text, "Available samples"));
	free(text);
	check_shows(&t, "i", "line\\x1b[2J two", NULL);
	check_shows(&t, "i q", "malloc", NULL);
	text = screen_after(&t, "17x9", "Q", 1);
	CHECK(strstr(text, "\nline one\nline\\x1b[2J two\n"));
	free(text);
	text = screen_after(&t, "12x9", "Q", 1);
	CHECK(strstr(text, "\nline one\nline\\x1b[2J\n  two\n"));
	free(text);
	text = screen_after(&t, "9x9", "i", 1);
	CHECK(strstr(text, "\nline one\nline\\x1b[\n"));
	free(text);
	check_shows(&t, "h", "Keys\n", "malloc");
	check_shows(&t, "h x", "malloc", "Keys\n");
	check_shows(&t, "Enter", "Zoom into libc.so DSO", NULL);
	check_shows(&t, "Enter Down Down Down Enter", "without DSO: libc.so", "malloc");
	check_shows(&t, "H", NULL, "Overhead");
	check_shows(&t, "~", "~ does nothing here", NULL);
	check_shows(&t, "Esc", "Esc again", NULL);
}

TEST(copies_the_name_at_the_cursor)
{
	static const int keys[] = { TKEY_ARROW_DOWN, 'y' };
	struct made_table t = made_table(plain_rows, ARRAY_SIZE(plain_rows));
	struct screen *s = play(&t, 10, 40, keys, ARRAY_SIZE(keys), 1);

	CHECK_STR(screen_mem_copied(s), "main");
	s->ops->close(s);
}

/* ---- names that a recording may hold */

static char long_name[65537];

static const struct made_row hostile_rows[] = {
	{ "a\tb", "\033]0;title\a\033[2J", 0.5, 0, false },
	{ "\xc2\x9b"
	  "31m",
	  "\xff\xfe\x80", 0.2, 0, false },
	{ "漢字漢字漢字", "e\xcc\x81\xcc\x81\xcc\x81", 0.1, 0, false },
	{ "\xe2\x80\xae"
	  "rtl",
	  "line\nbreak\rback", 0.1, 0, false },
	{ "", long_name, 0.1, 0, false },
	{ "x", "\033[A", 0.5, 1, false },
};

static struct made_table make_hostile(void)
{
	memset(long_name, 'n', sizeof(long_name) - 1);
	return made_table(hostile_rows, ARRAY_SIZE(hostile_rows));
}

TEST(names_reach_the_screen_escaped)
{
	static const char *const sizes[] = { "20x5", "80x24", "1x1", "400x100", "3x2", "40x3" };
	static const char *const keys[] = { "E", "Enter", "d", "y", "V E", "^F x Enter", "o", "Q" };
	struct made_table t = make_hostile();

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (size_t k = 0; k < ARRAY_SIZE(keys); k++)
			free(screen_after(&t, sizes[i], keys[k], 1));
	check_shows(&t, "", "\\x1b]0;title", NULL);
}

TEST(tables_of_no_and_one_row)
{
	static const struct made_row one[] = { { "o", "f", 1, 0, false } };
	struct made_table none = made_table(one, 0), t = made_table(one, 1);

	check_shows(&none, "Down + E e c Enter", NULL, NULL);
	check_shows(&none, "d k / x Enter ^F x Enter n PgDn End Home y", NULL, NULL);
	check_shows(&t, "Down PgDn End Up Home e", "100.00%", NULL);
}

/* Any keys in any order, on screens that change their size: nothing breaks, nothing is obeyed. */
/* More than what waits to be written at once: each line is whole, with its columns in place. */
TEST(large_tables_are_written_whole)
{
	static struct made_row rows[64];
	char dir[] = "/tmp/t_tui.XXXXXX", *name = xcalloc(1, 8001), *line = NULL;
	struct made_table t;
	size_t cap = 0, nr = 0;
	FILE *f;

	memset(name, 'f', 8000);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		rows[i] = (struct made_row){ i & 1 ? "b" : "object", name, 1.0 / 64, 0, false };
	t = made_table(rows, ARRAY_SIZE(rows));
	CHECK(mkdtemp(dir) != NULL);
	CHECK(!chdir(dir));
	check_shows(&t, "P", "64 lines were written to perf.hist.0", NULL);
	f = fopen("perf.hist.0", "r");
	CHECK(f != NULL);
	for (ssize_t n; (n = getline(&line, &cap, f)) > 0; nr++)
		if (nr >= 2) {
			CHECK(!strncmp(line, "     1.56%  ", 10));
			CHECK_EQ(n, 2 + 8 + 2 + 8 + 2 + 8000 + 1);
			CHECK(!memcmp(line + n - 8001, name, 8000));
		}
	CHECK_EQ(nr, 66);
	fclose(f);
	free(line);
	free(name);
	CHECK(!unlink("perf.hist.0"));
	CHECK(!rmdir(dir));
}

TEST(random_keys)
{
	static const int special[] = {
		TKEY_ARROW_UP,
		TKEY_ARROW_DOWN,
		TKEY_ARROW_LEFT,
		TKEY_ARROW_RIGHT,
		TKEY_PAGE_UP,
		TKEY_PAGE_DOWN,
		TKEY_TO_START,
		TKEY_TO_END,
		TKEY_RETURN,
		TKEY_ESCAPE,
		TKEY_ERASE,
		TKEY_CLICK,
		TKEY_DOUBLE_CLICK,
		TKEY_WHEEL_DOWN,
		TKEY_RESIZED,
		TKEY_CTRL('F'),
		TKEY_CTRL('R'),
		TKEY_TABULATOR,
		'u',
		'E',
		'+',
		'e',
		'C',
		'c',
		'd',
		'o',
		'L',
	};
	struct made_table t = make_hostile(),
			  plain = made_table(plain_rows, ARRAY_SIZE(plain_rows));
	u64 x = 88172645463325252ull;
	int keys[300];

	/* a menu may be told to write a file: there it cannot */
	CHECK(!chdir("/proc/self"));
	for (int round = 0; round < 60; round++) {
		struct screen *s;

		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			keys[i] = x % 3 ? special[x / 3 % ARRAY_SIZE(special)]
					: (int)(' ' + x / 3 % 95);
			/* what would write files, or leave */
			if (keys[i] == 'P' || keys[i] == 'w' || keys[i] == 'q')
				keys[i] = 'n';
		}
		s = play(round & 1 ? &t : &plain, 1 + (int)(x % 30), 1 + (int)(x / 64 % 100), keys,
			 ARRAY_SIZE(keys), 1 + (size_t)round % 3);
		CHECK_EQ(screen_mem_nr_controls(s), 0);
		s->ops->close(s);
	}
}

TEST(names_of_keys)
{
	struct perr e;
	int *keys;
	size_t nr;

	CHECK(!key_names_parse("Down  ab ^F F1 Space", &keys, &nr, &e));
	CHECK_EQ(nr, 6);
	CHECK_EQ(keys[0], TKEY_ARROW_DOWN);
	CHECK_EQ(keys[2], 'b');
	CHECK_EQ(keys[3], 6);
	CHECK_EQ(keys[5], ' ');
	free(keys);
	CHECK_EQ(key_names_parse("a ^", &keys, &nr, &e), PERR_USAGE);
	/* control and what is no letter would be key 0 */
	CHECK_EQ(key_names_parse("^@", &keys, &nr, &e), PERR_USAGE);
}
