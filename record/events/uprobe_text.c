/* SPDX-License-Identifier: MIT */
/*
 * Splits uprobe:PATH:FUNC[:MODS], and the same with uretprobe and uret. Names of functions may
 * contain commas, colons, brackets and blanks: text in brackets and "::" belong to the name.
 */
#include "record/events/event_parse_priv.h"

#include <ctype.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/probe/uprobe_event.h"

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/*
 * Returns the length of the operator characters behind "operator" at `at`, in which brackets do not
 * nest; 0: none.
 */
static size_t operator_len(const char *text, size_t at)
{
	size_t n;

	if (at < 8 || memcmp(text + at - 8, "operator", 8) != 0 ||
	    (at > 8 && is_word_char(text[at - 9])))
		return 0;
	if (!strncmp(text + at, "()", 2) || !strncmp(text + at, "[]", 2))
		return 2;
	n = strspn(text + at, "<>=!+-*/%^&|~");
	/*
	 * the second '<' of "operator<<char>" starts a list; both of "operator<<(" belong to the
	 * operator
	 */
	if (n > 1 && text[at + n] != '(' && text[at + n - 1] == '<' && is_word_char(text[at + n]))
		n--;
	return n;
}

/*
 * Returns the end of the name that starts at `at`: the end of the text, or a ',' or '}' outside
 * brackets.
 */
static size_t name_end(const char *text, size_t at)
{
	size_t depth = 0;

	while (text[at]) {
		size_t op = operator_len(text, at);

		if (op) {
			at += op;
			continue;
		}
		if (text[at] == '\'') {
			const char *close = strchr(text + at + 1, '\'');

			if (close)
				at = (size_t)(close - text);
		} else if (strchr("([{<", text[at])) {
			depth++;
		} else if (strchr(")]}>", text[at]) && depth) {
			/* the '>' of "-> T" is not a bracket */
			if (text[at] != '>' || text[at - 1] != '-')
				depth--;
		} else if (!depth && (text[at] == ',' || text[at] == '}')) {
			break;
		}
		at++;
	}
	return at;
}

/*
 * Returns the index of the last ':' of text[from..to) that is not part of "::" nor in brackets;
 * `to`: none.
 */
static size_t last_colon(const char *text, size_t from, size_t to)
{
	size_t found = to, depth = 0;

	for (size_t i = from; i < to; i++) {
		size_t run = 0;

		if (text[i] == '\'') {
			const char *close = memchr(text + i + 1, '\'', to - i - 1);

			if (close)
				i = (size_t)(close - text);
			continue;
		}
		if (strchr("([{<", text[i]))
			depth++;
		else if (strchr(")]}>", text[i]) && depth)
			depth--;
		while (i + run < to && text[i + run] == ':')
			run++;
		/* ":::" is the separator followed by the "::" of a global name */
		if (run % 2 && !depth)
			found = i;
		if (run)
			i += run - 1;
	}
	return found;
}

/* Returns text[from..to), malloc'd, without quotes around all of it. */
static char *unquoted_text(const char *text, size_t from, size_t to)
{
	if (to - from >= 2 && text[from] == '\'' && text[to - 1] == '\'') {
		from++;
		to--;
	}
	return xstrndup(text + from, to - from);
}

static bool is_file(const char *text, size_t from, size_t to)
{
	char *path = unquoted_text(text, from, to);
	bool ret = !access(path, F_OK);

	free(path);
	return ret;
}

static enum uprobe_kind kind_of(const char *text)
{
	if (!strncmp(text, "uret:", 5))
		return UPROBE_RETS;
	return strncmp(text, "uret", 4) ? UPROBE_ENTRY : UPROBE_RETURN;
}

int scan_uprobe(struct event_scan *s)
{
	static const char *const words[] = {
		[UPROBE_ENTRY] = "uprobe:", [UPROBE_RETURN] = "uretprobe:", [UPROBE_RETS] = "uret:"
	};
	enum uprobe_kind kind = kind_of(s->text + s->pos);
	size_t from = s->pos + strlen(words[kind]);
	size_t to = name_end(s->text, from), end, colon, first = s->l->nr, pos = s->pos;
	struct event_modifiers mods = { 0 };
	char *path, *func;
	int err;

	while (to > from && isspace((unsigned char)s->text[to - 1]))
		to--;
	end = to;
	colon = last_colon(s->text, from, to);
	/* a:b:u means function b with modifier u, unless a file "a:b" exists */
	if (colon < to && strspn(s->text + colon + 1, EVENT_MODIFIERS) >= to - colon - 1) {
		size_t before = last_colon(s->text, from, colon);

		if (before < colon && before > from &&
		    (is_file(s->text, from, before) || !is_file(s->text, from, colon))) {
			size_t bad = 0;

			err = event_modifiers_parse(s->text + colon + 1, to - colon - 1, &mods,
						    &bad, s->e);
			if (err) {
				s->where->pos = colon + 1 + bad;
				return err;
			}
			end = colon;
			colon = before;
		}
	}
	if (colon >= end || colon == from || colon + 1 >= end)
		return scan_fail(s, from, PERR_USAGE, "expected %sFILE:FUNCTION", words[kind]);
	path = unquoted_text(s->text, from, colon);
	func = unquoted_text(s->text, colon + 1, end);
	s->where->pos = colon + 1;
	err = uprobe_event_add(s->l, s->o, path, func, kind, s->where->help, sizeof(s->where->help),
			       s->e);
	if (err && access(path, F_OK))
		s->where->pos = from;
	if (err == PERR_NOTFOUND && s->where->help[0]) {
		char *names = xstrdup(s->where->help);

		snprintf(s->where->help, sizeof(s->where->help), "nearest: %s", names);
		free(names);
	}
	free(path);
	free(func);
	s->pos = to;
	/* all events of perf record 6.1 have it */
	for (size_t i = first; !err && i < s->l->nr; i++)
		s->l->events[i]->attr.flags |= 1ull << PD_ATTR_EXCLUDE_GUEST;
	if (!err)
		err = scan_apply(s, first, &mods, false, pos);
	return err;
}
