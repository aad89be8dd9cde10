/* SPDX-License-Identifier: MIT */
#include "profile/event_choice.h"

#include "base/mem.h"
#include "count/counts.h"
#include "fileformat/perfdata.h"

struct span event_base_name(const char *name)
{
	const char *slash = !strncmp(name, "cpu_", 4) ? strchr(name, '/') : NULL;

	/* "cpu_core/cycles/u"; the last slash is no separator where nothing follows it */
	if (!slash || !strchr(slash + 1, '/'))
		return span_of(name, strlen(name));
	slash++;
	return span_of(slash, strlen(slash) - (slash[strlen(slash) - 1] == '/'));
}

static bool have_same_base(const char *a, const char *b)
{
	struct span x = event_base_name(a), y = event_base_name(b);

	return x.n == y.n && !memcmp(x.p, y.p, x.n);
}

static bool event_is_called(const char *name, const char *want)
{
	struct span base = event_base_name(name);

	return !strcmp(name, want) || (base.n == strlen(want) && !memcmp(base.p, want, base.n));
}

/* An event that the file does not describe has no name. */
static const char *event_name_of(const struct perfdata *pd, size_t idx)
{
	return idx < pd->nr_events ? pd->events[idx]->name : "";
}

static char *list_choices(const struct perfdata *pd, const struct counts *c)
{
	struct out o;
	size_t i;

	out_init_mem(&o);
	o.escape = true; /* it is a message */
	for (i = 0; i < c->nr_events; i++)
		if (c->events[i].samples)
			out_printf(&o, "  -e '%s'\t%llu samples\n", event_name_of(pd, i),
				   (unsigned long long)c->events[i].samples);
	out_char(&o, 0);
	return o.buf; /* malloc'd, as it is in memory */
}

int event_choose_one(const struct perfdata *pd, const struct counts *c, const char *want,
		     bool *ret_wanted, char **ret_choices, struct perr *e)
{
	const char *first = NULL;
	bool found = false;
	size_t i;

	for (i = 0; i < c->nr_events; i++) {
		ret_wanted[i] =
			want ? event_is_called(event_name_of(pd, i), want) : c->events[i].samples;
		if (want || !ret_wanted[i])
			continue;
		if (first && !have_same_base(first, event_name_of(pd, i))) {
			*ret_choices = list_choices(pd, c);
			return perr_set(e, PERR_USAGE,
					"samples of several events do not add up; choose one:");
		}
		first = event_name_of(pd, i);
	}
	for (i = 0; want && i < pd->nr_events; i++)
		found |= event_is_called(pd->events[i]->name, want);
	if (!want || found)
		return 0;
	*ret_choices = list_choices(pd, c);
	return perr_set(e, PERR_USAGE, "no event is called '%s'; there are:", want);
}

static bool is_clock(const struct pd_event *ev)
{
	return ev->attr.type == PD_TYPE_SOFTWARE && ev->attr.config <= 1;
}

int event_choose_wall(const struct perfdata *pd, const struct counts *c, bool *ret_wanted,
		      struct perr *e)
{
	size_t clock = SIZE_MAX;
	bool off = false;

	for (size_t i = 0; i < c->nr_events && i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		ret_wanted[i] = pd_is_offcpu_event(ev);
		off |= ret_wanted[i];
		if (is_clock(ev) &&
		    (clock == SIZE_MAX || (c->events[i].samples && !c->events[clock].samples)))
			clock = i;
	}
	if (!off)
		return perr_set(e, PERR_USAGE,
				"--wall: the recording has no times off the CPU: record with prec "
				"--off-cpu -e cpu-clock");
	if (clock == SIZE_MAX)
		return perr_set(e, PERR_USAGE,
				"--wall: the recording has no times on the CPU in ns, which add up "
				"with those off it: record with prec --off-cpu -e cpu-clock");
	ret_wanted[clock] = true;
	return 0;
}

/* --- tables ----------------------------------------------------------------------------------- */

bool events_have_groups(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->nr_members > 1)
			return true;
	return false;
}

/* How many events share the table that begins with event i; 0: i is in another event's table. */
static u32 count_members(const struct event_tables *t, size_t i)
{
	const struct pd_event *ev = t->pd->events[i];

	if (t->force_group && !events_have_groups(t->pd))
		return i ? 0 : (u32)t->pd->nr_events;
	if (!t->group)
		return 1;
	return ev->leader_idx == ev->idx ? (ev->nr_members ? ev->nr_members : 1) : 0;
}

size_t event_table(const struct event_tables *t, size_t i, u32 *ret)
{
	u32 members = count_members(t, i);
	bool any_samples = false;
	size_t nr = 0;

	for (u32 m = 0; m < members && i + m < t->nr_events; m++) {
		bool empty = t->skip_empty && t->is_empty(t->arg, (u32)i + m);

		if (!empty || (!m && t->keep_leader))
			ret[nr++] = (u32)i + m;
		any_samples |= !empty;
	}
	return any_samples ? nr : 0;
}

void event_table_put_name(const struct event_tables *t, const u32 *events, size_t nr, struct out *o)
{
	const struct pd_event *leader = t->pd->events[events[0]];
	bool group = t->group && leader->nr_members > 1;

	if (group)
		out_printf(o, "%s { ", leader->group_name ? leader->group_name : "anon group");
	for (size_t i = 0; i < nr; i++)
		out_printf(o, "%s%s", i ? ", " : "", t->pd->events[events[i]]->name);
	if (group)
		out_str(o, " }");
}
