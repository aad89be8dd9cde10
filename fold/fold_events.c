/* SPDX-License-Identifier: MIT */
#include "fold/fold_events.h"

#include "base/mem.h"
#include "base/out.h"
#include "count/counts.h"

struct span fold_event_base(const char *name)
{
	const char *slash = !strncmp(name, "cpu_", 4) ? strchr(name, '/') : NULL;

	/* "cpu_core/cycles/u"; the last slash is no separator where nothing follows it */
	if (!slash || !strchr(slash + 1, '/'))
		return span_of(name, strlen(name));
	slash++;
	return span_of(slash, strlen(slash) - (slash[strlen(slash) - 1] == '/'));
}

static bool same_base(const char *a, const char *b)
{
	struct span x = fold_event_base(a), y = fold_event_base(b);

	return x.n == y.n && !memcmp(x.p, y.p, x.n);
}

static bool is_called(const char *name, const char *want)
{
	struct span base = fold_event_base(name);

	return !strcmp(name, want) || (base.n == strlen(want) && !memcmp(base.p, want, base.n));
}

/* An event that the file does not describe has no name. */
static const char *name_of(const struct perfdata *pd, size_t idx)
{
	return idx < pd->nr_events ? pd->events[idx]->name : "";
}

static char *list_choices(const struct perfdata *pd, const struct counts *c)
{
	struct out o;
	size_t i;

	out_init_mem(&o);
	for (i = 0; i < c->nr_events; i++)
		if (c->events[i].samples)
			out_printf(&o, "  -e '%s'\t%llu samples\n", name_of(pd, i),
				   (unsigned long long)c->events[i].samples);
	out_char(&o, 0);
	return o.buf; /* malloc'd, as it is in memory */
}

int fold_events_choose(const struct perfdata *pd, const struct counts *c, const char *want,
		       bool *ret_wanted, char **ret_choices, struct perr *e)
{
	const char *first = NULL;
	bool found = false;
	size_t i;

	for (i = 0; i < c->nr_events; i++) {
		ret_wanted[i] = want ? is_called(name_of(pd, i), want) : c->events[i].samples;
		if (want || !ret_wanted[i])
			continue;
		if (first && !same_base(first, name_of(pd, i))) {
			*ret_choices = list_choices(pd, c);
			return perr_set(e, PERR_USAGE,
					"samples of several events do not add up; choose one:");
		}
		first = name_of(pd, i);
	}
	for (i = 0; want && i < pd->nr_events; i++)
		found |= is_called(pd->events[i]->name, want);
	if (!want || found)
		return 0;
	*ret_choices = list_choices(pd, c);
	return perr_set(e, PERR_USAGE, "no event is called '%s'; there are:", want);
}
