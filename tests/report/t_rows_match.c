/* SPDX-License-Identifier: MIT */
/* Cells that match an expression are those that regexec() says, whatever is looked at first. */
#include "report/tui/rows_match.h"

#include <ctype.h>
#include <locale.h>
#include <regex.h>

#include "base/mem.h"
#include "tests/frame/unit.h"

static const char *const texts[] = {
	"",
	"main",
	"MAIN",
	"operator()",
	"std::vector<int>::push_back(int&&)",
	"a.b",
	"a|b",
	"12345.678901",
	"malloc_consolidate",
	"alloc",
	"al{2}oc",
	"b]c",
	"x^y$z",
	"\\d",
	"\xc3\xa9t\xc3\xa9",
	"\xc5\xbf",
	"K",
	"\xe2\x84\xaa",
	"a",
	"ab",
	"abc",
	"aab",
	"zz top",
	"[k] 0xffffffff81000000",
};

static const char *const patterns[] = {
	"main",         "Main",        "al.oc",
	"main|al.oc",   "main|",       "|",
	"^a",           "a$",          "^$",
	"a*",           "a+b",         "a?b",
	"(ab|zz)",      "(ab|zz)?top", "ab{0}c",
	"ab{1,2}",      "a{2}b",       "a{2",
	"[abc]z",       "[]b]",        "[^]a]c",
	"[[:digit:]]+", "[[.a.]]b",    "x\\^y",
	"\\(\\)",       "\\.6",        "a|b|c|d|e|f|g|h|i|j|k|l|m|n|o|p|q|r",
	"m.*n",         "s+",          "k+",
	"(a)\\1b",      "\xc3\xa9",    "t\xc3\xa9*",
	"a{|}b",        "a||z",        "()q",
	"(]|[)])",      "a\\{2",       "0x[0-9a-f]+",
	"\\bab\\b",     "x*y+z?",      "::.*<.*>",
};

static void put_cells(struct rows_column *c)
{
	out_init_mem(&c->texts);
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		size_t at = c->nr;

		vec_push(c->bytes, at, c->cap_bytes, rows_bytes_of(texts[i]));
		vec_push(c->starts, c->nr, c->cap_starts, c->texts.len);
		out_raw(&c->texts, texts[i], strlen(texts[i]) + 1);
	}
}

/* Whether a text matches by regexec() alone; any case if the pattern has no capital letters. */
static bool is_match(const char *pattern, const char *text)
{
	bool capitals = false, hit;
	regex_t regex;

	for (const char *s = pattern; *s; s++)
		capitals |= isupper((u8)*s);
	CHECK(!regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB | (capitals ? 0 : REG_ICASE)));
	hit = !regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return hit;
}

static void check_cells(void)
{
	struct rows_column c = { 0 };
	size_t nr_hits = 0, nr_bad = 0;

	put_cells(&c);
	for (size_t p = 0; p < ARRAY_SIZE(patterns); p++) {
		struct rows_match *m;
		struct perr e;
		u8 *hits;

		if (rows_match_new(patterns[p], &m, &e)) {
			nr_bad++;
			continue;
		}
		hits = rows_match_cells(m, &c);
		for (size_t i = 0; i < c.nr; i++) {
			if (hits[i] != is_match(patterns[p], texts[i]))
				printf("# '%s' in '%s'\n", patterns[p], texts[i]);
			CHECK_EQ(hits[i], is_match(patterns[p], texts[i]));
			nr_hits += hits[i];
		}
		free(hits);
		rows_match_free(m);
	}
	CHECK(nr_hits > 100 && nr_bad < 4);
	free(c.bytes);
	free(c.starts);
	out_fini(&c.texts);
}

TEST(cells_match_as_regexec_says)
{
	check_cells();
}

/* There, letters beyond ASCII may match ones of ASCII in any case. */
TEST(cells_match_as_regexec_says_in_utf_8)
{
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		SKIP("no locale C.UTF-8");
	check_cells();
}
