/* SPDX-License-Identifier: MIT */
#include "record/host/name_glob.h"

#include <ctype.h>
#include <string.h>

bool name_glob_has(const char *text)
{
	return text[strcspn(text, "*?[")] != 0;
}

static u8 fold_case(char c, bool ignore_case)
{
	return ignore_case ? (u8)tolower((unsigned char)c) : (u8)c;
}

/*
 * Returns the ']' that closes the set starting at p, or NULL. A ']' right after the '[' is a
 * member.
 */
static const char *set_end(const char *p)
{
	p++;
	if (*p == '!' || *p == '^')
		p++;
	return *p ? strchr(p + 1, ']') : NULL;
}

static bool set_has(const char *p, const char *end, char c, bool ignore_case)
{
	u8 want = fold_case(c, ignore_case);
	bool negated = false;

	p++;
	if (*p == '!' || *p == '^') {
		negated = true;
		p++;
	}
	while (p < end) {
		u8 first = fold_case(*p, ignore_case), last = first;

		if (p[1] == '-' && p + 2 < end) {
			last = fold_case(p[2], ignore_case);
			p += 2;
		}
		p++;
		if (want >= first && want <= last)
			return !negated;
	}
	return negated;
}

/* Returns true if the item at *glob matches the character c; *glob then points behind the item. */
static bool match_one(const char **glob, char c, bool ignore_case)
{
	const char *p = *glob, *end;

	if (!*p)
		return false;
	end = *p == '[' ? set_end(p) : NULL;
	if (end) {
		*glob = end + 1;
		return set_has(p, end, c, ignore_case);
	}
	*glob = p + 1;
	return *p == '?' || fold_case(*p, ignore_case) == fold_case(c, ignore_case);
}

bool name_glob_match(const char *glob, const char *text, bool ignore_case)
{
	const char *after_star = NULL, *retry = NULL;

	while (*text) {
		const char *g = glob;

		if (*glob == '*') {
			after_star = ++glob;
			retry = text;
		} else if (match_one(&g, *text, ignore_case)) {
			glob = g;
			text++;
		} else if (after_star) {
			/*
			 * It is enough to extend the last star: the part before it has matched as
			 * early as possible.
			 */
			glob = after_star;
			text = ++retry;
		} else {
			return false;
		}
	}
	while (*glob == '*')
		glob++;
	return !*glob;
}
