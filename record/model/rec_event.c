/* SPDX-License-Identifier: MIT */
#include "record/model/rec_event.h"

#include <ctype.h>

#include "base/mem.h"

void evlist_init(struct rec_evlist *l)
{
	*l = (struct rec_evlist){ 0 };
}

void cpu_list_fini(struct cpu_list *l)
{
	free(l->cpus);
	*l = (struct cpu_list){ 0 };
}

static void event_free(struct rec_event *ev)
{
	if (ev->pmu_cpus)
		cpu_list_fini(ev->pmu_cpus);
	free(ev->pmu_cpus);
	free(ev->name);
	free(ev->group_name);
	free(ev->tp_system);
	free(ev->tp_name);
	free(ev->filter);
	free(ev->uprobe_path);
	free(ev->unit);
	free(ev->cgroup);
	free(ev->fds);
	free(ev->ids);
	free(ev);
}

void evlist_fini(struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		event_free(l->events[i]);
	free(l->events);
	if (l->at_end)
		l->at_end(l->at_end_ctx);
	evlist_init(l);
}

struct rec_event *evlist_add(struct rec_evlist *l, const char *name, u32 type, u64 config)
{
	struct rec_event *ev = xcalloc(1, sizeof(*ev));

	ev->name = xstrdup(name);
	ev->attr.type = type;
	ev->attr.config = config;
	ev->terms.time = ev->terms.inherit = ev->terms.overwrite = REC_UNSET;
	ev->terms.callgraph = REC_CG_UNSET;
	ev->idx = ev->leader_idx = (u32)l->nr;
	ev->nr_members = 1;
	ev->scale = 1;
	ev->cgroup_fd = -1;
	vec_push(l->events, l->nr, l->cap, ev);
	return ev;
}

void evlist_remove(struct rec_evlist *l, size_t i)
{
	struct rec_event *gone = l->events[i];
	/* first member of a removed leader, which leads the group from now on */
	struct rec_event *heir = NULL;

	memmove(&l->events[i], &l->events[i + 1], (l->nr - i - 1) * sizeof(*l->events));
	l->nr--;
	if (gone->leader_idx != i)
		l->events[gone->leader_idx]->nr_members--;
	else if (gone->nr_members > 1) {
		heir = l->events[i];
		heir->nr_members = gone->nr_members - 1;
		heir->group_name = gone->group_name;
		gone->group_name = NULL;
	}
	for (size_t k = 0; k < l->nr; k++) {
		struct rec_event *ev = l->events[k];

		ev->idx = (u32)k;
		/* the new leader has the index of the old one, so only higher indexes change */
		if (ev->leader_idx > i)
			ev->leader_idx--;
	}
	event_free(gone);
}

void rec_event_set_name(struct rec_event *ev, const char *name)
{
	char *copy = xstrdup(name);

	free(ev->name);
	ev->name = copy;
}

static int compare_cpus(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

/*
 * Parses a CPU number at *s and moves *s behind it. Returns -1 for other text and for numbers of
 * 65535 and more.
 */
static int cpu_number(const char **s, u32 *ret)
{
	u32 v = 0;

	if (!isdigit((unsigned char)**s))
		return -1;
	for (; isdigit((unsigned char)**s); (*s)++) {
		v = v * 10 + (u32)(**s - '0');
		if (v >= 65535)
			return -1;
	}
	*ret = v;
	return 0;
}

int cpu_list_parse(const char *text, struct cpu_list *ret, struct perr *e)
{
	struct cpu_list l = { 0 };
	const char *s = text;
	u32 first, last;

	for (;;) {
		if (cpu_number(&s, &first))
			goto bad;
		last = first;
		if (*s == '-') {
			s++;
			if (cpu_number(&s, &last) || last < first)
				goto bad;
		}
		for (u32 c = first; c <= last; c++)
			vec_push(l.cpus, l.nr, l.cap, c);
		if (*s != ',')
			break;
		s++;
	}
	if (*s == '\n')
		s++;
	if (*s)
		goto bad;

	qsort(l.cpus, l.nr, sizeof(*l.cpus), compare_cpus);
	size_t nr = 0;

	for (size_t i = 0; i < l.nr; i++)
		if (!nr || l.cpus[nr - 1] != l.cpus[i])
			l.cpus[nr++] = l.cpus[i];
	l.nr = nr;
	*ret = l;
	return 0;
bad:
	cpu_list_fini(&l);
	return perr_set(e, PERR_USAGE, "expected a list of CPUs such as 0-3,8, got '%s'", text);
}

bool cpu_list_has(const struct cpu_list *l, u32 cpu)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->cpus[i] == cpu)
			return true;
	return false;
}
