/* SPDX-License-Identifier: MIT */
/* Parses system:name, both of which may be globs, into tracepoint events. */
#include "record/events/event_parse_priv.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/host/name_glob.h"
#include "record/host/tracefs.h"

static int add_one(struct event_scan *s, const char *system, const char *name)
{
	struct rec_event *ev;
	char *full;
	u64 id;
	int err = tracefs_event_id(s->tracefs, system, name, &id, s->e);

	if (err)
		return err;
	full = xasprintf("%s:%s", system, name);
	ev = scan_add(s, full, PD_TYPE_TRACEPOINT, id);
	ev->attr.sample_period_or_freq = 1;
	ev->tp_system = xstrdup(system);
	ev->tp_name = xstrdup(name);
	free(full);
	return 0;
}

static void help_nearest(struct event_scan *s, const char *system, const char *name)
{
	struct nearest_name near;
	char *full = xasprintf("%s:%s", system, name);
	char names[300];

	nearest_init(&near, full, strlen(full));
	tracefs_offer(s->tracefs, system, name, &near);
	if (nearest_text(&near, names, sizeof(names)))
		snprintf(s->where->help, sizeof(s->where->help), "nearest: %s", names);
	free(full);
}

static int fail_missing(struct event_scan *s, size_t pos, const char *system, const char *name)
{
	/* as perf calls static probes that were put into tracefs before */
	if (!strncmp(system, "sdt_", 4))
		snprintf(s->where->help, sizeof(s->where->help),
			 "a static probe is recorded by its file: -e usdt:FILE:%s:%s", system + 4,
			 name);
	else
		help_nearest(s, system, name);
	return scan_fail(s, pos, PERR_NOTFOUND, "no tracepoint '%s:%s' in %s/events", system, name,
			 s->tracefs);
}

/* Appends the tracepoints that match globs and have an id; those without an id cannot be opened. */
static int add_glob(struct event_scan *s, const char *system, const char *name)
{
	struct name_list systems, events;
	int err = tracefs_systems(s->tracefs, &systems, s->e);

	if (err)
		return err;
	for (size_t i = 0; i < systems.nr; i++) {
		if (!name_glob_match(system, systems.names[i], false) ||
		    tracefs_events(s->tracefs, systems.names[i], &events, NULL))
			continue;
		for (size_t k = 0; k < events.nr; k++)
			if (name_glob_match(name, events.names[k], false) &&
			    add_one(s, systems.names[i], events.names[k]))
				continue;
		name_list_fini(&events);
	}
	name_list_fini(&systems);
	return 0;
}

int scan_tracepoint(struct event_scan *s, size_t pos, const char *system, const char *name)
{
	size_t before = s->l->nr;
	struct perr why;
	int err = 0;

	if (!s->tracefs)
		err = tracefs_find(&s->o->host, &s->tracefs, s->e);
	if (err) {
		s->where->pos = pos;
		return err;
	}
	if (strchr(system, '/') || strchr(name, '/') || system[0] == '.' || name[0] == '.')
		return fail_missing(s, pos, system, name);
	if (name_glob_has(system) || name_glob_has(name)) {
		err = add_glob(s, system, name);
		if (!err && s->l->nr == before)
			err = fail_missing(s, pos, system, name);
		return err;
	}
	err = tracefs_event_id(s->tracefs, system, name, &(u64){ 0 }, &why);
	if (!err)
		return add_one(s, system, name);
	s->where->pos = pos;
	if (why.sys_errno == EACCES || why.sys_errno == EPERM) {
		*s->e = why;
		tracefs_advise(s->tracefs, s->e);
		return err;
	}
	if (why.sys_errno != ENOENT && why.sys_errno != ENOTDIR) {
		*s->e = why;
		return err;
	}
	return fail_missing(s, pos, system, name);
}
