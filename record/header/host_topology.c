/* SPDX-License-Identifier: MIT */
#include "record/header/host_features_priv.h"

#include <unistd.h>

#include "base/mem.h"
#include "record/header/host_text.h"

#define CPU_DIR "devices/system/cpu"
#define NODE_DIR "devices/system/node"

/*
 * Returns the number of CPUs that this machine may have, from the highest possible CPU number; 0 if
 * sysfs does not list it.
 */
static u32 cpus_available(const struct rec_host *h)
{
	struct cpu_list present;
	u32 n = 0;

	if (host_cpu_list(&present, h->sysfs, CPU_DIR "/present"))
		n = present.cpus[present.nr - 1] + 1;
	cpu_list_fini(&present);
	return n;
}

bool host_nrcpus(struct wbuf *b, const struct rec_host *h)
{
	struct cpu_list online;
	u32 avail = cpus_available(h), nr = 0;

	if (host_cpu_list(&online, h->sysfs, CPU_DIR "/online"))
		nr = (u32)online.nr;
	cpu_list_fini(&online);
	/*
	 * perf 7.2 warns about files without NRCPUS, so ask the C library if sysfs has no numbers
	 */
	if (!avail || !nr) {
		long conf = sysconf(_SC_NPROCESSORS_CONF), onln = sysconf(_SC_NPROCESSORS_ONLN);

		if (conf <= 0 || onln <= 0)
			return false;
		avail = (u32)conf;
		nr = (u32)onln;
	}
	wb_u32(b, avail);
	wb_u32(b, nr);
	return true;
}

/* The different CPU lists of one level, such as all packages. */
struct sibling_lists {
	char **texts;
	size_t nr, cap;
};

/*
 * Adds the sibling list of a CPU if this CPU is the first in it, which avoids comparing it with all
 * others. Frees text, which may be NULL.
 */
static void add_siblings(struct sibling_lists *l, u32 cpu, char *text)
{
	struct cpu_list cpus;

	if (!text)
		return;
	if (!cpu_list_parse(text, &cpus, NULL)) {
		bool first = cpus.cpus[0] == cpu;

		cpu_list_fini(&cpus);
		if (first) {
			vec_push(l->texts, l->nr, l->cap, text);
			return;
		}
	}
	free(text);
}

static char *siblings_of(const struct rec_host *h, u32 cpu, const char *name, const char *old_name)
{
	char *text = host_line(h->sysfs, CPU_DIR "/cpu%u/topology/%s", cpu, name);

	if (!text && old_name)
		text = host_line(h->sysfs, CPU_DIR "/cpu%u/topology/%s", cpu, old_name);
	return text;
}

static void put_siblings(struct wbuf *b, struct sibling_lists *l)
{
	size_t i;

	pd_put_strings(b, (const char *const *)l->texts, l->nr);
	for (i = 0; i < l->nr; i++)
		free(l->texts[i]);
	free(l->texts);
	*l = (struct sibling_lists){ 0 };
}

static u32 topology_id(const struct rec_host *h, u32 cpu, const char *name)
{
	u32 id;

	/* an offline CPU has no id: -1, as the kernel reports it */
	return host_u32(&id, h->sysfs, CPU_DIR "/cpu%u/topology/%s", cpu, name) ? id : UINT32_MAX;
}

bool host_cpu_topology(struct wbuf *b, const struct rec_host *h)
{
	struct sibling_lists packages = { 0 }, cores = { 0 }, dies = { 0 };
	u32 i, avail = cpus_available(h);
	struct cpu_list online;
	bool found;

	if (!host_cpu_list(&online, h->sysfs, CPU_DIR "/online"))
		return false;
	for (i = 0; i < online.nr; i++) {
		u32 cpu = online.cpus[i];

		add_siblings(&packages, cpu,
			     siblings_of(h, cpu, "package_cpus_list", "core_siblings_list"));
		add_siblings(&cores, cpu,
			     siblings_of(h, cpu, "core_cpus_list", "thread_siblings_list"));
		add_siblings(&dies, cpu, siblings_of(h, cpu, "die_cpus_list", NULL));
	}
	cpu_list_fini(&online);
	found = avail && (packages.nr || cores.nr);
	put_siblings(b, &packages);
	put_siblings(b, &cores);
	for (i = 0; i < avail; i++) {
		wb_u32(b, topology_id(h, i, "core_id"));
		wb_u32(b, topology_id(h, i, "physical_package_id"));
	}
	if (!dies.nr)
		return found;
	put_siblings(b, &dies);
	for (i = 0; i < avail; i++)
		wb_u32(b, topology_id(h, i, "die_id"));
	return found;
}

/* Returns the kB of a line such as "Node 0 MemTotal:  123 kB". */
static u64 meminfo_kb(const char *text, const char *key)
{
	const char *p = text ? strstr(text, key) : NULL;

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

static bool put_node(struct wbuf *b, const struct rec_host *h, u32 node)
{
	char *meminfo = host_whole(HOST_TEXT_MAX, NULL, h->sysfs, NODE_DIR "/node%u/meminfo", node);
	char *cpus = host_line(h->sysfs, NODE_DIR "/node%u/cpulist", node);
	bool ok = meminfo != NULL;

	if (ok) {
		wb_u32(b, node);
		wb_u64(b, meminfo_kb(meminfo, "MemTotal:"));
		wb_u64(b, meminfo_kb(meminfo, "MemFree:"));
		pd_put_string(b, cpus ? cpus : "");
	}
	free(meminfo);
	free(cpus);
	return ok;
}

bool host_numa_topology(struct wbuf *b, const struct rec_host *h)
{
	struct cpu_list nodes;
	size_t i, at = b->n;
	u32 nr = 0;

	if (!host_cpu_list(&nodes, h->sysfs, NODE_DIR "/online"))
		return false;
	wb_u32(b, 0);
	for (i = 0; i < nodes.nr; i++)
		nr += put_node(b, h, nodes.cpus[i]);
	cpu_list_fini(&nodes);
	wb_set_u32(b, at, nr);
	return nr > 0;
}
