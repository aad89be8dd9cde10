/* SPDX-License-Identifier: MIT */
/* Lines in rows of a terminal: where they break, and that none is wider. */
#include "base/screen/screen_rows.h"

#include <limits.h>

#include "tests/frame/unit.h"

static void check_rows(const char *text, size_t indent, size_t columns, unsigned int rows,
		       const char *want)
{
	const struct screen_line l = { text, strlen(text), indent };
	struct out o;

	out_init_mem(&o);
	screen_put_rows(&o, &l, columns, rows);
	out_char(&o, 0);
	CHECK_STR(o.buf, want);
	(void)out_fini(&o);
}

TEST(lines_break_between_words)
{
	check_rows("a short one", 0, 80, UINT_MAX, "a short one\n");
	check_rows("one two three four", 0, 15, UINT_MAX, "one two three\n    four\n");
	check_rows("one two three four", 2, 15, UINT_MAX, "  one two\n    three four\n");
	/* in front of the advice, if that fits into a row of its own */
	check_rows("it failed: why; run this program", 0, 28, UINT_MAX,
		   "it failed: why;\n    run this program\n");
	/* characters count, not bytes; a word that fits nowhere is cut */
	check_rows("\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6 \xc3\xbc\xc3\xbc x", 0, 10, UINT_MAX,
		   "\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6 \xc3\xbc\xc3\xbc\n    x\n");
	check_rows("abcdefghijklmnopqrstuvwxyz", 0, 15, UINT_MAX,
		   "abcdefghijklmn\n    opqrstuvwx\n    yz\n");
	check_rows("", 0, 80, UINT_MAX, "");
}

TEST(rows_that_are_too_many_are_left_out)
{
	const struct screen_line l = { "one two three four five", 23, 0 };

	CHECK_EQ(screen_rows(&l, 15), 2);
	CHECK_EQ(screen_rows(&l, 80), 1);
	check_rows("one two three four five", 0, 15, 1, "one two ...\n");
	check_rows("one two three four five", 0, 15, 2, "one two three\n    four five\n");
}

TEST(into_a_file_a_message_is_one_line)
{
	FILE *f = tmpfile();
	char got[200];
	size_t n;

	CHECK(f);
	CHECK_EQ(screen_columns(f), 0);
	screen_message(
		f,
		"%s: a message that is longer than a row of a terminal of %d columns, as all "
		"know",
		"a\nb", 80);
	rewind(f);
	n = fread(got, 1, sizeof(got) - 1, f);
	got[n] = '\0';
	CHECK_STR(got,
		  "a\\nb: a message that is longer than a row of a terminal of 80 columns, as all "
		  "know\n");
	fclose(f);
}
