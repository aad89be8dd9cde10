/* SPDX-License-Identifier: MIT */
/* Fields of tracepoints: their declarations, and values in payloads of both byte orders. */
#include "fileformat/trace_field.h"

#include <stdio.h>

#include "tests/frame/build_bytes.h"
#include "tests/frame/unit.h"

#define HEAD                        \
	"name: n\nID: 7\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
#define TAIL "\nprint fmt: \"%s\", \"\tfield:int no;\toffset:1;\tsize:4;\"\n"

static struct span text_of(const char *s)
{
	return span_of(s, strlen(s));
}

static bool span_eq(struct span s, const char *want)
{
	return s.n == strlen(want) && !memcmp(s.p, want, s.n);
}

static const char all_kinds[] =
	HEAD "\tfield:pid_t pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	     "\tfield:unsigned long args[3];\toffset:16;\tsize:24;\tsigned:0;\n"
	     "\tfield:char comm[16];\toffset:40;\tsize:16;\tsigned:0;\n"
	     "\tfield:__data_loc char[] name;\toffset:56;\tsize:4;\tsigned:0;\n"
	     "\tfield:__rel_loc u32[] list;\toffset:60;\tsize:4;\tsigned:0;\n"
	     "\tfield:const char * p;\toffset:64;\tsize:8;\tsigned:0;\n"
	     "\tfield:struct cpumask m;\toffset:72;\tsize:24;\tsigned:0;\n"
	     "\tfield:char text[TASK_COMM_LEN];\toffset:96;\tsize:16;\n"
	     "\tfield:s8 small;\toffset:112;\tsize:1;\tsigned:1;\n" TAIL;

TEST(declarations)
{
	static const struct {
		const char *name;
		enum pd_field_kind kind;
		u32 offset, elem_size;
	} want[] = {
		{ "pid", PD_FIELD_INT, 8, 0 },     { "args", PD_FIELD_ARRAY, 16, 8 },
		{ "comm", PD_FIELD_TEXT, 40, 0 },  { "name", PD_FIELD_TEXT, 56, 0 },
		{ "list", PD_FIELD_ARRAY, 60, 4 }, { "p", PD_FIELD_INT, 64, 0 },
		{ "m", PD_FIELD_BYTES, 72, 0 },    { "text", PD_FIELD_TEXT, 96, 0 },
		{ "small", PD_FIELD_INT, 112, 0 },
	};
	struct pd_trace_field f;
	size_t pos = 0, i = 0;

	while (pd_trace_field_next(text_of(all_kinds), &pos, &f)) {
		CHECK(i < ARRAY_SIZE(want));
		CHECK(span_eq(f.name, want[i].name));
		CHECK_EQ(f.kind, want[i].kind);
		CHECK_EQ(f.offset, want[i].offset);
		CHECK_EQ(f.elem_size, want[i].elem_size);
		i++;
	}
	CHECK_EQ(i, ARRAY_SIZE(want));
}

TEST(texts_without_fields)
{
	static const char *const texts[] = {
		"",
		"\n\n",
		"\n\n\tfield:",
		"\n\n\tfield:int x",
		"\n\n\tfield:int x\n;",
		"name: n\nID: 1\nformat:\n\tfield:int common_pid;\toffset:4;\tsize:4;\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct pd_trace_field f;
		size_t pos = 0;

		CHECK(!pd_trace_field_next(text_of(texts[i]), &pos, &f));
	}
}

static struct pd_trace_field field_of(const char *line)
{
	char text[256];
	struct pd_trace_field f;
	size_t pos = 0;

	snprintf(text, sizeof(text), HEAD "\tfield:%s\n", line);
	CHECK(pd_trace_field_next(text_of(text), &pos, &f));
	f.name = span_of(NULL, 0); /* text ends here */
	return f;
}

static void check_values(bool big)
{
	struct bytes b = bytes_new(big);
	struct pd_trace_field f;
	bool swap = bytes_swapped(&b);

	put_u32(&b, (u32)-5);
	put_u32(&b, 3u << 16 | 16); /* __data_loc: 3 bytes at 16 */
	put_u32(&b, 8u << 16 | 8);  /* __rel_loc: 8 bytes at 12 + 8 */
	put_u32(&b, 0xfff0u << 16 | 0xfff0);
	put_mem(&b, "ab\0c", 4);
	put_u32(&b, 7);
	put_u32(&b, (u32)-1);
	f = field_of("int v;\toffset:0;\tsize:4;\tsigned:1;");
	CHECK_EQ(pd_trace_field_int(&f, bytes_span(&b), swap), -5);
	f = field_of("u32 v;\toffset:0;\tsize:4;\tsigned:0;");
	CHECK_EQ(pd_trace_field_int(&f, bytes_span(&b), swap), 0xfffffffb);
	f = field_of("u64 v;\toffset:24;\tsize:8;\tsigned:0;");
	CHECK_EQ(pd_trace_field_int(&f, bytes_span(&b), swap), 0);
	f = field_of("u64 v;\toffset:4294967295;\tsize:8;\tsigned:0;");
	CHECK_EQ(pd_trace_field_int(&f, bytes_span(&b), swap), 0);
	f = field_of("__data_loc char[] v;\toffset:4;\tsize:4;\tsigned:0;");
	CHECK(span_eq(pd_trace_field_text(&f, bytes_span(&b), swap), "ab"));
	CHECK_EQ(pd_trace_field_bytes(&f, bytes_span(&b), swap).n, 3);
	f = field_of("__rel_loc int[] v;\toffset:8;\tsize:4;\tsigned:1;");
	CHECK_EQ(pd_trace_field_elem(&f, bytes_span(&b), swap, 0), 7);
	CHECK_EQ(pd_trace_field_elem(&f, bytes_span(&b), swap, 1), -1);
	CHECK_EQ(pd_trace_field_elem(&f, bytes_span(&b), swap, 2), 0);
	CHECK_EQ(pd_trace_field_elem(&f, bytes_span(&b), swap, UINT64_MAX), 0);
	f = field_of("__data_loc char[] v;\toffset:12;\tsize:4;\tsigned:0;");
	CHECK_EQ(pd_trace_field_text(&f, bytes_span(&b), swap).n, 0);
	f = field_of("__rel_loc char[] v;\toffset:12;\tsize:4;\tsigned:0;");
	CHECK_EQ(pd_trace_field_text(&f, bytes_span(&b), swap).n, 0);
	f = field_of("char v[9];\toffset:16;\tsize:9;\tsigned:0;");
	CHECK(span_eq(pd_trace_field_text(&f, bytes_span(&b), swap), "ab"));
	CHECK_EQ(pd_trace_field_text(&f, span_of(NULL, 0), swap).n, 0);
	bytes_free(&b);
}

TEST(values_little_endian)
{
	check_values(false);
}

TEST(values_big_endian)
{
	check_values(true);
}
