/* SPDX-License-Identifier: MIT */
#include "record/readers/reader_layout.h"

#include <string.h>

#include "base/mem.h"
#include "record/header/host_text.h"
#include "record/host/host_file.h"

static struct cpu_list cpu_list_copy(const struct cpu_list *l)
{
	struct cpu_list copy = { 0 };

	for (size_t i = 0; i < l->nr; i++)
		vec_push(copy.cpus, copy.nr, copy.cap, l->cpus[i]);
	return copy;
}

/* Removes the CPUs of l that are not in `of`. */
static void keep_cpus_of(struct cpu_list *l, const struct cpu_list *of)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		if (cpu_list_has(of, l->cpus[i]))
			l->cpus[nr++] = l->cpus[i];
	l->nr = nr;
}

static void remove_cpus(struct cpu_list *l, const struct cpu_list *of)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		if (!cpu_list_has(of, l->cpus[i]))
			l->cpus[nr++] = l->cpus[i];
	l->nr = nr;
}

static bool lists_meet(const struct cpu_list *a, const struct cpu_list *b)
{
	for (size_t i = 0; i < a->nr; i++)
		if (cpu_list_has(b, a->cpus[i]))
			return true;
	return false;
}

static void place_fini(struct reader_place *p)
{
	cpu_list_fini(&p->reads);
	cpu_list_fini(&p->runs_on);
}

void reader_layout_fini(struct reader_layout *l)
{
	for (size_t i = 0; i < l->nr; i++)
		place_fini(&l->places[i]);
	free(l->places);
	*l = (struct reader_layout){ 0 };
}

/*
 * Adds a place for the CPUs of a group that are left, and removes them from there. The thread runs
 * on the whole group. Takes `group`.
 */
static void add_group(struct reader_layout *l, struct cpu_list *group, struct cpu_list *left)
{
	struct reader_place p = { .reads = cpu_list_copy(group) };

	keep_cpus_of(&p.reads, left);
	p.runs_on = *group;
	*group = (struct cpu_list){ 0 };
	if (!p.reads.nr) {
		place_fini(&p);
		return;
	}
	remove_cpus(left, &p.reads);
	vec_push(l->places, l->nr, l->cap, p);
}

static void add_each_cpu(struct reader_layout *l, struct cpu_list *left)
{
	while (left->nr) {
		struct cpu_list one = { 0 };

		vec_push(one.cpus, one.nr, one.cap, left->cpus[0]);
		add_group(l, &one, left);
	}
}

/* Adds the groups that sysfs has for the CPUs: the siblings in one of two files of each CPU. */
static void add_siblings(struct reader_layout *l, struct cpu_list *left,
			 const struct rec_host *host, const char *name, const char *old_name)
{
	struct cpu_list all = cpu_list_copy(left);

	for (size_t i = 0; i < all.nr; i++) {
		struct cpu_list group;
		bool found;

		if (!cpu_list_has(left, all.cpus[i]))
			continue;
		found = host_cpu_list(&group, host->sysfs, "devices/system/cpu/cpu%u/topology/%s",
				      all.cpus[i], name) ||
			host_cpu_list(&group, host->sysfs, "devices/system/cpu/cpu%u/topology/%s",
				      all.cpus[i], old_name);
		if (found)
			add_group(l, &group, left);
		cpu_list_fini(&group);
	}
	cpu_list_fini(&all);
}

static void add_nodes(struct reader_layout *l, struct cpu_list *left, const struct rec_host *host)
{
	char *path = rec_host_path(host->sysfs, "devices/system/node");
	struct name_list names = { 0 };

	if (!folder_names(path, true, &names, NULL)) {
		for (size_t i = 0; i < names.nr; i++) {
			struct cpu_list group;

			if (strncmp(names.names[i], "node", 4))
				continue;
			if (host_cpu_list(&group, host->sysfs, "devices/system/node/%s/cpulist",
					  names.names[i]))
				add_group(l, &group, left);
			cpu_list_fini(&group);
		}
		name_list_fini(&names);
	}
	free(path);
}

/*
 * Parses one list of a mask and keeps the CPUs that are in `valid`. what: "recorded" or "online",
 * for the message.
 */
static int parse_list(const char *text, size_t len, const struct cpu_list *valid, const char *what,
		      struct cpu_list *ret, struct perr *e)
{
	char *copy = xstrndup(text, len);
	int err = cpu_list_parse(copy, ret, e);

	if (!err) {
		keep_cpus_of(ret, valid);
		if (!ret->nr)
			err = perr_set(e, PERR_USAGE, "no CPU of '%.40s' is %s", copy, what);
		if (err)
			cpu_list_fini(ret);
	}
	free(copy);
	return err;
}

static int add_mask(struct reader_layout *l, const char *text, size_t len,
		    const struct cpu_list *cpus, const struct cpu_list *online, struct perr *e)
{
	const char *slash = memchr(text, '/', len);
	struct reader_place p = { 0 };
	int err;

	if (!slash)
		return perr_set(e, PERR_USAGE,
				"expected cpu, core, package, numa or masks such as 0-1/0:2-3/2 "
				"(CPUs to read/CPUs to run on), got '%.40s'",
				text);
	err = parse_list(text, (size_t)(slash - text), cpus, "recorded", &p.reads, e);
	if (!err)
		err = parse_list(slash + 1, len - (size_t)(slash + 1 - text), online, "online",
				 &p.runs_on, e);
	for (size_t i = 0; !err && i < l->nr; i++)
		if (lists_meet(&l->places[i].reads, &p.reads) ||
		    lists_meet(&l->places[i].runs_on, &p.runs_on))
			err = perr_set(e, PERR_USAGE,
				       "mask %zu '%.*s' has a CPU of mask %zu on the same side of "
				       "the slash",
				       l->nr + 1, len < 40 ? (int)len : 40, text, i + 1);
	if (err)
		place_fini(&p);
	else
		vec_push(l->places, l->nr, l->cap, p);
	return err;
}

static int add_masks(struct reader_layout *l, const char *spec, const struct cpu_list *cpus,
		     const struct rec_host *host, struct perr *e)
{
	struct cpu_list online;
	int err = 0;

	if (!host_cpu_list(&online, host->sysfs, "devices/system/cpu/online"))
		online = cpu_list_copy(cpus);
	for (const char *p = spec;; p++) {
		size_t len = strcspn(p, ":");

		err = add_mask(l, p, len, cpus, &online, e);
		p += len;
		if (err || !*p)
			break;
	}
	cpu_list_fini(&online);
	return err;
}

int reader_layout_make(struct reader_layout *ret, const char *spec, const struct cpu_list *cpus,
		       const struct rec_host *host, struct perr *e)
{
	struct cpu_list left = cpu_list_copy(cpus);
	int err = 0;

	*ret = (struct reader_layout){ 0 };
	if (!spec || !*spec || !strcmp(spec, "cpu")) {
		add_each_cpu(ret, &left);
	} else if (!strcmp(spec, "core")) {
		add_siblings(ret, &left, host, "core_cpus_list", "thread_siblings_list");
	} else if (!strcmp(spec, "package")) {
		add_siblings(ret, &left, host, "package_cpus_list", "core_siblings_list");
	} else if (!strcmp(spec, "numa")) {
		add_nodes(ret, &left, host);
	} else {
		err = add_masks(ret, spec, cpus, host, e);
		left.nr = 0;
	}
	if (left.nr) {
		struct cpu_list rest = cpu_list_copy(&left);

		add_group(ret, &rest, &left);
	}
	cpu_list_fini(&left);
	if (err) {
		perr_prefix(e, "--threads");
		reader_layout_fini(ret);
	}
	return err;
}

void reader_layout_join(struct reader_layout *l)
{
	struct reader_place all = { .reads = reader_layout_cpus(l) };

	reader_layout_fini(l);
	vec_push(l->places, l->nr, l->cap, all);
}

static int by_number(const void *a, const void *b)
{
	u32 x = *(const u32 *)a, y = *(const u32 *)b;

	return (x > y) - (x < y);
}

struct cpu_list reader_layout_cpus(const struct reader_layout *l)
{
	struct cpu_list all = { 0 };

	for (size_t i = 0; i < l->nr; i++)
		for (size_t k = 0; k < l->places[i].reads.nr; k++)
			vec_push(all.cpus, all.nr, all.cap, l->places[i].reads.cpus[k]);
	if (all.nr)
		qsort(all.cpus, all.nr, sizeof(*all.cpus), by_number);
	return all;
}

size_t reader_layout_place_of(const struct reader_layout *l, u32 cpu)
{
	for (size_t i = 0; i < l->nr; i++)
		if (cpu_list_has(&l->places[i].reads, cpu))
			return i;
	return 0;
}
