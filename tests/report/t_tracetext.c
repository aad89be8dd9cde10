/* SPDX-License-Identifier: MIT */
/* Tracepoint text; expected texts are those of perf script 7.2. */
#include "tests/frame/unit.h"

#include "base/mem.h"
#include "report/text/traceformat.h"
#include "report/text/tracetext.h"
#include "tests/frame/build_file.h"

#define COMMON                                                                         \
	"format:\n"                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

#define ID 300

/* A blob with one event, sys:ev, of the fields and print fmt given; printk may be NULL. */
static struct bytes blob_of(bool big, const char *fields, const char *print_fmt, const char *printk)
{
	struct bytes b = bytes_new(big);
	char *format =
		xasprintf("name: ev\nID: %d\n" COMMON "%s\nprint fmt: %s\n", ID, fields, print_fmt);

	put_mem(&b, "\x17\x08\x44tracing0.6\0", 14);
	put_u8(&b, big);
	put_u8(&b, 8);
	put_u32(&b, 4096);
	put_mem(&b, "header_page\0", 12);
	put_u64(&b, 0);
	put_mem(&b, "header_event\0", 13);
	put_u64(&b, 0);
	put_u32(&b, 0);
	put_u32(&b, 1);
	put_mem(&b, "sys\0", 4);
	put_u32(&b, 1);
	put_u64(&b, strlen(format));
	put_mem(&b, format, strlen(format));
	put_u32(&b, 0);
	put_u32(&b, printk ? (u32)strlen(printk) : 0);
	if (printk)
		put_mem(&b, printk, strlen(printk));
	put_u64(&b, 0);
	free(format);
	return b;
}

/* A payload's common fields; the event's own follow at offset 8. */
static struct bytes payload(bool big)
{
	struct bytes b = bytes_new(big);

	put_u16(&b, ID);
	put_u16(&b, 0);
	put_u32(&b, 1234);
	return b;
}

static const char *resolve(void *ctx, u64 addr, u64 *ret_start, const char **ret_module)
{
	(void)ctx;
	if (addr < 0x1000 || addr >= 0x3000)
		return NULL;
	*ret_start = addr & ~0xfffull;
	*ret_module = addr < 0x2000 ? NULL : "mod";
	return addr < 0x2000 ? "func" : "mod_func";
}

static char *text_of(const struct bytes *blob, const struct bytes *raw)
{
	struct perfdata pd = { .tracing_data = bytes_span(blob) };
	struct tracetext *t = tracetext_new(&pd);
	struct out o;
	char *s;

	tracetext_set_resolver(t, resolve, NULL);
	out_init_mem(&o);
	if (!tracetext_print(t, &o, ID, 0, 0, bytes_span(raw)))
		out_str(&o, "(not printed)");
	s = xstrndup(o.buf ? o.buf : "", o.len);
	(void)out_fini(&o);
	tracetext_free(t);
	return s;
}

static void check_print(struct bytes blob, struct bytes raw, const char *want)
{
	char *got = text_of(&blob, &raw);

	CHECK_STR(got, want);
	free(got);
	bytes_free(&blob);
	bytes_free(&raw);
}

/* The library compares without signs: -5 > 0 holds, as it does in stock perf. */
static void check_numbers(bool big)
{
	struct bytes raw = payload(big);

	put_mem(&raw, "comm\0xxxxxxxxxxx", 16);
	put_u32(&raw, (u32)-5);
	put_u16(&raw, 0xbeef);
	put_u16(&raw, 6);
	put_u64(&raw, 0x123456789abcdef0);
	check_print(blob_of(big,
			    "\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
			    "\tfield:int a;\toffset:24;\tsize:4;\tsigned:1;\n"
			    "\tfield:u16 b;\toffset:28;\tsize:2;\tsigned:0;\n"
			    "\tfield:u16 flags;\toffset:30;\tsize:2;\tsigned:0;\n"
			    "\tfield:u64 c;\toffset:32;\tsize:8;\tsigned:0;\n",
			    "\"comm=%s a=%d b=%04x flags=%s kind=%s c=%llx %s\", REC->comm, "
			    "REC->a, "
			    "REC->b, __print_flags(REC->flags, \"|\", { 1, \"ONE\" }, { 1 << 1, "
			    "\"TWO\" "
			    "}, { 4, \"FOUR\" }), __print_symbolic(REC->flags, { 6, \"six\" }), "
			    "(unsigned long long)REC->c, REC->a > 0 ? \"yes\" : \"no\"",
			    NULL),
		    raw, "comm=comm a=-5 b=beef flags=TWO|FOUR kind=six c=123456789abcdef0 yes");
}

TEST(numbers_strings_flags)
{
	check_numbers(false);
	check_numbers(true);
}

static void check_dynamic(bool big)
{
	struct bytes raw = payload(big);

	put_u32(&raw, 16 | 6 << 16); /* __data_loc: offset, length */
	put_u32(&raw, 0x1010);
	put_mem(&raw, "hello\0\0\0", 8);
	check_print(blob_of(big,
			    "\tfield:__data_loc char[] name;\toffset:8;\tsize:4;\tsigned:0;\n"
			    "\tfield:void * fn;\toffset:12;\tsize:4;\tsigned:0;\n",
			    "\"name=%s at %pS %ps\", __get_str(name), REC->fn, REC->fn", NULL),
		    raw, "name=hello at func+0x10 func");
}

TEST(dynamic_strings_and_functions)
{
	check_dynamic(false);
	check_dynamic(true);
}

TEST(strings_of_the_kernel)
{
	struct bytes raw = payload(false);

	put_u64(&raw, 0xffffffff82819500);
	check_print(blob_of(false, "\tfield:const char * s;\toffset:8;\tsize:8;\tsigned:0;\n",
			    "\"%s\", REC->s",
			    "0xffffffff828194ff : \"x\"\nbroken\n"
			    "0xffffffff82819500 : \"Start context switch\"\n"),
		    raw, "Start context switch");
}

TEST(sizeof_and_tabs)
{
	struct bytes raw = payload(false);

	put_u32(&raw, 12 | 8 << 16);
	put_u64(&raw, 0x1122334455667788);
	check_print(blob_of(false, "\tfield:__data_loc u64[] v;\toffset:8;\tsize:4;\tsigned:0;\n",
			    "\"n=%d\t(%u)\", __get_dynamic_array_len(v) / sizeof(u64), "
			    "sizeof(unsigned long)",
			    NULL),
		    raw, "n=1\t(8)");
}

/* What cannot be understood is shown field by field. */
TEST(unknown_function)
{
	struct bytes raw = payload(false);

	put_u32(&raw, 7);
	check_print(blob_of(false, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
			    "\"%s\", some_function(REC->a)", NULL),
		    raw, "[FAILED TO PARSE] a=7");
}

TEST(short_payload_reads_as_zeros)
{
	struct bytes raw = payload(false);

	check_print(blob_of(false, "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n",
			    "\"%llu\", REC->a", NULL),
		    raw, "0");
}

TEST(unknown_event)
{
	struct bytes blob = blob_of(false, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
				    "\"%d\", REC->a", NULL);
	struct perfdata pd = { .tracing_data = bytes_span(&blob) };
	struct tracetext *t = tracetext_new(&pd);
	struct out o;

	out_init_mem(&o);
	CHECK(!tracetext_print(t, &o, ID + 1, 0, 0, span_of(NULL, 0)));
	CHECK_EQ(o.len, 0);
	CHECK(tracetext_print(t, &o, ID, 0, 0, span_of(NULL, 0)));
	(void)out_fini(&o);
	tracetext_free(t);
	bytes_free(&blob);
}

TEST(no_tracing_data)
{
	struct perfdata pd = { 0 };
	struct tracetext *t = tracetext_new(&pd);
	struct out o;

	out_init_mem(&o);
	CHECK(!tracetext_print(t, &o, ID, 0, 0, span_of(NULL, 0)));
	(void)out_fini(&o);
	tracetext_free(t);
}

/* Every prefix is read without harm; what was whole is kept. */
TEST(cut_blobs)
{
	struct bytes whole = blob_of(false, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
				     "\"%d\", REC->a", "0x1 : \"text\"\n");
	struct bytes raw = payload(false);

	for (size_t n = 0; n < whole.n; n++) {
		struct bytes cut = bytes_new(false);
		char *got;

		put_mem(&cut, whole.p, n);
		got = text_of(&cut, &raw);
		CHECK(!strcmp(got, "(not printed)") || !strcmp(got, "0"));
		free(got);
		bytes_free(&cut);
	}
	bytes_free(&whole);
	bytes_free(&raw);
}

/* Formats that reach out of the payload, or ask for absurd amounts, harm nothing. */
TEST(hostile_formats)
{
	static const struct {
		const char *fields, *print_fmt;
	} cases[] = {
		{ "\tfield:u64 a;\toffset:2000000000;\tsize:8;\tsigned:0;\n", "\"%llu\", REC->a" },
		{ "\tfield:u64 a;\toffset:-8;\tsize:8;\tsigned:0;\n", "\"%llu\", REC->a" },
		{ "\tfield:u64 a;\toffset:8;\tsize:-1;\tsigned:0;\n", "\"%llu\", REC->a" },
		{ "\tfield:char a[9];\toffset:8;\tsize:2000000000;\tsigned:0;\n",
		  "\"%s\", REC->a" },
		{ "\tfield:u64 a[4];\toffset:8;\tsize:32;\tsigned:0;\n",
		  "\"%llu\", REC->a[1000000000]" },
		{ "\tfield:u64 a[4];\toffset:8;\tsize:32;\tsigned:0;\n",
		  "\"%llu\", REC->a[REC->a[0]]" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n",
		  "\"%s\", __print_hex(REC->a, 1000000000)" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n",
		  "\"%s\", __print_array(REC->a, REC->a, 8)" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%s\", __print_hex(1, 8)" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%llu\", 1 / REC->a" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%llu\", 1 % 0" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n",
		  "\"%s\", __print_symbolic(REC->a, { 1/0, \"x\" })" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%2000000000d\", REC->a" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%*d\", REC->a, 1" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%n%n%n\", REC->a" },
		{ "\tfield:u64 a;\toffset:8;\tsize:8;\tsigned:0;\n", "\"%s %s %d %pI4 %pM %pU\"" },
		{ "\tfield:__data_loc char[] a;\toffset:8;\tsize:8;\tsigned:0;\n",
		  "\"%s\", __get_str(a)" },
		{ "\tfield:__data_loc char[] a;\toffset:8;\tsize:4;\tsigned:0;\n",
		  "\"%s %pI6c\", __get_str(a), __get_dynamic_array(a)" },
		{ "\tfield:__rel_loc char[] a;\toffset:65000;\tsize:4;\tsigned:0;\n",
		  "\"%s\", __get_rel_str(a)" },
		{ "", "\"" },
		{ "", "" },
		{ "", "((((((" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct bytes blob = blob_of(false, cases[i].fields, cases[i].print_fmt, NULL);

		for (int fill = 0; fill < 256; fill += 255) {
			struct bytes raw = payload(false);

			put_fill(&raw, (u8)fill, 40);
			free(text_of(&blob, &raw));
			bytes_free(&raw);
		}
		bytes_free(&blob);
	}
}

/* Nesting and operators beyond all reason are not given to a recursive parser. */
TEST(deep_formats)
{
	static const char units[][4] = { "(", "!", "-", "1+", "a[", "1?", "~(", "->" };

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		struct bytes raw = payload(false), text = bytes_new(false), blob;

		put_mem(&text, "\"%d\", ", 6);
		for (int n = 0; n < 50000; n++)
			put_mem(&text, units[i], strlen(units[i]));
		put_u8(&text, 0);
		blob = blob_of(false, "\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n",
			       (const char *)text.p, NULL);
		check_print(blob, raw, " a=0");
		bytes_free(&text);
	}
}

TEST(tame_formats)
{
	static const struct {
		const char *text;
		bool tame;
	} cases[] = {
		{ "\"%d %16llx %-8s %.*s %*pbl\", a, b, c, d, e, f", true },
		{ "\"%1000d\", a", false },
		{ "\"%*d\", a, b", false },
		{ "\"%.*d\", a, b", false },
		{ "\"%s\", __print_flags(a, \"|\", { 1 / 2, \"x\" })", true },
		{ "\"%s\", __print_flags(a, \"|\", { 1 / (0), \"x\" })", false },
		{ "\"%c\", a ? 'y' : '('", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_EQ(traceformat_is_tame(span_of(cases[i].text, strlen(cases[i].text))),
			 cases[i].tame);
}
