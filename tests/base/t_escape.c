/* SPDX-License-Identifier: MIT */
/* base/screen/: what a terminal may not get, and the output functions that escape it. */
#include <stdlib.h>

#include "base/err.h"
#include "base/out.h"
#include "base/screen/escape.h"
#include "tests/frame/unit.h"

static void begin(struct out *o, bool ascii)
{
	out_init_mem(o);
	o->escape = true;
	o->ascii = ascii;
}

/* The text so far, which o forgets. */
static const char *text(struct out *o)
{
	out_char(o, '\0');
	o->len = 0;
	return o->buf;
}

TEST(what_is_escaped)
{
	static const struct {
		const char *from, *to, *ascii;
	} cases[] = {
		{ "plain ~ \\", "plain ~ \\", "plain ~ \\" },
		{ "\033[31m\177", "\\x1b[31m\\x7f", "\\x1b[31m\\x7f" },
		{ "\a\n\r\t", "\\x07\\n\\r\\t", "\\x07\\n\\r\\t" },
		{ "\302\233m", "\\u009bm", "\\xc2\\x9bm" },
		{ "\342\200\256\342\201\246", "\\u202e\\u2066", "\\xe2\\x80\\xae\\xe2\\x81\\xa6" },
		{ "\330\234\342\200\217", "\\u061c\\u200f", "\\xd8\\x9c\\xe2\\x80\\x8f" },
		{ "\303\251\344\270\255", "\303\251\344\270\255", "\\xc3\\xa9\\xe4\\xb8\\xad" },
		{ "\363\240\200\201", "\\U000e0001", "\\xf3\\xa0\\x80\\x81" },
		/* no UTF-8: a lone byte, one too few, overlong, a surrogate, above U+10FFFF */
		{ "\377\233", "\\xff\\x9b", "\\xff\\x9b" },
		{ "\344\270", "\\xe4\\xb8", "\\xe4\\xb8" },
		{ "\300\200", "\\xc0\\x80", "\\xc0\\x80" },
		{ "\355\240\200", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80" },
		{ "\364\220\200\200", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80" },
	};
	struct out o, ascii;

	begin(&o, false);
	begin(&ascii, true);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *from = cases[i].from;

		out_str(&o, *&from);
		out_mem(&ascii, from, strlen(from));
		CHECK_STR(text(&o), cases[i].to);
		CHECK_STR(text(&ascii), cases[i].ascii);
	}
	out_fini(&o);
	out_fini(&ascii);
}

TEST(own_text_is_not_escaped)
{
	char name[] = "\n";
	struct out o;

	begin(&o, false);
	out_str(&o, "\t\033[m");
	out_raw(&o, "\n", 1);
	out_char(&o, '\n');
	out_str(&o, name);
	out_printf(&o, "\n%s\t", name);
	CHECK_STR(text(&o), "\t\033[m\n\n\\n\n\\n\t");
	out_fini(&o);
}

TEST(without_escape_bytes_stay)
{
	char name[] = "\033\n\377";
	struct out o;

	out_init_mem(&o);
	out_str(&o, name);
	out_mem(&o, name, 3);
	out_printf(&o, "%s", name);
	out_str_width(&o, name, 5);
	CHECK_STR(text(&o), "\033\n\377\033\n\377\033\n\377  \033\n\377");
	out_fini(&o);
}

/* Every conversion that the commands use comes out as printf() has it. */
TEST(formats)
{
	char want[512];
	struct out o;

	begin(&o, false);
#define SAME(...)                                          \
	do {                                               \
		out_printf(&o, __VA_ARGS__);               \
		snprintf(want, sizeof(want), __VA_ARGS__); \
		CHECK_STR(text(&o), want);                 \
	} while (0)
	SAME("%d|%5d|%-5d|%05d|%+d|% d|%i", -1, 2, 3, 4, 5, 6, -7);
	SAME("%u|%x|%X|%o|%#x|%#.16llx", 4000000000u, 255u, 255u, 8u, 255u, 0x1234ull);
	SAME("%ld|%lu|%lld|%llu|%zu|%zx|%jd", -1L, ~0ul, -1LL, ~0ull, (size_t)7, (size_t)255,
	     (intmax_t)-9);
	SAME("%hu|%hhu|%hd", (unsigned short)65535, (unsigned char)255, (short)-3);
	SAME("%*d|%-*d|%.*s|%*s", 6, 1, 6, 2, 2, "abc", 5, "x");
	SAME("%s|%5s|%-5s|%.2s|%8.8s|%c|%%", "a", "b", "c", "defg", "0123456789", 'z');
	SAME("%f|%.2f|%7.1f%%|%g|%.15g|%e", 1.5, 2.345, 99.95, 0.1, 1e-9, 12345.678);
	SAME("%-#18llx %c", 0x400000ull, 'k');
	SAME("%p", (void *)&o);
	SAME("%+8.2f|%03d|%016llx|%-*u|", -0.5, 7, 0xabcull, 6, 3u);
#undef SAME
	out_fini(&o);
}

/* A column of text is as wide as it looks. */
TEST(widths_count_columns)
{
	struct out o;

	begin(&o, false);
	out_printf(&o, "%5s|%-5s|%4s|%-4s|", "\303\251", "\n", "\344\270\255", "e\314\201");
	out_str_width(&o, "\303\251", -3);
	CHECK_STR(text(&o), "    \303\251|\\n   |  \344\270\255|e\314\201   |\303\251  ");
	out_fini(&o);
}

TEST(columns)
{
	static const char wide[] = "a\303\251\344\270\255e\314\201z";
	size_t n = sizeof(wide) - 1;

	CHECK_EQ(escape_columns(wide, n), 6);
	CHECK_EQ(escape_fits(wide, n, 2), 3);
	CHECK_EQ(escape_fits(wide, n, 3), 3); /* the wide character needs two */
	CHECK_EQ(escape_fits(wide, n, 5), n - 1);
	CHECK_EQ(escape_fits(wide, n, 100), n);
	CHECK_EQ(escape_fits_at_end(wide, n, 1), 1);
	CHECK_EQ(escape_fits_at_end(wide, n, 3), 4);
	CHECK_EQ(escape_fits_at_end(wide, n, 4), 7);
	CHECK_EQ(escape_fits_at_end(wide, n, 0), 0);
}

TEST(errors_quote_names_in_one_line)
{
	char name[] = "a\n\033b";
	struct perr e;

	perr_set(&e, PERR_USAGE, "cannot open %s:\n  advice", name);
	CHECK_STR(e.text, "cannot open a\\n\\x1bb:\n  advice");
}
