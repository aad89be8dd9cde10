/* SPDX-License-Identifier: MIT */
#include "record/events/event_parse.h"

#include <ctype.h>

#include "base/mem.h"
#include "record/events/event_kinds.h"
#include "record/events/event_parse_priv.h"
#include "record/events/pmu_event.h"

/*
 * Reads the name of a group "name{" or "name:{" and moves s->pos to the '{'. Returns the name,
 * malloc'd, or NULL if no named group follows.
 */
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
			return scan_fail(s, s->pos, PERR_USAGE, "expected ',' between events");
		s->pos++;
	}
}

/*
 * Renames events that were typed without a PMU on a machine with several kinds of CPU cores: each
 * kind has its own event, named as in perf 6.1: cpu_core/cycles/.
 */
static void name_hybrid_events(struct event_scan *s)
{
	/* if the PMUs have not been read, no event belongs to one */
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
		return perr_set(e, PERR_USAGE, "must follow the -e of a tracepoint or uprobe");
	return 0;
}

struct rec_event *event_parse_default(struct rec_evlist *l)
{
	struct rec_event *ev = evlist_add(l, "cycles:P", PD_TYPE_HARDWARE, 0);

	/* exclude_guest stays 0, as event_modifiers_apply sets it for P */
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
		pmu_event_set_cpus(ev, p);
		nr++;
	}
	pmu_list_fini(&pmus);
	if (nr)
		return nr;
	event_parse_default(l);
	return 1;
}
