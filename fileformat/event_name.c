/* SPDX-License-Identifier: MIT */
/*
 * Names of events by their attrs, as perf shows them. They were found by passing files with one
 * attr and no EVENT_DESC to perf 7.2.13 and 6.1.
 */
#include "fileformat/event_name.h"

#include "base/mem.h"

static const char *const hardware_names[] = {
	"cycles",
	"instructions",
	"cache-references",
	"cache-misses",
	"branches",
	"branch-misses",
	"bus-cycles",
	"stalled-cycles-frontend",
	"stalled-cycles-backend",
	"ref-cycles",
};

/* perf 6.1 has no names for bpf-output and cgroup-switches; 7.2 shows the names that -e accepts. */
static const char *const software_names[] = {
	"cpu-clock",        "task-clock",   "page-faults",  "context-switches",
	"cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
	"emulation-faults", "dummy",        "bpf-output",   "cgroup-switches",
};

/* Events that perf counts itself and not the kernel: type -2, config from 1. */
#define TYPE_TOOL 0xfffffffeu
static const char *const tool_names[] = {
	NULL,        "duration_time", "user_time",       "system_time", "has_pmem",
	"num_cores", "num_cpus",      "num_cpus_online", "num_dies",    "num_packages",
	"slots",     "smt_on",        "system_tsc_freq", "core_wide",   "target_cpu",
};

enum { OP_READ, OP_WRITE, OP_PREFETCH, NR_OPS };

static const struct {
	const char *name;
	unsigned int ops; /* one bit for each operation that the cache has */
} caches[] = {
	{ "L1-dcache", 1 << OP_READ | 1 << OP_WRITE | 1 << OP_PREFETCH },
	{ "L1-icache", 1 << OP_READ | 1 << OP_PREFETCH },
	{ "LLC", 1 << OP_READ | 1 << OP_WRITE | 1 << OP_PREFETCH },
	{ "dTLB", 1 << OP_READ | 1 << OP_WRITE | 1 << OP_PREFETCH },
	{ "iTLB", 1 << OP_READ },
	{ "branch", 1 << OP_READ },
	{ "node", 1 << OP_READ | 1 << OP_WRITE | 1 << OP_PREFETCH },
};

static const char *const op_names[NR_OPS] = { "load", "store", "prefetch" };
static const char *const op_plurals[NR_OPS] = { "loads", "stores", "prefetches" };

#define MODIFIERS_MAX 12 /* ":kuhpppGH" */

/*
 * Writes the modifiers that stand for the attr, with ':', to buf; "" if the attr excludes nothing.
 */
static void modifiers(const struct pd_attr *a, enum text_format format, char *buf)
{
	bool no_user = pd_attr_has(a, PD_ATTR_EXCLUDE_USER);
	bool no_kernel = pd_attr_has(a, PD_ATTR_EXCLUDE_KERNEL);
	bool no_hv = pd_attr_has(a, PD_ATTR_EXCLUDE_HV);
	bool no_host = pd_attr_has(a, PD_ATTR_EXCLUDE_HOST);
	bool no_guest = pd_attr_has(a, PD_ATTR_EXCLUDE_GUEST);
	bool others, hosts_told;
	unsigned int i;
	char *p = buf;

	*p++ = ':';
	if (no_user || no_kernel || no_hv) {
		if (!no_kernel)
			*p++ = 'k';
		if (!no_user)
			*p++ = 'u';
		if (!no_hv)
			*p++ = 'h';
	}
	for (i = 0; i < pd_attr_precise(a); i++)
		*p++ = 'p';
	/* perf 6.1 recorded exclude_guest by default, but not with other modifiers */
	others = no_user || no_kernel || no_hv || pd_attr_precise(a);
	hosts_told = no_host || (format == TEXT_PERF_6_1 ? no_guest == others : no_guest);
	if (hosts_told && format == TEXT_PERF_6_1 && !no_host)
		*p++ = 'H';
	if (hosts_told && !no_guest)
		*p++ = 'G';
	if (hosts_told && format != TEXT_PERF_6_1 && !no_host)
		*p++ = 'H';
	if (p == buf + 1)
		p = buf;
	*p = '\0';
}

static char *cache_name(u64 config, const char *mods)
{
	unsigned int cache = config & 0xff, op = config >> 8 & 0xff, result = config >> 16 & 0xff;

	/* checked in the same order as in perf */
	if (cache >= ARRAY_SIZE(caches))
		return xasprintf("unknown-ext-hardware-cache-type%s", mods);
	if (op >= NR_OPS)
		return xasprintf("unknown-ext-hardware-cache-op%s", mods);
	if (result > 1)
		return xasprintf("unknown-ext-hardware-cache-result%s", mods);
	if (!(caches[cache].ops & 1u << op))
		return xasprintf("invalid-cache%s", mods);
	if (result)
		return xasprintf("%s-%s-misses%s", caches[cache].name, op_names[op], mods);
	return xasprintf("%s-%s%s", caches[cache].name, op_plurals[op], mods);
}

static char *hardware_name(u64 config, const char *mods)
{
	u64 nr = config & 0xffffffff;
	const char *name =
		nr < ARRAY_SIZE(hardware_names) ? hardware_names[nr] : "unknown-hardware";

	/*
	 * on hybrid CPUs the high half is the PMU's type; the attr does not contain the PMU's name
	 */
	if (config >> 32)
		return xasprintf("cpu/%s/%s", name, mods);
	return xasprintf("%s%s", name, mods);
}

/*
 * Returns the name of a breakpoint. The bits of bp_type are HW_BREAKPOINT_R, _W and _X of
 * include/uapi/linux/hw_breakpoint.h.
 */
static char *breakpoint_name(const struct pd_attr *a, const char *mods)
{
	return xasprintf("mem:0x%llx:%s%s%s%s", (unsigned long long)a->config1,
			 a->bp_type & 1 ? "r" : "", a->bp_type & 2 ? "w" : "",
			 a->bp_type & 4 ? "x" : "", mods);
}

static char *software_name(u64 config, enum text_format format, const char *mods)
{
	enum { BPF_OUTPUT = 10 };
	u64 nr = format == TEXT_PERF_6_1 ? BPF_OUTPUT : ARRAY_SIZE(software_names);

	return xasprintf("%s%s", config < nr ? software_names[config] : "unknown-software", mods);
}

char *pd_attr_name(const struct pd_attr *a, enum text_format format)
{
	unsigned long long config = a->config;
	char mods[MODIFIERS_MAX];

	modifiers(a, format, mods);
	switch (a->type) {
	case PD_TYPE_HARDWARE: return hardware_name(a->config, mods);
	case PD_TYPE_SOFTWARE: return software_name(a->config, format, mods);
	case PD_TYPE_TRACEPOINT: return xasprintf("unknown tracepoint id=%#llx", config);
	case PD_TYPE_HW_CACHE: return cache_name(a->config, mods);
	case PD_TYPE_RAW: return xasprintf("raw 0x%llx%s", config, mods);
	case PD_TYPE_BREAKPOINT: return breakpoint_name(a, mods);
	default:
		if (format == TEXT_PERF_6_1)
			return xasprintf("unknown attr type: %d", (int)a->type);
		if (a->type == TYPE_TOOL && config < ARRAY_SIZE(tool_names) && tool_names[config])
			return xstrdup(tool_names[config]);
		return xasprintf("unknown event PMU=%d config=%#llx", (int)a->type, config);
	}
}
