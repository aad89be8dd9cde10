/* SPDX-License-Identifier: MIT */
#include "record/cgroup_option.h"

#include <string.h>

#include "base/mem.h"

static void event_set_cgroup(struct rec_event *ev, const char *name, size_t len)
{
	free(ev->cgroup);
	ev->cgroup = len ? xstrndup(name, len) : NULL;
}

int cgroup_option_assign(struct rec_evlist *l, const char *text, size_t *nr_given, struct perr *e)
{
	const char *s = text;
	size_t len;

	if (!l->nr)
		return perr_set(e, PERR_USAGE,
				"no event to assign '%.80s' to: put -e EVENT before -G", text);
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		if (*nr_given == l->nr)
			return perr_set(e, PERR_USAGE,
					"'%.80s': more cgroups than events: only %zu event%s (-e) "
					"before it",
					text, l->nr, l->nr == 1 ? "" : "s");
		event_set_cgroup(l->events[(*nr_given)++], s, len);
		if (!s[len])
			break;
	}
	if (*nr_given == 1)
		for (size_t i = 1; i < l->nr; i++)
			event_set_cgroup(l->events[i], text, strcspn(text, ","));
	return 0;
}
