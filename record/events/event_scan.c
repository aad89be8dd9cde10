/* SPDX-License-Identifier: MIT */
#include "record/events/event_scan.h"

#include <ctype.h>
#include <stdarg.h>

#include "base/mem.h"

int scan_fail(struct event_scan *s, size_t pos, int code, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	s->where->pos = pos;
	return perr_set(s->e, code, "%s", text);
}

const struct pmu_list *scan_pmus(struct event_scan *s)
{
	if (!s->pmus_read)
		pmu_list_read(&s->o->host, &s->pmus);
	s->pmus_read = true;
	return &s->pmus;
}

struct rec_event *scan_add(struct event_scan *s, const char *name, u32 type, u64 config)
{
	struct rec_event *ev = evlist_add(s->l, name, type, config);

	ev->attr.flags |= 1ull << PD_ATTR_EXCLUDE_GUEST;
	return ev;
}

void scan_blanks(struct event_scan *s)
{
	while (isspace((unsigned char)s->text[s->pos]))
		s->pos++;
}

size_t scan_word(const char *s)
{
	return strcspn(s, ",{}/: \t\n\r\v\f");
}

int scan_modifiers(struct event_scan *s, struct event_modifiers *ret)
{
	size_t at = s->pos + (s->text[s->pos] == ':'), n = scan_word(s->text + at), bad = 0;
	int err = event_modifiers_parse(s->text + at, n, ret, &bad, s->e);

	if (err) {
		s->where->pos = at + bad;
		snprintf(s->where->help, sizeof(s->where->help), "valid modifiers: %s",
			 EVENT_MODIFIERS);
		return err;
	}
	s->pos = at + n;
	return 0;
}

int scan_apply(struct event_scan *s, size_t from, const struct event_modifiers *m, bool is_group,
	       size_t pos)
{
	while (s->nr_guest < s->l->nr - s->first)
		vec_push(s->guest_given, s->nr_guest, s->cap_guest, false);
	for (size_t i = from; i < s->l->nr; i++) {
		int err = event_modifiers_apply(m, s->l->events[i], is_group,
						&s->guest_given[i - s->first], s->e);

		if (err) {
			s->where->pos = pos;
			return err;
		}
	}
	return 0;
}
