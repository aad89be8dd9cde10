/* SPDX-License-Identifier: MIT */
#include "session/common_options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/pager.h"
#include "session/sample_range.h"
#include "unwind/oracle_libunwind.h"

int common_names(void *list, const char *arg, struct perr *e)
{
	return arg ? filter_add_names(list, arg, e) : 0;
}

int common_numbers(void *list, const char *arg, struct perr *e)
{
	return arg ? filter_add_numbers(list, arg, e) : 0;
}

int common_cpus(void *cpus, const char *arg, struct perr *e)
{
	return arg ? filter_add_set(cpus, arg, "CPUs", e) : 0;
}

int common_unwinder(void *kind, const char *arg, struct perr *e)
{
	enum unwinder_kind k = UNWINDER_TABLE;

	while (arg && k <= UNWINDER_LIBUNWIND && strcmp(arg, unwinder_kind_name(k)))
		k++;
	if (k > UNWINDER_LIBUNWIND)
		return perr_set(e, PERR_USAGE, "expected table, libdw or libunwind, got '%s'", arg);
	if (k == UNWINDER_LIBUNWIND && !oracle_libunwind_is_available())
		return perr_set(e, PERR_UNSUPPORTED, "libunwind is not part of this build");
	*(enum unwinder_kind *)kind = k;
	return 0;
}

int common_max_stack(void *stack_options, const char *arg, struct perr *e)
{
	struct stack_options *o = stack_options;
	u64 v;

	if (!arg || parse_u64(arg, 10, 1, UINT32_MAX, &v))
		return perr_set(e, PERR_USAGE, "expected a number of frames, got '%s'",
				arg ? arg : "");
	o->max_stack = o->max_user_stack = (u32)v;
	return 0;
}

int common_color(void *color, const char *arg, struct perr *e)
{
	bool always = arg && !strcmp(arg, "always"), automatic = arg && !strcmp(arg, "auto");

	if (arg && !always && !automatic && strcmp(arg, "never"))
		return perr_set(e, PERR_USAGE, "expected always, never or auto, got '%s'", arg);
	*(bool *)color = always || (automatic && pager_colors());
	return 0;
}

int common_percent_limit(void *limit, const char *arg, struct perr *e)
{
	char *end;
	double v = arg ? strtod(arg, &end) : 0;

	if (arg && (end == arg || (*end && strcmp(end, "%")) || !(v >= 0)))
		return perr_set(e, PERR_USAGE, "expected a percentage such as 0.5, got '%s'", arg);
	*(double *)limit = v;
	return 0;
}

int common_ignored(void *value, const char *arg, struct perr *e)
{
	(void)value;
	(void)arg;
	(void)e;
	return 0;
}

int common_ignored_call(void *value, const char *arg, bool unset)
{
	(void)value;
	(void)arg;
	(void)unset;
	return 0;
}

const char *common_input(void)
{
	struct stat st;

	return !fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) ? "-" : "perf.data";
}

int common_check_symbols(const struct symbols_config *s, struct perr *e)
{
	const char *const paths[] = { s->vmlinux, s->kallsyms };

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++)
		if (paths[i] && access(paths[i], R_OK))
			return perr_set(e, PERR_IO, "%s: %s", paths[i], strerror(errno));
	return 0;
}

/* True when -C can choose: the first event of every type has its CPU recorded. */
static bool has_cpus(const struct perfdata *pd)
{
	size_t i, j;

	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		for (j = 0; j < i; j++)
			if (pd->events[j]->attr.type == a->type)
				break;
		if (j == i && !(a->sample_type & PD_SAMPLE_CPU))
			return false;
	}
	return true;
}

int common_fit_filter(struct filter *f, const char *time, struct perfdata *pd, struct perr *e)
{
	u64 first = 0, last = 0;
	int err;

	if (f->cpus.bits && !has_cpus(pd))
		return perr_set(e, PERR_USAGE,
				"-C cannot choose: there are events without a CPU; record with -a "
				"or --sample-cpu");
	f->nr_times = 0; /* those of the recording before */
	if (!time)
		return 0;
	if (filter_time_needs_range(time)) {
		err = sample_range(pd, &first, &last, e);
		if (err)
			return err;
	}
	return filter_set_time(f, time, first, last, e);
}

int common_find_event(const struct perfdata *pd, const char *name, const struct pd_event **ret,
		      struct perr *e)
{
	*ret = NULL;
	for (size_t i = 0; name && i < pd->nr_events; i++)
		if (!*ret && !strcmp(pd->events[i]->name, name))
			*ret = pd->events[i];
	return name && !*ret ? perr_set(e, PERR_USAGE, "no event of the file is called '%s'", name)
			     : 0;
}
