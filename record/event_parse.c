/* SPDX-License-Identifier: MIT */
#include "record/event_parse.h"

#include <ctype.h>
#include <stdarg.h>

#include "base/mem.h"
#include "record/event_parse_priv.h"
#include "record/event_terms.h"

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

int scan_event(struct event_scan *s)
{
	const char *t = s->text + s->pos;

	if (!strncmp(t, "mem:", 4))
		return scan_breakpoint(s);
	if (!strncmp(t, "uprobe:", 7) || !strncmp(t, "uretprobe:", 10))
		return scan_uprobe(s);
	return scan_named(s);
}

/* "name{" or "name:{": the name, with s->pos moved to '{'; NULL: what follows is no named group. */
static char *scan_group_name(struct event_scan *s)
{
	size_t n = scan_word(s->text + s->pos), at = s->pos + n;
	char *name;

	while (isspace((unsigned char)s->text[at]))
		at++;
	if (n && s->text[at] == ':' && s->text[at + 1] == '{')
		at++;
	if (!n || s->text[at] != '{')
		return NULL;
	name = xstrndup(s->text + s->pos, n);
	s->pos = at;
	return name;
}

static int scan_all(struct event_scan *s)
{
	for (;;) {
		char *name;
		int err;

		scan_blanks(s);
		name = scan_group_name(s);
		err = s->text[s->pos] == '{' ? scan_group(s, name) : scan_event(s);
		if (err)
			return err;
		scan_blanks(s);
		if (!s->text[s->pos])
			return 0;
		if (s->text[s->pos] != ',')
			return scan_fail(s, s->pos, PERR_USAGE, "',' is expected between events");
		s->pos++;
	}
}

/*
 * On a machine with several PMUs of CPUs an event that was typed without a PMU became one for each
 * of them; as with perf 6.1 its name says which: cpu_core/cycles/.
 */
static void name_hybrid_events(struct event_scan *s)
{
	/* where nothing asked for the PMUs there is no event of theirs */
	if (!s->pmus_read || !pmu_list_is_hybrid(&s->pmus))
		return;
	for (size_t i = s->first; i < s->l->nr; i++) {
		struct rec_event *ev = s->l->events[i];
		u64 type = ev->attr.type == PD_TYPE_HARDWARE || ev->attr.type == PD_TYPE_HW_CACHE
				   ? ev->attr.config >> 32
				   : ev->attr.type;

		for (size_t k = 0; k < s->pmus.nr && !strchr(ev->name, '/'); k++) {
			const struct pmu *p = s->pmus.pmus[k];
			char *name;

			if (!p->is_core || p->type != type)
				continue;
			name = xasprintf("%s/%s/", p->name, ev->name);
			rec_event_set_name(ev, name);
			free(name);
		}
	}
}

int event_parse(struct rec_evlist *l, const struct rec_opts *o, const char *text,
		struct event_parse_error *where, struct perr *e)
{
	struct perr unwanted;
	struct event_scan s = {
		.text = text,
		.l = l,
		.first = l->nr,
		.o = o,
		.where = where,
		.e = e ? e : &unwanted,
	};
	int err;

	*where = (struct event_parse_error){ 0 };
	err = scan_all(&s);
	while (err && l->nr > s.first)
		evlist_remove(l, l->nr - 1);
	if (!err) {
		name_hybrid_events(&s);
		l->last_from = s.first;
	}
	free(s.guest_given);
	free(s.tracefs);
	pmu_list_fini(&s.pmus);
	return err;
}

int event_parse_filter(struct rec_evlist *l, const char *text, struct perr *e)
{
	size_t nr = 0;

	for (size_t i = l->last_from; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];
		char *both;

		if (!ev->tp_name && !ev->uprobe_path)
			continue;
		both = ev->filter ? xasprintf("(%s) && (%s)", ev->filter, text) : xstrdup(text);
		free(ev->filter);
		ev->filter = both;
		nr++;
	}
	if (!nr)
		return perr_set(e, PERR_USAGE,
				"--filter belongs behind the -e of a tracepoint or uprobe");
	return 0;
}

struct rec_event *event_parse_default(struct rec_evlist *l)
{
	struct rec_event *ev = evlist_add(l, "cycles:P", PD_TYPE_HARDWARE, 0);

	/* no exclude_guest: P takes it away, as event_modifiers_apply does */
	ev->precise_max = true;
	ev->is_default = true;
	return ev;
}

size_t event_parse_defaults(struct rec_evlist *l, const struct rec_opts *o)
{
	struct pmu_list pmus;
	size_t nr = 0;

	pmu_list_read(&o->host, &pmus);
	for (size_t i = 0; pmu_list_is_hybrid(&pmus) && i < pmus.nr; i++) {
		const struct pmu *p = pmus.pmus[i];
		struct rec_event *ev;
		char *name;

		if (!p->is_core)
			continue;
		ev = event_parse_default(l);
		name = xasprintf("%s/cycles/P", p->name);
		rec_event_set_name(ev, name);
		free(name);
		ev->attr.config |= (u64)p->type << 32;
		event_terms_set_cpus(ev, p);
		nr++;
	}
	pmu_list_fini(&pmus);
	if (nr)
		return nr;
	event_parse_default(l);
	return 1;
}
