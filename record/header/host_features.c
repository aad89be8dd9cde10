/* SPDX-License-Identifier: MIT */
#include "record/header/host_features.h"

#include <elf.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/build_info.h"
#include "base/mem.h"
#include "record/header/host_features_priv.h"
#include "record/header/host_text.h"

#define CPUINFO_MAX (16u << 20) /* about 1.5 KiB per CPU; only the first CPU's lines are used */
#define ZSTD_TYPE 1
/* Version of the layout of a recording that is a folder, as perf writes it. */
#define DIR_VERSION 1

static void features_keep_section(struct host_features *f, u32 bit, bool present)
{
	if (!present)
		f->payload[bit].n = 0;
	f->present[bit] = present;
}

static void put_text(struct host_features *f, u32 bit, const char *text)
{
	if (text)
		pd_put_string(&f->payload[bit], text);
	features_keep_section(f, bit, text != NULL);
}

static void read_uname(struct host_features *f)
{
	struct utsname u;

	if (uname(&u))
		return;
	put_text(f, PD_FEAT_HOSTNAME, u.nodename);
	put_text(f, PD_FEAT_OSRELEASE, u.release);
	put_text(f, PD_FEAT_ARCH, u.machine);
}

/*
 * Returns the name of the CPU, malloc'd, or NULL. Its key differs between architectures; some have
 * several of these keys, so their order matters.
 */
static char *cpu_description(const char *cpuinfo)
{
	static const char *const keys[] = { "model name", "Model Name", "cpu model",
					    "Processor",  "cpu",        "vendor_id" };
	char *value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		value = host_value(cpuinfo, keys[i]);
		if (value)
			return value;
	}
	return NULL;
}

/*
 * Returns the id by which perf selects its tables of events, malloc'd:
 * "vendor,family,model,stepping" on x86, the MIDR register on arm64.
 */
static char *cpu_id(const char *cpuinfo, const struct rec_host *h)
{
	char *vendor = host_value(cpuinfo, "vendor_id"),
	     *family = host_value(cpuinfo, "cpu family");
	char *model = host_value(cpuinfo, "model"), *stepping = host_value(cpuinfo, "stepping");
	char *id = NULL;

	if (vendor && family && model)
		id = xasprintf("%s,%s,%s,%s", vendor, family, model, stepping ? stepping : "0");
	free(vendor);
	free(family);
	free(model);
	free(stepping);
	if (!id)
		id = host_line(h->sysfs, "devices/system/cpu/cpu0/regs/identification/midr_el1");
	return id;
}

static void read_cpuinfo(struct host_features *f, const struct rec_host *h)
{
	char *text = host_whole(CPUINFO_MAX, NULL, h->procfs, "cpuinfo"), *desc = NULL, *id;

	if (text)
		desc = cpu_description(text);
	id = cpu_id(text ? text : "", h);
	put_text(f, PD_FEAT_CPUDESC, desc);
	put_text(f, PD_FEAT_CPUID, id);
	free(text);
	free(desc);
	free(id);
}

static void read_cmdline(struct host_features *f, const struct rec_opts *o)
{
	struct wbuf *b = &f->payload[PD_FEAT_CMDLINE];
	const char *first = o->cmdline0;
	char **argv = o->cmdline;
	u32 i, nr = 0;

	if (!first && argv)
		first = argv[0];
	if (!first)
		return;
	while (argv && argv[nr])
		nr++;
	wb_u32(b, nr ? nr : 1);
	pd_put_string(b, first);
	for (i = 1; i < nr; i++)
		pd_put_string(b, argv[i]);
	features_keep_section(f, PD_FEAT_CMDLINE, true);
}

static bool put_groups(struct wbuf *b, const struct rec_evlist *l)
{
	struct pd_out_group *groups = xcalloc(l->nr + 1, sizeof(*groups));
	size_t i, nr = 0;

	for (i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];

		if (ev->in_group && ev->leader_idx == ev->idx && ev->nr_members > 1)
			groups[nr++] = (struct pd_out_group){ .name = ev->group_name,
							      .leader_idx = ev->idx,
							      .nr_members = ev->nr_members };
	}
	pd_put_group_desc(b, groups, nr);
	free(groups);
	return nr > 0;
}

/*
 * Returns true if -b, -j or the term branch_type asked for branches. Branch stacks that stand for
 * call chains (lbr) do not count: stock perf report would show branches instead of samples.
 */
static bool samples_branches(const struct rec_evlist *l, const struct rec_opts *o)
{
	size_t i;

	for (i = 0; i < l->nr; i++)
		if (l->events[i]->attr.sample_type & PD_SAMPLE_BRANCH_STACK &&
		    (o->branch_sample_type || l->events[i]->terms.has_branch))
			return true;
	return false;
}

static u64 ns_of(const struct timespec *t)
{
	return (u64)t->tv_sec * 1000000000 + (u64)t->tv_nsec;
}

static void read_clock(struct host_features *f, clockid_t clockid)
{
	struct timespec res, wall, now;
	struct pd_clock_data c;

	if (clock_getres(clockid, &res))
		return;
	wb_u64(&f->payload[PD_FEAT_CLOCKID], ns_of(&res));
	features_keep_section(f, PD_FEAT_CLOCKID, true);
	if (clock_gettime(CLOCK_REALTIME, &wall) || clock_gettime(clockid, &now))
		return;
	c = (struct pd_clock_data){ .clockid = (u32)clockid,
				    .wall_ns = ns_of(&wall),
				    .clock_ns = ns_of(&now) };
	pd_put_clock_data(&f->payload[PD_FEAT_CLOCK_DATA], &c);
	features_keep_section(f, PD_FEAT_CLOCK_DATA, true);
}

/* Appends ELF's e_machine and e_flags of this machine, taken from this program. */
static bool put_e_machine(struct wbuf *b)
{
	static const size_t flags_off =
		sizeof(long) == 8 ? offsetof(Elf64_Ehdr, e_flags) : offsetof(Elf32_Ehdr, e_flags);
	FILE *file = fopen("/proc/self/exe", "re");
	u8 head[sizeof(Elf64_Ehdr)];
	size_t n = file ? fread(head, 1, sizeof(head), file) : 0;

	if (file)
		fclose(file);
	if (n < sizeof(head) || memcmp(head, ELFMAG, SELFMAG))
		return false;
	wb_u32(b, get_u16(head + offsetof(Elf64_Ehdr, e_machine), false));
	wb_u32(b, get_u32(head + flags_off, false));
	return true;
}

static void read_events(struct host_features *f, const struct rec_opts *o,
			const struct rec_evlist *l, const struct pd_out_event *events)
{
	pd_put_event_desc(&f->payload[PD_FEAT_EVENT_DESC], events, l->nr, l->attr_size);
	features_keep_section(f, PD_FEAT_EVENT_DESC, true);
	features_keep_section(f, PD_FEAT_GROUP_DESC,
			      put_groups(&f->payload[PD_FEAT_GROUP_DESC], l));
	features_keep_section(f, PD_FEAT_BRANCH_STACK, samples_branches(l, o));
}

void host_features_read(struct host_features *f, const struct rec_opts *o,
			const struct rec_evlist *l, const struct pd_out_event *events,
			u64 mmap_bytes)
{
	static const struct {
		u32 bit;
		bool (*put)(struct wbuf *b, const struct rec_host *h);
	} sections[] = {
		{ PD_FEAT_NRCPUS, host_nrcpus },
		{ PD_FEAT_TOTAL_MEM, host_total_mem },
		{ PD_FEAT_CPU_TOPOLOGY, host_cpu_topology },
		{ PD_FEAT_NUMA_TOPOLOGY, host_numa_topology },
		{ PD_FEAT_PMU_MAPPINGS, host_pmu_mappings },
		{ PD_FEAT_CACHE, host_caches },
		{ PD_FEAT_MEM_TOPOLOGY, host_mem_topology },
		{ PD_FEAT_CPU_PMU_CAPS, host_cpu_pmu_caps },
		{ PD_FEAT_HYBRID_TOPOLOGY, host_hybrid_topology },
		{ PD_FEAT_PMU_CAPS, host_pmu_caps },
		{ PD_FEAT_CPU_DOMAIN_INFO, host_cpu_domains },
		{ PD_FEAT_CLN_SIZE, host_cache_line },
	};
	char version[64];
	size_t i;
	u32 bit;

	*f = (struct host_features){ 0 };
	read_uname(f);
	snprintf(version, sizeof(version), "prec %s", build_version());
	put_text(f, PD_FEAT_VERSION, version);
	read_cpuinfo(f, &o->host);
	read_cmdline(f, o);
	read_events(f, o, l, events);
	for (i = 0; i < ARRAY_SIZE(sections); i++)
		features_keep_section(f, sections[i].bit,
				      sections[i].put(&f->payload[sections[i].bit], &o->host));
	features_keep_section(f, PD_FEAT_E_MACHINE, put_e_machine(&f->payload[PD_FEAT_E_MACHINE]));
	if (o->use_clockid)
		read_clock(f, o->clockid);
	if (o->compress > 0) {
		struct pd_compressed c = { .type = ZSTD_TYPE,
					   .level = (u32)o->compress,
					   .mmap_len = (u32)mmap_bytes };

		pd_put_compressed(&f->payload[PD_FEAT_COMPRESSED], &c);
		features_keep_section(f, PD_FEAT_COMPRESSED, true);
	}
	if (o->has_threads) {
		wb_u64(&f->payload[PD_FEAT_DIR_FORMAT], DIR_VERSION);
		features_keep_section(f, PD_FEAT_DIR_FORMAT, true);
	}
	for (bit = 0; bit < PD_FEAT_END; bit++)
		if (f->present[bit])
			f->out[f->nr_out++] =
				(struct pd_feature_out){ bit, wb_span(&f->payload[bit]) };
}

void host_features_fini(struct host_features *f)
{
	u32 bit;

	for (bit = 0; bit < PD_FEAT_END; bit++)
		wb_fini(&f->payload[bit]);
	*f = (struct host_features){ 0 };
}
