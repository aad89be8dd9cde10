/* SPDX-License-Identifier: MIT */
/* The verdict that nobody asked for: what stands in how many rows, and what raises an alarm. */
#include "profile/verdict/verdict_brief.h"

#include "base/mem.h"
#include "tests/frame/unit.h"

#define WELL "prog: quality: 4903 samples, none lost, all stacks complete, all names found\n"

static struct verdict_event an_event(void)
{
	return (struct verdict_event){
		.name = (char *)"cycles",
		.chain = VERDICT_CHAIN_COPIES,
		.totals = { .samples = 4903, .period = 100000 },
		.all = { 4903, 100000 },
		.ends[VERDICT_END_COMPLETE] = { 4903, 100000 },
	};
}

static struct verdict a_verdict(struct verdict_event *ev)
{
	return (struct verdict){
		.input = (char *)"some.data",
		.stats.nr_samples = ev->all.samples,
		.max_stack = 127,
		.has_places = true,
		.events = ev,
		.nr_events = 1,
	};
}

static char *brief(const struct verdict *v, unsigned int columns, unsigned int rows)
{
	struct out o;

	out_init_mem(&o);
	o.escape = true; /* as for messages */
	verdict_print_brief(&o, "prog", v, false, columns, rows);
	out_char(&o, 0);
	return o.buf;
}

static void check_brief(const struct verdict *v, unsigned int columns, const char *want)
{
	char *text = brief(v, columns, VERDICT_BRIEF_ROWS);

	CHECK_STR(text, want);
	free(text);
}

static void check_alarm(const struct verdict *v, const char *want)
{
	struct out o;

	out_init_mem(&o);
	verdict_print_alarm(&o, "prog", v, false);
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	(void)out_fini(&o);
}

TEST(one_line_where_all_is_well)
{
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);

	check_brief(&v, 80, WELL);
	check_alarm(&v, "");
	/* whether chains of frame pointers are complete is not known */
	ev.chain = VERDICT_CHAIN_FRAME_POINTERS;
	check_brief(&v, 80, "prog: quality: 4903 samples, none lost, all names found\n");
	/* no stacks were wanted: nothing is said of stacks */
	ev.chain = VERDICT_CHAIN_COPIES;
	ev.ends[VERDICT_END_COMPLETE] = (struct verdict_weight){ 0 };
	ev.ends[VERDICT_END_NO_CHAIN] = ev.all;
	v.leaves_only = true;
	check_brief(&v, 80, "prog: quality: 4903 samples, none lost, all names found\n");
	check_alarm(&v, "");
	/* nor of names, if no addresses were counted */
	v.has_places = false;
	check_brief(&v, 80, "prog: quality: 4903 samples, none lost\n");
}

TEST(shares_up_to_five_percent_raise_no_alarm)
{
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);

	ev.any_unnamed.period = 90000;
	ev.leaf_unnamed.period = 4999;
	ev.ends[VERDICT_END_TRUNCATED].period = 2000;
	ev.ends[VERDICT_END_BROKEN].period = 2999;
	check_alarm(&v, "");
	ev.leaf_unnamed.period = 5000;
	ev.ends[VERDICT_END_NO_INFO].period = 1;
	check_alarm(&v, "prog: quality: 5.0 % of stacks incomplete; 5.0 % of leaf frames without "
			"a name; --quality=text lists causes and what helps\n");
	v.leaves_only = true;
	check_alarm(&v, "prog: quality: 5.0 % of leaf frames without a name; --quality=text lists "
			"causes and what helps\n");
}

TEST(what_the_user_asked_for_raises_no_alarm)
{
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);

	ev.chain = VERDICT_CHAIN_FRAME_POINTERS;
	ev.ends[VERDICT_END_TOO_DEEP].period = 50000;
	ev.ends[VERDICT_END_EMPTY].period = 50000;
	check_alarm(&v, "prog: quality: 100.0 % of stacks incomplete; --quality=text lists causes "
			"and what helps\n");
	v.cut_by_option = true; /* --max-stack */
	ev.half_chains = true;  /* recorded with --user-callchains */
	check_alarm(&v, "");
}

TEST(losses_always_raise_an_alarm)
{
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);

	v.lost = 97;
	check_alarm(&v, "prog: quality: 97 of 5000 samples lost (1.9 %); --quality=text lists "
			"causes and what helps\n");
	v.lost = 0;
	v.stats.nr_broken_samples = 2;
	v.nr_unknown_type = 3;
	check_alarm(&v, "prog: quality: 2 samples skipped as damaged or of unknown events; 3 "
			"records of unknown types skipped; --quality=text lists causes and what "
			"helps\n");
}

static void check_rows(const char *text, size_t columns, size_t rows)
{
	size_t nr = 0;

	for (; *text; nr++) {
		size_t n = strcspn(text, "\n"), width = 0;

		for (size_t i = 0; i < n; i++)
			width += ((unsigned char)text[i] & 0xc0) != 0x80;
		CHECK(width < columns);
		CHECK(text[n] == '\n');
		text += n + 1;
	}
	CHECK(nr >= 1 && nr <= rows);
}

TEST(problems_fit_into_the_rows)
{
	struct verdict_module m[3];
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);
	char *text;

	for (size_t i = 0; i < ARRAY_SIZE(m); i++)
		m[i] = (struct verdict_module){ .name = (char *)"/opt/\xc3\xa4pp/a-program",
						.reason = VERDICT_FILE_MISSING,
						.leaf = { 1000, 20000 },
						.any = { 1000, 20000 } };
	ev.leaf_unnamed = ev.any_unnamed = (struct verdict_weight){ 3000, 60000 };
	v.modules = m;
	v.nr_modules = ARRAY_SIZE(m);
	v.lost = 97;
	for (unsigned int columns = 20; columns < 300; columns++) {
		for (unsigned int rows = 1; rows < 8; rows++) {
			text = brief(&v, columns, rows);
			check_rows(text, columns, rows);
			free(text);
		}
	}
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "prog: quality: 4903 samples, 97 lost (1.9 %), all stacks complete, "
			   "60.0 % of leaf names missing\n  97 samples lost"));
	CHECK(strstr(text, "\n  20.0 % of stacks"));
	CHECK(!strstr(text, "\nprog"));
	CHECK(!strstr(text, "more problem"));
	free(text);
	text = brief(&v, 80, 5);
	CHECK(strstr(text, "\n  3 more problems; --quality=text lists all\n"));
	free(text);
	/* names end no lines */
	m[0].name = m[1].name = m[2].name = (char *)"/opt/a\nb\nc";
	v.lost = 0;
	text = brief(&v, 300, 5);
	CHECK(strstr(text, " unresolved in a\\nb\\nc: ") || strstr(text, "a\\x0ab\\x0ac"));
	check_rows(text, 300, 4);
	free(text);
	/* words without blanks: a name of a thousand letters */
	m[0].name = xmalloc(1001);
	memset(m[0].name, 'x', 1000);
	m[0].name[1000] = '\0';
	text = brief(&v, 80, 5);
	check_rows(text, 80, 5);
	CHECK(strstr(text, " ...\n"));
	free(text);
	free(m[0].name);
}

TEST(what_hides_most_comes_first)
{
	struct verdict_module m = { .name = (char *)"/opt/app",
				    .reason = VERDICT_FILE_MISSING,
				    .leaf = { 3000, 60000 },
				    .any = { 3000, 60000 } };
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);
	char *text;

	ev.chain = VERDICT_CHAIN_FRAME_POINTERS;
	ev.ends[VERDICT_END_COMPLETE] = (struct verdict_weight){ 0 };
	ev.ends[VERDICT_END_USER] = ev.all;
	ev.lone_user = (struct verdict_weight){ 2000, 40000 };
	v.modules = &m;
	v.nr_modules = 1;
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "unresolved in app") && strstr(text, "one user frame only"));
	CHECK(strstr(text, "unresolved in app") < strstr(text, "one user frame only"));
	free(text);
	m.leaf.period = 30000;
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "one user frame only") && strstr(text, "unresolved in app"));
	CHECK(strstr(text, "one user frame only") < strstr(text, "unresolved in app"));
	free(text);
}

TEST(the_heaviest_cause_of_short_stacks_comes_first)
{
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);
	char *text;

	v.copy_size = 8192;
	ev.ends[VERDICT_END_COMPLETE] = (struct verdict_weight){ 0 };
	ev.ends[VERDICT_END_TRUNCATED] = (struct verdict_weight){ 100, 3000 };
	ev.ends[VERDICT_END_NO_INFO] = ev.jit_ends = (struct verdict_weight){ 4803, 97000 };
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "end in JIT code") && strstr(text, "are truncated"));
	CHECK(strstr(text, "end in JIT code") < strstr(text, "are truncated"));
	free(text);
	ev.ends[VERDICT_END_TRUNCATED].period = 98000;
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "are truncated") < strstr(text, "end in JIT code"));
	free(text);
}

TEST(any_of_the_modules_may_hide_most)
{
	struct verdict_module m[] = { { .name = (char *)"/opt/caller",
					.reason = VERDICT_FILE_MISSING,
					.leaf = { 10, 200 },
					.any = { 4000, 90000 } },
				      { .name = (char *)"/opt/leaf",
					.reason = VERDICT_FILE_MISSING,
					.leaf = { 2000, 50000 },
					.any = { 2000, 50000 } } };
	struct verdict_event ev = an_event();
	struct verdict v = a_verdict(&ev);
	char *text;

	v.copy_size = 8192;
	ev.ends[VERDICT_END_TRUNCATED] = (struct verdict_weight){ 1000, 30000 };
	v.modules = m;
	v.nr_modules = ARRAY_SIZE(m);
	text = brief(&v, 300, 5);
	CHECK(strstr(text, "unresolved in caller") && strstr(text, "are truncated"));
	CHECK(strstr(text, "unresolved in caller") < strstr(text, "are truncated"));
	free(text);
}
