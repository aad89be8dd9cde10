/* SPDX-License-Identifier: MIT */
/* Sets filters of open events, and enables and disables them. */
#include <errno.h>
#include <linux/perf_event.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/open/event_open.h"

/*
 * Lists the fields of a tracepoint from its format, such as "prev_pid next_pid"; "" if that cannot
 * be read.
 */
static void read_fields(const struct rec_event *ev, const struct rec_opts *o, char *ret,
			size_t size)
{
	static const char *const below_sysfs[] = { "kernel/tracing", "kernel/debug/tracing" };
	FILE *f = NULL;
	char line[512];
	size_t n = 0;

	*ret = 0;
	for (size_t i = 0; !f && i < (o->host.tracefs ? 1 : ARRAY_SIZE(below_sysfs)); i++) {
		char *root = o->host.tracefs ? xstrdup(o->host.tracefs)
					     : rec_host_path(o->host.sysfs, "%s", below_sysfs[i]);
		char *path = xasprintf("%s/events/%s/%s/format", root, ev->tp_system, ev->tp_name);

		f = fopen(path, "re");
		free(path);
		free(root);
	}
	if (!f)
		return;
	while (fgets(line, sizeof(line), f) && n < size) {
		char *end = strchr(line, ';'), *start;

		if (!strstr(line, "field:") || !end)
			continue;
		*end = 0;
		start = strchr(line, '[');
		if (start)
			*start = 0;
		start = strrchr(line, ' ');
		if (start && strncmp(start + 1, "common_", 7))
			n += (size_t)snprintf(ret + n, size - n, "%s%s", n ? " " : "", start + 1);
	}
	fclose(f);
}

static int refused_filter(const struct rec_event *ev, const struct rec_opts *o, const char *filter,
			  int sys_errno, struct perr *e)
{
	char fields[256];

	read_fields(ev, o, fields, sizeof(fields));
	perr_set(e, PERR_KERNEL, "%.80s: the kernel rejects the filter '%.100s': %s%s%s", ev->name,
		 filter, strerrordesc_np(sys_errno), *fields ? "\n  the tracepoint's fields: " : "",
		 fields);
	if (e)
		e->sys_errno = sys_errno;
	return PERR_KERNEL;
}

/* Returns the filter of a tracepoint, with --exclude-perf added; malloc'd, or NULL. */
static char *whole_filter(const struct rec_event *ev, const struct rec_opts *o)
{
	bool no_own = ev->exclude_perf || o->exclude_perf;
	int own = (int)getpid();

	if (!ev->tp_name)
		return NULL;
	if (ev->filter && no_own)
		return xasprintf("(%s) && (common_pid != %d)", ev->filter, own);
	if (ev->filter)
		return xstrdup(ev->filter);
	return no_own ? xasprintf("common_pid != %d", own) : NULL;
}

int event_set_filters(struct rec_evlist *l, const struct rec_opts *o, const struct rec_sys *sys,
		      struct perr *e)
{
	int rc = 0, err;

	for (size_t i = 0; !rc && i < l->nr; i++) {
		struct rec_event *ev = l->events[i];
		char *filter = whole_filter(ev, o);

		for (size_t k = 0; filter && !rc && k < ev->nr_fds; k++) {
			if (ev->fds[k] < 0)
				continue;
			err = sys->ioctl(sys->ctx, ev->fds[k], PERF_EVENT_IOC_SET_FILTER,
					 (u64)(uintptr_t)filter);
			if (err < 0)
				rc = refused_filter(ev, o, filter, -err, e);
		}
		free(filter);
	}
	return rc;
}

/*
 * Enabling or disabling a leader does the same for its group, so a recording is switched through
 * the leaders. The dummy event of the side-band is never disabled: without the maps made meanwhile,
 * later samples would have no names.
 */
size_t event_enable(struct rec_evlist *l, const char *name, bool on, const struct rec_sys *sys)
{
	unsigned long request = on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE;
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];

		if (name ? strcmp(ev->name, name) : ev->is_dummy && !on)
			continue;
		nr++;
		if (!name && ev->leader_idx != ev->idx)
			continue;
		for (size_t k = 0; k < ev->nr_fds; k++)
			if (ev->fds[k] >= 0)
				sys->ioctl(sys->ctx, ev->fds[k], request, 0);
	}
	return nr;
}
