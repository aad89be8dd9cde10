/* SPDX-License-Identifier: MIT */
/* Splits usdt:FILE:PROVIDER:NAME. */
#include "record/events/event_parse_priv.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "record/probe/usdt_event.h"

/* The last ':' of text[from..to); `to`: there is none. */
static size_t last_colon(const char *text, size_t from, size_t to)
{
	for (size_t i = to; i-- > from;)
		if (text[i] == ':')
			return i;
	return to;
}

int scan_usdt(struct event_scan *s)
{
	size_t from = s->pos + strlen("usdt:"), first = s->l->nr;
	size_t to = from + strcspn(s->text + from, ",{}"), colon, before;
	char *path, *provider, *name;
	int err;

	while (to > from && isspace((unsigned char)s->text[to - 1]))
		to--;
	colon = last_colon(s->text, from, to);
	before = last_colon(s->text, from, colon);
	if (colon == to || before == colon || before == from || before + 1 == colon ||
	    colon + 1 == to)
		return scan_fail(s, from, PERR_USAGE, "expected usdt:FILE:PROVIDER:NAME");
	path = xstrndup(s->text + from, before - from);
	provider = xstrndup(s->text + before + 1, colon - before - 1);
	name = xstrndup(s->text + colon + 1, to - colon - 1);
	s->where->pos = before + 1;
	err = usdt_event_add(s->l, s->o, path, provider, name, s->where->help,
			     sizeof(s->where->help), s->e);
	if (err == PERR_NOTFOUND && s->where->help[0]) {
		char *names = xstrdup(s->where->help);

		snprintf(s->where->help, sizeof(s->where->help), "nearest: %s", names);
		free(names);
	}
	free(path);
	free(provider);
	free(name);
	s->pos = to;
	/* all events of perf record 6.1 have it */
	for (size_t i = first; !err && i < s->l->nr; i++)
		s->l->events[i]->attr.flags |= 1ull << PD_ATTR_EXCLUDE_GUEST;
	return err;
}
