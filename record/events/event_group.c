/* SPDX-License-Identifier: MIT */
/* Parses groups {a,b}:S and name{a,b}. */
#include "record/events/event_parse_priv.h"

#include "base/mem.h"
#include "record/events/event_kinds.h"

#define ANY_PMU UINT32_MAX

/*
 * Returns the type of the PMU that counts an event; ANY_PMU for the kernel's own events, which may
 * join any group.
 */
static u32 pmu_of(const struct rec_event *ev)
{
	switch (ev->attr.type) {
	case PD_TYPE_SOFTWARE:
	case PD_TYPE_TRACEPOINT:
	case PD_TYPE_BREAKPOINT: return ANY_PMU;
	case PD_TYPE_HARDWARE:
	case PD_TYPE_HW_CACHE:
		return ev->attr.config >> 32 ? (u32)(ev->attr.config >> 32) : PD_TYPE_RAW;
	default: return ev->attr.type;
	}
}

/* Makes one group of nr events, the first of which has index `first` in the list. */
static void make_group(struct rec_event **events, size_t nr, size_t first, const char *name)
{
	for (size_t i = 0; i < nr; i++) {
		events[i]->idx = (u32)(first + i);
		events[i]->leader_idx = (u32)first;
		events[i]->nr_members = 0;
		events[i]->in_group = true;
	}
	events[0]->nr_members = (u32)nr;
	if (name)
		events[0]->group_name = xstrdup(name);
}

/*
 * Makes groups of the events from index `from` on: one for each PMU, since no group can span PMUs
 * and a name may stand for an event on each of several PMUs (cpu_core and cpu_atom, or boxes of an
 * uncore). The kernel's own events join the PMU of the event before them, or the first PMU.
 */
static void make_groups(struct event_scan *s, size_t from, const char *name)
{
	size_t nr = s->l->nr - from, done = 0, nr_groups = 0;
	struct rec_event **events = s->l->events + from, **sorted = xcalloc(nr, sizeof(*sorted));
	bool *guest = s->guest_given + (from - s->first), *sorted_guest = xcalloc(nr, 1);
	u32 *pmu = xcalloc(nr, sizeof(*pmu)), last = ANY_PMU;

	for (size_t i = 0; i < nr && last == ANY_PMU; i++)
		last = pmu_of(events[i]);
	for (size_t i = 0; i < nr; i++) {
		if (pmu_of(events[i]) != ANY_PMU)
			last = pmu_of(events[i]);
		pmu[i] = last;
	}
	for (size_t lead = 0; lead < nr; lead++) {
		size_t start = done;

		if (!events[lead])
			continue;
		for (size_t k = lead; k < nr; k++) {
			if (!events[k] || pmu[k] != pmu[lead])
				continue;
			sorted_guest[done] = guest[k];
			sorted[done++] = events[k];
			events[k] = NULL;
		}
		make_group(sorted + start, done - start, from + start, name);
		nr_groups++;
	}
	memcpy(events, sorted, nr * sizeof(*sorted));
	memcpy(guest, sorted_guest, nr);
	if (nr_groups > 1)
		diag_warn(s->o->diag, "a group cannot span PMUs: split '%s' into %zu groups",
			  s->text, nr_groups);
	free(pmu);
	free(sorted_guest);
	free(sorted);
}

int scan_group(struct event_scan *s, char *name)
{
	size_t from = s->l->nr, open = s->pos, at;
	struct event_modifiers mods;
	int err = 0;

	s->pos++;
	for (;;) {
		scan_blanks(s);
		if (s->text[s->pos] == '{')
			err = scan_fail(s, s->pos, PERR_USAGE, "a group cannot contain a group");
		else
			err = scan_event(s);
		if (err)
			goto out;
		scan_blanks(s);
		if (s->text[s->pos] != ',')
			break;
		s->pos++;
	}
	if (s->text[s->pos] != '}') {
		err = s->text[s->pos] ? scan_fail(s, s->pos, PERR_USAGE, "expected ',' or '}' here")
				      : scan_fail(s, open, PERR_USAGE,
						  "missing '}' at the end of this group");
		goto out;
	}
	s->pos++;
	make_groups(s, from, name);
	scan_blanks(s);
	at = s->pos;
	if (s->text[s->pos] == ':') {
		err = scan_modifiers(s, &mods);
		if (!err)
			err = scan_apply(s, from, &mods, true, at);
	}
out:
	free(name);
	return err;
}
