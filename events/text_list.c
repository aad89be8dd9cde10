/* SPDX-License-Identifier: MIT */
#include "events/text_list.h"

#define MAX_NAME 32

/* Where in a text a character lies. */
struct nesting {
	int depth;
	u8 quote; /* 0: none is open */
};

/* Goes over a character; returns true if it lies outside of all that nests. */
static bool step(struct nesting *n, u8 c)
{
	if (n->quote) {
		if (c == n->quote)
			n->quote = 0;
		return false;
	}
	if (c == '\'' || c == '"') {
		n->quote = c;
		return false;
	}
	if (c == '(' || c == '[')
		n->depth++;
	if ((c == ')' || c == ']') && n->depth)
		n->depth--;
	return !n->depth;
}

static struct span without_blanks(struct span s)
{
	while (s.n && s.p[0] == ' ') {
		s.p++;
		s.n--;
	}
	while (s.n && s.p[s.n - 1] == ' ')
		s.n--;
	return s;
}

bool text_list_next(struct span *rest, char separator, bool in_slashes, struct span *ret)
{
	struct nesting n = { 0 };
	size_t i, nr_slashes = 0;

	if (!rest->n)
		return false;
	for (i = 0; i < rest->n; i++) {
		bool outside = step(&n, rest->p[i]);

		/* behind a slash the item goes on until another one ends it */
		if (in_slashes && nr_slashes && (nr_slashes == 1 || rest->p[i - 1] != '/'))
			outside = outside && rest->p[i] == '/';
		if (outside && in_slashes && rest->p[i] == '/')
			nr_slashes++;
		else if (outside && rest->p[i] == separator)
			break;
	}
	*ret = without_blanks(span_of(rest->p, i));
	i += i < rest->n;
	*rest = span_of(rest->p + i, rest->n - i);
	return true;
}

size_t text_list_equals(struct span s)
{
	struct nesting n = { 0 };

	for (size_t i = 0; i < s.n; i++) {
		if (!step(&n, s.p[i]) || s.p[i] != '=')
			continue;
		if (i + 1 < s.n && (s.p[i + 1] == '=')) {
			i++;
			continue;
		}
		if (i && strchr("!<>=", s.p[i - 1]))
			continue;
		return i;
	}
	return SIZE_MAX;
}

static bool is_of_name(u8 c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_-. ", c));
}

int text_list_take_name(struct span *item, struct span *ret_name, struct perr *e)
{
	size_t at = text_list_equals(*item), n = at;

	*ret_name = span_of("", 0);
	if (at == SIZE_MAX)
		return 0;
	while (n && item->p[n - 1] == ' ')
		n--;
	for (size_t i = 0; i < n; i++)
		if (!is_of_name(item->p[i]))
			n = 0;
	if (!n || n > MAX_NAME)
		return perr_set(e, PERR_USAGE,
				"--by '%.*s': NAME=EXPRESSION has a name of up to %d letters, "
				"digits, blanks and _ - .; to compare, write ==",
				(int)(item->n < 60 ? item->n : 60), (const char *)item->p,
				MAX_NAME);
	*ret_name = span_of(item->p, n);
	*item = without_blanks(span_of(item->p + at + 1, item->n - at - 1));
	return 0;
}

bool text_list_has_blank(const char *list)
{
	struct span rest = span_of(list, strlen(list)), item;
	bool any = false;

	while (text_list_next(&rest, ',', true, &item)) {
		any = true;
		if (!item.n)
			return true;
	}
	return !any || list[strlen(list) - 1] == ',';
}
