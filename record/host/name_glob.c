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

/* The ']' of the set that opens at p, NULL when there is none. A ']' at its start is a member. */
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

/* Whether one character of the text matches at *glob, which is then moved over what matched. */
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
			/* Only the last star needs to take more: what stood before it is settled.
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
