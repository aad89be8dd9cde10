/* SPDX-License-Identifier: MIT */
/* Expressions over one event: what they compute, what they refuse. */
#include "events/expr/expr.h"

#include "tests/frame/build_bytes.h"
#include "tests/frame/unit.h"

static const char format[] =
	"name: n\nID: 7\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:int pid;\toffset:8;\tsize:4;\tsigned:1;\n"
	"\tfield:u64 big;\toffset:16;\tsize:8;\tsigned:0;\n"
	"\tfield:char name[8];\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:u32 args[2];\toffset:32;\tsize:8;\tsigned:0;\n"
	"\tfield:struct odd odd;\toffset:40;\tsize:3;\tsigned:0;\n";

/* pid -3, big 2^64 - 1, name "swapper", args 10 and 20 */
static const struct pd_sample sample = { .cpu = 1, .pid = 40, .tid = 41, .time = 1000 };

static struct bytes payload(bool big_endian)
{
	struct bytes b = bytes_new(big_endian);

	put_fill(&b, 0, 8);
	put_u32(&b, (u32)-3);
	put_u32(&b, 0);
	put_u64(&b, UINT64_MAX);
	put_mem(&b, "swapper", 8);
	put_u32(&b, 10);
	put_u32(&b, 20);
	return b;
}

static void check_number(const char *text, u64 want)
{
	struct event_fields ef;
	struct expr_value v;
	struct perr e = { 0 };
	struct expr *x;

	event_fields_init(&ef, span_of(format, strlen(format)));
	if (expr_compile(text, &ef, &x, &e))
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	for (int big = 0; big < 2; big++) {
		struct bytes b = payload(big);
		const struct expr_input in = { bytes_span(&b), bytes_swapped(&b), &sample, "sh" };

		CHECK(!expr_is_text(x));
		expr_eval(x, &in, &v);
		if (v.n != want)
			unit_fail(__FILE__, __LINE__, "%s is %lld, not %lld", text, (long long)v.n,
				  (long long)want);
		CHECK_EQ(expr_is_true(x, &in), want != 0);
		bytes_free(&b);
	}
	expr_free(x);
	event_fields_fini(&ef);
}

static void check_text(const char *text, const char *want)
{
	struct event_fields ef;
	struct bytes b = payload(false);
	const struct expr_input in = { bytes_span(&b), bytes_swapped(&b), &sample, "sh" };
	struct expr_value v;
	struct perr e = { 0 };
	struct expr *x;

	event_fields_init(&ef, span_of(format, strlen(format)));
	if (expr_compile(text, &ef, &x, &e))
		unit_fail(__FILE__, __LINE__, "%s", e.text);
	CHECK(expr_is_text(x));
	expr_eval(x, &in, &v);
	CHECK_EQ(v.text.n, strlen(want));
	CHECK_MEM(v.text.p, want, v.text.n);
	expr_free(x);
	event_fields_fini(&ef);
	bytes_free(&b);
}

static void check_refused(const char *text, int code, const char *words)
{
	struct event_fields ef;
	struct perr e = { 0 };
	struct expr *x = NULL;

	event_fields_init(&ef, span_of(format, strlen(format)));
	if (expr_compile(text, &ef, &x, &e) != code)
		unit_fail(__FILE__, __LINE__, "%s: %s", text, x ? "accepted" : e.text);
	if (!strstr(e.text, words))
		unit_fail(__FILE__, __LINE__, "%s: no '%s' in: %s", text, words, e.text);
	event_fields_fini(&ef);
}

TEST(names)
{
	check_number("pid", -3);
	check_number("$pid", 40);
	check_number("tid", 41);
	check_number("cpu", 1);
	check_number("time", 1000);
	check_number("big", UINT64_MAX);
	check_number("args[0]", 10);
	check_number("args[args[0] - 9]", 20);
	check_number("args[2]", 0);
	check_number("args[-1]", 0);
	check_text("name", "swapper");
	check_text("comm", "sh");
}

TEST(operators_bind_as_in_c)
{
	check_number("1 + 2 * 3", 7);
	check_number("(1 + 2) * 3", 9);
	check_number("10 - 4 - 3", 3);
	check_number("1 << 3 + 1", 16);
	check_number("6 & 3 == 3", 6 & (3 == 3));
	check_number("1 | 2 ^ 3 & 1", 1 | (2 ^ (3 & 1)));
	check_number("1 || 0 && 0", 1);
	check_number("!0 == 1", 1);
	check_number("-2 * -3", 6);
	check_number("- - 2", 2);
	check_number("~0 & 0xff", 255);
	check_number("1 ? 2 : 3", 2);
	check_number("0 ? 1 : 0 ? 2 : 3", 3);
	check_number("1 ? 0 ? 4 : 5 : 6", 5);
	check_number("1 + (0 ? 1 : 2) * 3", 7);
	check_number("2 > 1 ? 7 : 8", 7);
	check_number("pid<0&&big>5", 1);
}

/* Writes a pattern's A, B and C as conditions that are true or not by bits 0 to 2 of `bits`. */
static void write_conditions(const char *pattern, unsigned int bits, char to[256])
{
	static const char *const truths[] = { "pid == -3", "big", "args[1] > 19" };
	static const char *const lies[] = { "pid & 2", "!big", "args[1] - 20" };

	size_t at = 0;

	for (; *pattern; pattern++) {
		unsigned int i = (unsigned int)(*pattern - 'A');

		if (i < 3)
			at += (size_t)snprintf(to + at, 256 - at, "(%s)",
					       bits >> i & 1 ? truths[i] : lies[i]);
		else
			at += (size_t)snprintf(to + at, 256 - at, "%c", *pattern);
	}
}

/* Right sides of && and || that are not needed are not computed. */
TEST(conditions)
{
	for (unsigned int bits = 0; bits < 8; bits++) {
		bool a = bits & 1, b = bits & 2, c = bits & 4;
		const struct {
			const char *text;
			u64 want;
		} rows[] = {
			{ "A && B || C", (a && b) || c },
			{ "A || B && C", a || (b && c) },
			{ "(A || B) && C", (a || b) && c },
			{ "!(A && B) || C", !(a && b) || c },
			{ "A && B && C", a && b && c },
			{ "A || B || C", a || b || c },
			{ "(A && B) + (B || C) * 2", (u64)(a && b) + (u64)(b || c) * 2 },
			{ "A ? B || C : B && C", a ? b || c : b && c },
		};

		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			char text[256];

			write_conditions(rows[i].text, bits, text);
			check_number(text, rows[i].want);
		}
	}
}

TEST(numbers_have_signs)
{
	check_number("pid & 0x80000000", 0x80000000);
	check_number("pid & 0x100000000", 0x100000000); /* pid is -3 of 4 bytes */
	check_number("pid & 2", 0);
	check_number("pid == 4294967293", 0);
	check_number("pid == -3 && pid != 4294967293", 1);
	check_number("big & 0x8000000000000000", 1ull << 63);
	check_number("pid < 0", 1);
	check_number("big < 0", 0);
	check_number("big > 1", 1);
	check_number("pid / 2", -1);
	check_number("pid % 2", -1);
	check_number("pid >> 1", -2);
	check_number("big >> 63", 1);
	check_number("big / 2", INT64_MAX);
	check_number("7 / 0", 0);
	check_number("7 % 0", 0);
	check_number("(-9223372036854775807 - 1) / -1", 1ull << 63);
	check_number("(-9223372036854775807 - 1) % -1", 0);
	check_number("1 << 64", 0);
	check_number("-1 >> 64", -1);
	check_number("0x10 + 010", 24);
}

TEST(texts)
{
	check_number("name == 'swapper'", 1);
	check_number("name != \"swapper\"", 0);
	check_number("name ~ 's*pp?r'", 1);
	check_number("name ~ 's*pp?'", 0);
	check_number("name !~ '*x*'", 1);
	check_number("name ~ '*'", 1);
	check_number("'' ~ '*'", 1);
	check_number("'' ~ '?'", 0);
	check_number("name < 't'", 1);
	check_number("'ab' < 'abc'", 1);
	check_text("cpu ? name : comm", "swapper");
	check_text("cpu == 0 ? name : 'other'", "other");
}

TEST(wrong_expressions)
{
	check_refused("", PERR_USAGE, "is expected");
	check_refused("1 +", PERR_USAGE, "its end");
	check_refused("1 2", PERR_USAGE, "an operator is expected");
	check_refused("(1", PERR_USAGE, "not closed");
	check_refused("1)", PERR_USAGE, "nothing was opened");
	check_refused("args[1", PERR_USAGE, "not closed");
	check_refused("(1]", PERR_USAGE, "nothing was opened");
	check_refused("args", PERR_USAGE, "array");
	check_refused("odd", PERR_USAGE, "neither");
	check_refused("1 ? 2", PERR_USAGE, "not closed");
	check_refused("1 : 2", PERR_USAGE, "no ?");
	check_refused("(1 ? 2) : 3", PERR_USAGE, "nothing was opened");
	check_refused("name + 1", PERR_USAGE, "do not go together");
	check_refused("name + comm", PERR_USAGE, "compared");
	check_refused("-name", PERR_USAGE, "number");
	check_refused("1 ~ 'x'", PERR_USAGE, "matches");
	check_refused("1 ? name : 2", PERR_USAGE, "two texts");
	check_refused("'abc", PERR_USAGE, "quote");
	check_refused("99999999999999999999", PERR_USAGE, "64 bits");
	check_refused("1x", PERR_USAGE, "64 bits");
	check_refused("nothing", PERR_NOTFOUND, "it has pid, big, name, args, odd, cpu");
	check_refused("$name", PERR_NOTFOUND, "no field");
	check_refused("exit(1)", PERR_USAGE, "functions are");
	check_refused("hex(1) + 1", PERR_USAGE, "nothing can be computed");
	check_refused("sym(hex(1))", PERR_USAGE, "nothing can be computed");
	check_refused("1 = 2", PERR_USAGE, "an operator");
	check_refused("@", PERR_USAGE, "is expected");
}

TEST(deep_and_long_ones_are_refused)
{
	char text[9000];

	memset(text, '(', 5000);
	text[5000] = '\0';
	check_refused(text, PERR_USAGE, "characters");
	text[4000] = '\0';
	check_refused(text, PERR_USAGE, "too deep");
	memset(text, '-', 4000);
	check_refused(text, PERR_USAGE, "too deep");
	for (size_t i = 0; i < 4000; i += 2)
		memcpy(text + i, "1+", 2);
	text[3999] = '\0';
	check_refused(text, PERR_USAGE, "too long");
}

TEST(how_results_are_shown)
{
	static const struct {
		const char *text;
		enum expr_show show;
	} want[] = {
		{ "pid", EXPR_SHOW_DEC },          { "big", EXPR_SHOW_UNSIGNED },
		{ "name", EXPR_SHOW_TEXT },        { "hex(big)", EXPR_SHOW_HEX },
		{ "sym(big)", EXPR_SHOW_SYM },     { "(state(pid))", EXPR_SHOW_STATE },
		{ "dev(pid)", EXPR_SHOW_DEV },     { "big == 1", EXPR_SHOW_DEC },
		{ "big + 1", EXPR_SHOW_UNSIGNED },
	};
	struct event_fields ef;
	struct perr e;

	event_fields_init(&ef, span_of(format, strlen(format)));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		struct expr *x;

		CHECK_EQ(expr_compile(want[i].text, &ef, &x, &e), 0);
		CHECK_EQ(expr_show(x), want[i].show);
		CHECK(expr_uses_fields(x));
		CHECK(!expr_uses_own(x, OWN_CPU));
		expr_free(x);
	}
	event_fields_fini(&ef);
}
