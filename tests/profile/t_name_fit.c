/* SPDX-License-Identifier: MIT */
/* Names and comments fitted into columns. */
#include <stdlib.h>

#include "base/screen/fit.h"
#include "profile/function_name.h"
#include "tests/frame/unit.h"

#define MARK "\342\200\246"

static char *fitted(const char *name, size_t columns, bool ascii)
{
	struct out o;

	out_init_mem(&o);
	o.ascii = ascii;
	function_name_fit(&o, name, strlen(name), columns);
	out_char(&o, '\0');
	return o.buf;
}

TEST(template_arguments_go_first)
{
	static const struct {
		const char *name;
		size_t columns;
		const char *want;
	} cases[] = {
		{ "short", 5, "short" },
		{ "std::map<int, std::string>::at(int const&)", 42,
		  "std::map<int, std::string>::at(int const&)" },
		{ "std::map<int, std::string>::at(int const&)", 41,
		  "std::map<" MARK ">::at(int const&)" },
		{ "std::map<int, std::string>::at(int const&)", 23,
		  "std::map<" MARK ">::at(" MARK ")" },
		{ "std::map<int, std::string>::at(int const&)", 15, "std::map<" MARK ">::at" },
		{ "std::map<int, std::string>::at(int const&)", 12, "std::map::at" },
		{ "std::map<int, std::string>::at(int const&)", 11, "std:" MARK "ap::at" },
		/* the longest only, where that is enough */
		{ "f<ab>::g<abcdefghijk>(int)", 20, "f<ab>::g<" MARK ">(int)" },
		{ "a::operator<(std::pair<int, int>)", 26, "a::operator<(std::pair<" MARK ">)" },
		{ "(anonymous namespace)::f(int, int)", 28, "(anonymous namespace)::f(" MARK ")" },
		/* the result type goes next, what a cell has around the name stays */
		{ "void std::sort<int*>(int*, int*)", 19, "std::sort<" MARK ">(" MARK ")" },
		{ "[.] void std::sort<int*>(int*, int*) (inlined)", 35,
		  "[.] void std::sort<" MARK ">(" MARK ") (inlined)" },
		{ "[.] void std::sort<int*>(int*, int*) (inlined)", 33,
		  "[.] std::sort<" MARK ">(" MARK ") (inlined)" },
		{ "[.] void std::sort<int*>(int*, int*) (inlined)", 23, "[.] std::sort (inlined)" },
		{ "[.] void std::sort<int*>(int*, int*) (inlined)", 21,
		  "[.] void" MARK "*) (inlined)" },
		/* one that is never closed */
		{ "a<<<<<<<<<<<<<<<<b", 8, "a<" MARK "<<<<b" },
		{ "abcdefghij", 1, "a" },
		{ "abcdefghij", 0, "" },
		{ "abcdefghij", 2, MARK "j" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *got = fitted(cases[i].name, cases[i].columns, false);

		CHECK_STR(got, cases[i].want);
		free(got);
	}
}

TEST(without_utf8_the_mark_is_two_points)
{
	char *got = fitted("abcdefghij", 6, true);

	CHECK_STR(got, "a..hij");
	free(got);
}

TEST(comments_are_folded)
{
	static const char text[] = "# short\n"
				   "# one two three four five six seven\n"
				   "# a_word_that_is_longer_than_the_line and more\n#\n";
	struct out o;

	out_init_mem(&o);
	fit_comments(&o, text, strlen(text));
	CHECK_EQ(o.len, strlen(text));
	o.len = 0;
	o.columns = 25;
	fit_comments(&o, text, strlen(text));
	out_char(&o, '\0');
	CHECK_STR(o.buf, "# short\n"
			 "# one two three four\n#   five six seven\n"
			 "# a_word_" MARK "_than_the_line\n#   and more\n#\n");
	out_fini(&o);
}

TEST(lines_with_colours_lose_their_middle)
{
	static const char text[] = "\033[31m1234567890abcdefghij\033[mklmnopqrstuvwxyz\n"
				   "short\tline\n"
				   "--------------------------------\n"
				   "123456789 \344\270\255\344\270\255\344\270\255\344\270\255"
				   "\344\270\255\344\270\255 end\n";
	struct out o;

	out_init_mem(&o);
	fit_lines(&o, text, strlen(text), NULL);
	CHECK_EQ(o.len, strlen(text));
	o.len = 0;
	o.columns = 21;
	fit_lines(&o, text, strlen(text), NULL);
	out_char(&o, '\0');
	CHECK_STR(o.buf, "\033[31m1234567890" MARK "\033[mrstuvwxyz\n"
			 "short   line\n"
			 "--------------------\n"
			 "123456789 " MARK "\344\270\255\344\270\255 end\n");
	out_fini(&o);
}
