/* SPDX-License-Identifier: MIT */
/* What verdicts say, as text and as JSON; t_verdict.c tests how they are made. */
#include "profile/verdict/verdict_text.h"

#include "base/advice/advice.h"
#include "base/diag.h"
#include "base/mem.h"
#include "base/out.h"
#include "profile/verdict/verdict.h"
#include "profile/verdict/verdict_advice.h"
#include "tests/frame/unit.h"

static struct verdict_event an_event(char *name)
{
	return (struct verdict_event){
		.name = name,
		.chain = VERDICT_CHAIN_FRAME_POINTERS,
		.totals = { .samples = 1000, .period = 100000 },
		.all = { 1000, 100000 },
		.ends[VERDICT_END_USER] = { 1000, 100000 },
	};
}

static char *advice_of(const struct verdict *v, const struct verdict_module *m)
{
	struct verdict_advisor a;
	struct verdict_remedy r;
	char *text;

	verdict_advisor_init(&a, v);
	verdict_remedy_of_module(&a, m, &r);
	text = verdict_remedy_text(&r);
	verdict_remedy_fini(&r);
	verdict_advisor_fini(&a);
	return text;
}

static char *text_of(const struct verdict *v, bool with_input)
{
	struct out o;

	out_init_mem(&o);
	o.escape = true; /* as verdict_tell() has it */
	verdict_print_text(&o, "prog", v, with_input);
	out_char(&o, 0);
	return o.buf;
}

static size_t nr_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

TEST(one_line_where_all_is_well)
{
	struct verdict_event ev = an_event((char *)"cycles");
	struct verdict v = { .input = (char *)"a\033[1m.data",
			     .stats.nr_samples = 1000,
			     .max_stack = 127,
			     .has_places = true,
			     .events = &ev,
			     .nr_events = 1 };
	char *text = text_of(&v, false);

	CHECK_STR(text, "prog: quality: 1000 samples, none lost; unresolved: 0.0 % of leaf frames; "
			"0.0 % of stacks contain at least one (by period)\n");
	free(text);
	/* what does not matter is in the same line, and not rounded away */
	ev.leaf_unnamed = ev.any_unnamed = (struct verdict_weight){ 1, 20 };
	ev.totals.filtered = 50;
	v.stats.nr_samples = 1050;
	text = text_of(&v, true);
	CHECK_STR(text,
		  "prog: quality: a\\x1b[1m.data: 1050 samples, 1000 counted, none lost, 50 "
		  "filtered out; unresolved: <0.1 % of leaf frames; <0.1 % of stacks contain at "
		  "least one (by period)\n");
	free(text);
}

TEST(what_matters_has_a_line)
{
	struct verdict_event ev = an_event((char *)"cycles");
	struct verdict v = { .input = (char *)"",
			     .stats.nr_samples = 1000,
			     .lost = 1000,
			     .max_stack = 127,
			     .has_places = true,
			     .events = &ev,
			     .nr_events = 1 };
	char *text;

	v.stats.nr_throttled = 3;
	v.stats.nr_broken_samples = 2;
	ev.ends[VERDICT_END_USER].period = 70000;
	ev.ends[VERDICT_END_TOO_DEEP].period = 30000;
	ev.lone_user.period = 25000;
	text = text_of(&v, false);
	CHECK(strstr(text,
		     ": 1000 samples lost, 50.0 % of all: the kernel's rings were full; record "));
	CHECK(strstr(text, "sampling was throttled 3 times: "));
	CHECK(strstr(text, "skipped: 2 damaged samples"));
	CHECK(strstr(text,
		     "stacks: 70.0 % with user frames, 30.0 % cut at the depth limit; frame"));
	CHECK(strstr(text, "25.0 % of stacks have one user frame only"));
	CHECK(strstr(text, "30.0 % of stacks are cut at 127 frames: deeper than the limit; sudo "));
	CHECK_EQ(nr_lines(text), 7);
	free(text);
	v.cut_by_option = true;
	text = text_of(&v, false);
	CHECK(!strstr(text, "are cut at"));
	free(text);
	ev.chain = VERDICT_CHAIN_COPIES;
	text = text_of(&v, false);
	CHECK(!strstr(text, "one user frame"));
	CHECK(!strstr(text, "frame-pointer"));
	free(text);
	ev.ends[VERDICT_END_TRUNCATED] = ev.ends[VERDICT_END_TOO_DEEP];
	ev.ends[VERDICT_END_TOO_DEEP] = (struct verdict_weight){ 0 };
	v.copy_size = 8192;
	v.unwound = (struct count_unwound){ .stacks = 10, .joined = 3 };
	text = text_of(&v, false);
	CHECK(strstr(text,
		     "stacks: 30.0 % truncated, 70.0 % with user frames; 3 of 10 stacks were "));
	CHECK(strstr(text,
		     "30.0 % of stacks are truncated: copies of 8192 bytes were too short; "));
	CHECK(strstr(text, "extended with callers from neighbouring samples"));
	CHECK(!strstr(text, "JIT code"));
	free(text);
	v.has_unwound = true;
	text = text_of(&v, false);
	CHECK(strstr(text, "extended with callers from the memory of their processes or other "));
	CHECK(strstr(
		text,
		"truncated: copies of 8192 bytes were too short, and the memory beyond could "));
	free(text);
	ev.jit_ends.period = 40000;
	text = text_of(&v, false);
	CHECK(strstr(text,
		     ": 40.0 % of stacks end in JIT code: it has no unwind information; let "));
	free(text);
}

TEST(streams_say_what_they_leave_out)
{
	struct verdict v = {
		.input = (char *)"-", .stats.nr_samples = 10, .losses_only = true, .is_stream = true
	};
	char *text = text_of(&v, false);

	CHECK(strstr(text, "\nprog: quality: stacks and names were not checked: a stream can be "));
	free(text);
	v.is_not_joined = true;
	text = text_of(&v, false);
	CHECK(strstr(text, "not checked, and truncated stacks not extended: a stream "));
	free(text);
	v.losses_only = false; /* counted: nothing is left out */
	text = text_of(&v, false);
	CHECK_EQ(nr_lines(text), 1);
	free(text);
}

TEST(never_long)
{
	struct verdict_event ev = an_event((char *)"cycles");
	struct verdict_module m[40];
	struct verdict v = {
		.input = (char *)"",
		.stats = { .nr_samples = 1000, .nr_throttled = 1, .nr_broken_samples = 1 },
		.lost = 5,
		.max_stack = 127,
		.has_places = true,
		.events = &ev,
		.nr_events = 1,
		.modules = m,
		.nr_modules = ARRAY_SIZE(m)
	};
	char *text;

	ev.ends[VERDICT_END_TOO_DEEP].period = 100000;
	ev.lone_user.period = 100000;
	for (size_t i = 0; i < ARRAY_SIZE(m); i++)
		m[i] = (struct verdict_module){ .name = (char *)"/lib/\nx",
						.frames = 1,
						.reason = VERDICT_STRIPPED,
						.any = { 500, i < 30 ? 50000 : 10 } };
	text = text_of(&v, false);
	CHECK_EQ(nr_lines(text), 15);
	CHECK(strstr(text,
		     ") unresolved in \\nx: stripped; install the debug symbols of its package"));
	CHECK(strstr(text, ": stripped; as above\n"));
	CHECK(strstr(text, "prog: quality: 23 more objects have unresolved frames;"));
	free(text);
	v.lost = v.stats.nr_throttled = v.stats.nr_broken_samples = 0;
	ev.lone_user.period = ev.ends[VERDICT_END_TOO_DEEP].period = 0;
	text = text_of(&v, false);
	CHECK_EQ(nr_lines(text), 12);
	CHECK(strstr(text, "20 more objects"));
	free(text);
}

TEST(every_reason_has_its_words)
{
	struct verdict_event ev = an_event((char *)"cycles");
	struct verdict v = { .events = &ev, .nr_events = 1 };
	struct verdict_module m = { .name = (char *)"/home/it's/a b", .any = { 9, 9 } };
	char *advice;

	for (int r = 0; r < VERDICT_REASONS; r++) {
		m.reason = (enum verdict_reason)r;
		CHECK(*verdict_reason_text(m.reason));
		for (int k = 0; k < r; k++)
			CHECK(strcmp(verdict_reason_text((enum verdict_reason)k),
				     verdict_reason_text(m.reason)));
		for (int kernel = 0; kernel < 2; kernel++) {
			m.kernel = kernel;
			advice = advice_of(&v, &m);
			CHECK(advice && *advice);
			free(advice);
		}
	}
	m.kernel = false;
	/* for a shell, whatever the file is called */
	m.reason = VERDICT_BROKEN;
	advice = advice_of(&v, &m);
	CHECK_STR(advice, "to see its type: file '/home/it'\\''s/a b'");
	free(advice);
	/* no cause is claimed for a gap between symbols */
	m.reason = VERDICT_NO_SYMBOL;
	advice = advice_of(&v, &m);
	CHECK(strstr(advice, "--why 'a b' lists the files "));
	free(advice);
	m.name = (char *)"/usr/lib/libz.so.1";
	advice = advice_of(&v, &m);
	CHECK(strstr(advice, "--why libz.so.1 lists the files "));
	free(advice);
	/* above the leaf it is the chain, at the leaf it is the map */
	m.reason = VERDICT_NO_MAP;
	advice = advice_of(&v, &m);
	CHECK(strstr(advice, "--call-graph unwind"));
	free(advice);
	m.leaf = m.any;
	advice = advice_of(&v, &m);
	CHECK(!strstr(advice, "--call-graph unwind"));
	free(advice);
	/* memory without a name is no file that was replaced */
	m.reason = VERDICT_FILE_MISSING;
	m.name = (char *)"/memfd:doublemapper (deleted)";
	advice = advice_of(&v, &m);
	CHECK(strstr(advice, "jitdump"));
	free(advice);
	m.name = (char *)"/usr/bin/x (deleted)";
	advice = advice_of(&v, &m);
	CHECK(strstr(advice, "replaced"));
	free(advice);
}

TEST(json)
{
	struct verdict_event ev = an_event((char *)"cy\"cles\\\n");
	struct verdict_module m = { .name = (char *)"/tmp/perf-9.map",
				    .reason = VERDICT_JIT_MAP_MISSING,
				    .build_id = { 0xab, 1 },
				    .build_id_size = 2,
				    .frames = 3,
				    .leaf = { 1, 20 },
				    .any = { 2, 30 } };
	struct verdict v = { .input = (char *)"\xc3\xa4\xff\xed\xa0\x80",
			     .has_places = true,
			     .stats.nr_samples = 5,
			     .events = &ev,
			     .nr_events = 1,
			     .modules = &m,
			     .nr_modules = 1 };
	const struct verdict *all[2] = { &v, &v };
	struct diag d;
	struct out o;

	ev.leaf_unnamed = (struct verdict_weight){ 1, 20 };
	diag_init(&d);
	diag_warn(&d, "odd");
	diag_warn(&d, "odd");
	out_init_mem(&o);
	verdict_print_json(&o, "prog", all, 2, &d);
	out_char(&o, 0);
	CHECK(strstr(o.buf, "{\"version\":2,\"command\":\"prog\",\"recordings\":[{\"input\":\""
			    "\xc3\xa4\\ufffd\\ufffd\\ufffd\\ufffd\","));
	CHECK(strstr(o.buf, "\"name\":\"cy\\\"cles\\\\\\u000a\""));
	CHECK(strstr(o.buf, "\"leaf_frames\":{\"resolved\":{\"samples\":999,\"period\":99980},"
			    "\"unresolved\":{\"samples\":1,\"period\":20}}"));
	CHECK(strstr(o.buf,
		     "{\"name\":\"/tmp/perf-9.map\",\"build_id\":\"ab01\",\"kernel\":false,"
		     "\"reason\":\"jit_map_missing\",\"advice\":\"let the runtime that made it "));
	CHECK(strstr(o.buf,
		     "\"advice_name\":\"any-map\",\"advice_is\":\"words\",\"command\":\"\","));
	CHECK(strstr(o.buf, "\"leaf\":{\"samples\":1,\"period\":20},"
			    "\"in_stacks\":{\"samples\":2,\"period\":30}}],"
			    "\"debuginfod_problem\":\"\"},{\"input\""));
	CHECK_STR(strstr(o.buf, "],\"warnings\""),
		  "],\"warnings\":[{\"text\":\"odd\",\"count\":2}]}");
	out_fini(&o);
	/* nothing was read */
	out_init_mem(&o);
	verdict_print_json(&o, "prog", NULL, 0, NULL);
	out_char(&o, 0);
	CHECK_STR(o.buf, "{\"version\":2,\"command\":\"prog\",\"recordings\":[],\"warnings\":[]}");
	out_fini(&o);
	diag_fini(&d);
}

TEST(forms)
{
	CHECK_EQ(verdict_form_parse("text"), VERDICT_TEXT);
	CHECK_EQ(verdict_form_parse("json"), VERDICT_JSON);
	CHECK_EQ(verdict_form_parse("none"), VERDICT_NONE);
	CHECK_EQ(verdict_form_parse("xml"), -1);
}
