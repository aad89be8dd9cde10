/* SPDX-License-Identifier: MIT */
#include "report/tui/rows_match.h"

#include <ctype.h>
#include <regex.h>
#include <string.h>

#include "base/mem.h"

#define MAX_NEEDS 16

struct rows_match {
	bool is_regex, any_case;
	regex_t regex;
	char *text; /* without a regex: what cells contain */
	/*
	 * Cells without all bytes of some alternative of the regex do not match it, which is seen
	 * much faster than by matching. 0 alternatives: nothing is known.
	 */
	u64 needs[MAX_NEEDS];
	size_t nr_needs;
	bool always; /* one alternative is empty: all cells match */
};

/* Text without characters of expressions is found faster by itself. */
static bool is_plain(const char *s)
{
	for (; *s; s++)
		if (strchr("\\^$.[]|()?*+{}", *s) || (u8)*s >= 0x80)
			return false;
	return true;
}

static bool has_capitals(const char *s)
{
	while (*s && !isupper((u8)*s))
		s++;
	return *s;
}

/* ---- what a cell needs to match */

/* From a '[' to behind its ']'; NULL: there is none. */
static const char *skip_set(const char *s)
{
	s++;
	s += *s == '^';
	s += *s == ']';
	while (*s && *s != ']') {
		char kind = s[1];

		if (*s++ != '[' || (kind != ':' && kind != '.' && kind != '='))
			continue;
		s++;
		while (*s && !(s[0] == kind && s[1] == ']'))
			s++;
		s += *s ? 2 : 0;
	}
	return *s ? s + 1 : NULL;
}

/* From a '(' to behind its ')'; NULL: there is none. */
static const char *skip_group(const char *s)
{
	size_t depth = 0;

	do {
		switch (*s) {
		case '\0': return NULL;
		case '(':
			depth++;
			s++;
			break;
		case ')':
			depth--;
			s++;
			break;
		case '[':
			s = skip_set(s);
			if (!s)
				return NULL;
			break;
		case '\\':
			if (!s[1])
				return NULL;
			s += 2;
			break;
		default: s++;
		}
	} while (depth);
	return s;
}

/* Behind how often something is repeated; NULL: that is not understood. *need: it may be left out.
 */
static const char *skip_repeats(const char *s, u64 *need)
{
	while (*s && strchr("*?+{", *s)) {
		if (*s != '+')
			*need = 0;
		if (*s++ != '{')
			continue;
		s += strspn(s, "0123456789,");
		if (*s++ != '}')
			return NULL;
	}
	return s;
}

/* Behind one character, set or group; NULL: it is not understood. *ret_need: the bytes it needs. */
static const char *skip_one(const char *s, u64 *ret_need)
{
	*ret_need = 0;
	switch (*s) {
	case '[': return skip_set(s);
	case '(': return skip_group(s);
	case '\\': return s[1] ? s + 2 : NULL;
	case ')':
	case '*':
	case '?':
	case '+':
	case '{': return NULL;
	case '.':
	case '^':
	case '$': return s + 1;
	default: *ret_need = (u8)*s < 0x80 ? rows_byte_bit(*s) : 0;
	}
	return s + 1;
}

static void find_needs(struct rows_match *m, const char *s)
{
	const char *start = s;
	u64 need = 0, one;

	for (;;) {
		if (!*s || *s == '|') {
			m->always |= s == start;
			if (m->nr_needs == MAX_NEEDS)
				break;
			m->needs[m->nr_needs++] = need;
			if (!*s)
				return;
			start = ++s;
			need = 0;
			continue;
		}
		s = skip_one(s, &one);
		if (s)
			s = skip_repeats(s, &one);
		if (!s)
			break;
		need |= one;
	}
	m->nr_needs = 0;
	m->always = false;
}

static bool may_match(const struct rows_match *m, u64 bytes)
{
	bool may = !m->nr_needs;

	for (size_t i = 0; i < m->nr_needs && !may; i++)
		may = !(m->needs[i] & ~bytes);
	return may;
}

/* ---- */

int rows_match_new(const char *pattern, struct rows_match **ret, struct perr *e)
{
	struct rows_match *m = xcalloc(1, sizeof(*m));

	m->any_case = !has_capitals(pattern);
	m->is_regex = !is_plain(pattern);
	if (m->is_regex) {
		int err = regcomp(&m->regex, pattern,
				  REG_EXTENDED | REG_NOSUB | (m->any_case ? REG_ICASE : 0));

		if (err) {
			char why[128];

			regerror(err, &m->regex, why, sizeof(why));
			free(m);
			return perr_set(e, PERR_USAGE, "%s: %s", pattern, why);
		}
		find_needs(m, pattern);
	} else {
		m->text = xstrdup(pattern);
		m->needs[m->nr_needs++] = rows_bytes_of(pattern);
	}
	*ret = m;
	return 0;
}

void rows_match_free(struct rows_match *m)
{
	if (!m)
		return;
	if (m->is_regex)
		regfree(&m->regex);
	free(m->text);
	free(m);
}

static bool matches(const struct rows_match *m, const char *text)
{
	if (m->is_regex)
		return !regexec(&m->regex, text, 0, NULL, 0);
	return m->any_case ? strcasestr(text, m->text) != NULL : strstr(text, m->text) != NULL;
}

u8 *rows_match_cells(const struct rows_match *m, const struct rows_column *c)
{
	u8 *hits = xcalloc(c->nr + 1, 1);

	for (size_t i = 0; i < c->nr; i++)
		hits[i] = m->always ||
			  (may_match(m, c->bytes[i]) && matches(m, rows_cell_text(c, i)));
	return hits;
}
