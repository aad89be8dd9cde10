/* SPDX-License-Identifier: MIT */
/* Annotated code on a screen in memory: keys in, text of the screen out. */
#include "report/code/code_view.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "base/mem.h"
#include "machine/mapset.h"
#include "report/annotate/code_lines.h"
#include "report/tui/key_names.h"
#include "report/tui/screen_mem.h"
#include "report/tui/tui.h"
#include "symbols/symbols.h"
#include "tests/frame/unit.h"

#define HOSTILE "ev\033[2Jil\n\302\233\342\200\256name/../x"

/* A program of testdata with samples of our own in three functions. */
struct coded {
	struct symbols_config cfg;
	struct symbols *symbols;
	struct map map;
	struct annot_hit hits[4];
	struct annot_sum sums[3], totals[1], none[1];
	struct annot_func funcs[3];
	struct annot_samples samples;
	struct pd_event event;
	u32 events[1];
	char name[16];
	struct code_input in;
};

static struct annot_func find(struct coded *c, u64 addr)
{
	const struct annot_samples empty = { .nr_events = 1 };
	struct annot_func f = { 0 };

	CHECK(annot_func_at(&empty, &c->map, c->map.start + addr - c->map.pgoff, c->none, &f));
	return f;
}

static void give_samples(struct coded *c, size_t i, u64 addr, size_t hit, size_t nr)
{
	c->funcs[i] = find(c, addr);
	c->funcs[i].hits = &c->hits[hit];
	c->funcs[i].nr_hits = nr;
	c->funcs[i].sums = &c->sums[i];
	for (size_t n = hit; n < hit + nr; n++) {
		c->sums[i].samples += c->hits[n].samples;
		c->sums[i].period += c->hits[n].period;
	}
	c->funcs[i].ip = c->map.start + c->hits[hit].addr - c->map.pgoff;
}

/* Addresses of w_cpp: depth(int), hidden(int), main. False: this build has no disassembler. */
static bool coded_init(struct coded *c)
{
	const struct dso_desc desc = { .kind = DSO_USER, .name = "testdata/symfs/tmp/w/w_cpp" };

	*c = (struct coded){ .cfg = { .buildid_dir = "" }, .name = "cycles" };
	if (!disasm_is_available())
		return false;
	c->symbols = symbols_new(&c->cfg);
	c->map = (struct map){ .start = 0x401000,
			       .end = 0x404000,
			       .pgoff = 0x1000,
			       .dso = symbols_add_dso(c->symbols, &desc),
			       .dso_name = "/tmp/\033[31mw_cpp" };
	c->hits[0] = (struct annot_hit){ 0x1275, 0, 3, 300 };
	c->hits[1] = (struct annot_hit){ 0x127a, 0, 3, 300 };
	c->hits[2] = (struct annot_hit){ 0x1240, 0, 2, 200 };
	c->hits[3] = (struct annot_hit){ 0x1aee, 0, 1, 100 };
	give_samples(c, 0, 0x1275, 0, 2);
	give_samples(c, 1, 0x1240, 2, 1);
	give_samples(c, 2, 0x1aee, 3, 1);
	c->totals[0] = (struct annot_sum){ 10, 1000 };
	c->samples = (struct annot_samples){
		.funcs = c->funcs, .nr = 3, .nr_events = 1, .totals = c->totals
	};
	c->in = (struct code_input){ .page = { .samples = &c->samples,
					       .events = c->events,
					       .nr_events = 1,
					       .leader = &c->event,
					       .event_name = c->name,
					       .lines = line_source_new() },
				     .code = { .arch = "x86_64", .symbols = &c->cfg },
				     .look = { .offsets = 1 },
				     .nr_listed = 3 };
	return true;
}

static void coded_fini(struct coded *c)
{
	line_source_free(c->in.page.lines);
	symbols_free(c->symbols);
}

static struct screen *play(struct coded *c, size_t func, int rows, int cols, const int *keys,
			   size_t nr)
{
	struct screen *s = screen_mem_new(rows, cols, true, keys, nr);
	struct tui_view *v;
	struct perr e;
	struct tui t;

	v = code_view_new(&c->in, &c->funcs[func], &e);
	CHECK(v != NULL);
	tui_run(&t, s, v);
	CHECK_EQ(screen_mem_nr_controls(s), 0);
	return s;
}

static char *screen_after(struct coded *c, size_t func, const char *names)
{
	struct perr e;
	struct screen *s;
	struct out o;
	size_t nr;
	int *keys;

	CHECK(!key_names_parse(names, &keys, &nr, &e));
	c->in.look = (struct code_look){ .offsets = 1 };
	s = play(c, func, 16, 70, keys, nr);
	out_init_mem(&o);
	screen_mem_dump(s, &o);
	out_char(&o, '\0');
	s->ops->close(s);
	free(keys);
	return o.buf;
}

/* The screen has the text `want` after these keys. */
static void check_shows(struct coded *c, size_t func, const char *names, const char *want)
{
	char *text = screen_after(c, func, names);

	if (!strstr(text, want))
		unit_fail(__FILE__, __LINE__, "after %s: no %s in\n%s", names, want, text);
	free(text);
}

/* Of equal shares the later is first; instructions without samples have no rank. */
TEST(hottest_lines)
{
	struct coded c;
	struct annot_code code;
	struct code_lines l;
	struct annot_view v;
	struct perr e;

	if (!coded_init(&c))
		SKIP("no disassembler");
	CHECK(!annot_code_read(&code, &c.funcs[0], &c.in.code, &e));
	v = c.in.page;
	v.func = &c.funcs[0];
	v.code = &code;
	v.style = &c.in.look.style;
	code_lines_init(&l, &v, true);
	CHECK_EQ(l.nr_source, 0); /* it has no debug information */
	CHECK_EQ(l.nr, code.nr);
	CHECK_EQ(l.nr_hot, 2);
	CHECK(l.hot[0] > l.hot[1]);
	CHECK_EQ(code.insns[l.hot[1]].vaddr, 0x1275);
	code_lines_fini(&l);
	annot_code_fini(&code);
	coded_fini(&c);
}

TEST(functions_by_address)
{
	struct coded c;
	struct annot_func f;

	if (!coded_init(&c))
		SKIP("no disassembler");
	CHECK(annot_func_in(&c.samples, c.map.dso_name, 0x1280, &f));
	CHECK_STR(f.name, "depth(int)");
	CHECK_EQ(f.sums[0].samples, 6);
	CHECK(!annot_func_in(&c.samples, "/tmp/other", 0x1280, &f));
	CHECK(!annot_func_in(&c.samples, c.map.dso_name, 0x19d0, &f));
	/* a function without samples, by an address within it */
	CHECK(annot_func_at(&c.samples, &c.map, 0x4019d4, c.none, &f));
	CHECK_STR(f.name, "plain_c");
	CHECK_EQ(f.ip, 0x4019d0);
	CHECK_EQ(f.nr_hits, 0);
	CHECK_EQ(f.sums[0].samples, 0);
	CHECK(!annot_func_at(&c.samples, &c.map, 0x401000 + 0x100000, c.none, &f));
	coded_fini(&c);
}

TEST(calls_lead_to_functions_and_back)
{
	struct coded c;
	char *called, *back;

	if (!coded_init(&c))
		SKIP("no disassembler");
	check_shows(&c, 0, "", "depth(int)  ");
	/* depth calls itself: another view, at its hottest instruction */
	check_shows(&c, 0, "/ call Enter Enter", "[line 4]");
	called = screen_after(&c, 0, "/ call Enter");
	back = screen_after(&c, 0, "/ call Enter Enter Left");
	CHECK(strstr(called, "[line ") && !strstr(called, "[line 4]"));
	CHECK_STR(strstr(back, "[line "), strstr(called, "[line "));
	free(called);
	free(back);
	check_shows(&c, 2, "/ plain_c Enter Enter", "plain_c  ");
	check_shows(&c, 2, "/ plain_c Enter Enter H", "has no samples of its own");
	check_shows(&c, 2, "/ plain_c Enter Enter >", "is not among the functions with samples");
	check_shows(&c, 2, "/ plain_c Enter Enter End Enter", "main  ");
	check_shows(&c, 2, "/ strtoul Enter Enter", "strtoul@plt is in another object");
	check_shows(&c, 0, "Home Enter", "only calls, jumps and returns");
	check_shows(&c, 0, "End Enter", "no call was followed");
	coded_fini(&c);
}

TEST(jumps_are_followed_and_undone)
{
	struct coded c;
	char *from, *back;

	if (!coded_init(&c))
		SKIP("no disassembler");
	from = screen_after(&c, 0, "Home / jne Enter");
	back = screen_after(&c, 0, "Home / jne Enter Enter Down u");
	CHECK(strstr(from, "[line ") != NULL);
	CHECK_STR(strstr(back, "[line "), strstr(from, "[line "));
	free(from);
	free(back);
	check_shows(&c, 0, "u", "no jump was followed");
	coded_fini(&c);
}

/* A message wider than the screen goes on in the line below. */
TEST(long_messages)
{
	struct coded c;

	if (!coded_init(&c))
		SKIP("no disassembler");
	check_shows(&c, 0, "s",
		    "no source: the object has no debug information, which compilers add\n"
		    "    with -g\n");
	coded_fini(&c);
}

TEST(functions_by_cost)
{
	struct coded c;

	if (!coded_init(&c))
		SKIP("no disassembler");
	check_shows(&c, 0, "<", "this is the costliest");
	check_shows(&c, 0, ">", "hidden(int)");
	check_shows(&c, 0, "> > >", "this is the last function");
	check_shows(&c, 0, "m", " 60.00%  depth(int)  /tmp/\\x1b[31mw_cpp");
	check_shows(&c, 0, "m Down Down Enter", "main  ");
	check_shows(&c, 0, "p", "[Percent: global period]");
	check_shows(&c, 0, "p", "  30.00 ");
	check_shows(&c, 0, "p b", "[Percent: global hits]");
	check_shows(&c, 0, "t", "        300 ");
	check_shows(&c, 0, "t t", "      3 ");
	coded_fini(&c);
}

TEST(names_reach_the_screen_escaped)
{
	struct coded c;

	if (!coded_init(&c))
		SKIP("no disassembler");
	c.funcs[0].name = HOSTILE;
	c.map.dso_name = "/tmp/\033]0;x\007";
	snprintf(c.name, sizeof(c.name), "%s", "e\033[2J");
	check_shows(&c, 0, "", "ev\\x1b[2Jil");
	check_shows(&c, 0, "m", "ev\\x1b[2Jil\\n");
	check_shows(&c, 0, "y", "copied: ev\\x1b[2J");
	coded_fini(&c);
}

/* Removes the files of this folder and returns how many there were. */
static size_t remove_files(void)
{
	DIR *d = opendir(".");
	size_t nr = 0;

	for (struct dirent *entry = readdir(d); entry; entry = readdir(d))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..")) {
			CHECK(*entry->d_name != '.');
			CHECK(!unlink(entry->d_name));
			nr++;
		}
	closedir(d);
	return nr;
}

/* A function's name makes no path and no hidden file, and no file is written over. */
TEST(files_stay_in_the_folder)
{
	char dir[] = "/tmp/t_code_view.XXXXXX";
	struct coded c;

	if (!coded_init(&c))
		SKIP("no disassembler");
	check_shows(&c, 0, "", "depth"); /* the object is opened before the folder changes */
	CHECK(mkdtemp(dir) != NULL);
	CHECK(!chdir(dir));
	c.funcs[0].name = "../" HOSTILE;
	check_shows(&c, 0, "P", " lines were written to _._ev");
	check_shows(&c, 0, "P", ".annotation.1");
	CHECK_EQ(remove_files(), 2);
	CHECK(!chdir("/"));
	CHECK(!rmdir(dir));
	coded_fini(&c);
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
		TKEY_RETURN,
		TKEY_ESCAPE,
		TKEY_ERASE,
		TKEY_CLICK,
		TKEY_DOUBLE_CLICK,
		TKEY_WHEEL_DOWN,
		TKEY_RESIZED,
		TKEY_TABULATOR,
		TKEY_BACK_TAB,
		'u',
		's',
		'o',
		'f',
		'J',
		'>',
		'<',
		'm',
		'p',
		't',
		'n',
		'/',
	};
	struct coded c;
	u64 x = 88172645463325252ull;
	int keys[300];

	if (!coded_init(&c))
		SKIP("no disassembler");
	c.funcs[1].name = HOSTILE;
	check_shows(&c, 2, "", "main");
	CHECK(!chdir("/proc/self")); /* where no file can be written */
	for (int round = 0; round < 60; round++) {
		struct screen *s;

		for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			keys[i] = x % 3 ? special[x / 3 % ARRAY_SIZE(special)]
					: (int)(' ' + x / 3 % 95);
			if (keys[i] == 'q')
				keys[i] = 'n';
		}
		s = play(&c, (size_t)round % 3, 1 + (int)(x % 30), 1 + (int)(x / 64 % 100), keys,
			 ARRAY_SIZE(keys));
		s->ops->close(s);
	}
	coded_fini(&c);
}
