/* SPDX-License-Identifier: MIT */
#include "report/text/header_text.h"

#include <inttypes.h>
#include <time.h>

#include "base/mem.h"
#include "base/screen/fit.h"
#include "fileformat/event_desc.h"
#include "report/text/attr_text.h"
#include "report/text/header_topology.h"

static void put_span(struct out *o, struct span s)
{
	if (s.n)
		out_mem(o, s.p, s.n);
}

static int put_text(struct header_text *h, struct span d, const char *label, struct perr *e)
{
	struct span s;
	int err = pd_feature_text(d, h->pd->swap, &s, e);

	if (err)
		return err;
	out_printf(h->o, "# %s : ", label);
	put_span(h->o, s);
	out_char(h->o, '\n');
	return 0;
}

static int put_hostname(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "hostname", e);
}

static int put_osrelease(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "os release", e);
}

static int put_version(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "perf version", e);
}

static int put_arch(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "arch", e);
}

static int put_cpudesc(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "cpudesc", e);
}

static int put_cpuid(struct header_text *h, struct span d, struct perr *e)
{
	return put_text(h, d, "cpuid", e);
}

static int put_nrcpus(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_nrcpus n;
	int err = pd_feature_nrcpus(d, h->pd->swap, &n, e);

	if (err)
		return err;
	out_printf(h->o, "# nrcpus online : %u\n# nrcpus avail : %u\n", n.online, n.avail);
	return 0;
}

static int put_total_mem(struct header_text *h, struct span d, struct perr *e)
{
	u64 kb;
	int err = pd_feature_u64(d, h->pd->swap, &kb, e);

	if (err)
		return err;
	out_printf(h->o, "# total memory : %" PRIu64 " kB\n", kb);
	return 0;
}

/* Appends an argument with a backslash before each '. */
static void put_quoted(struct out *o, const char *s, size_t n)
{
	size_t i, len;

	for (i = 0; i < n; i += len) {
		len = s[i] == '\'';
		if (len)
			out_char(o, '\\');
		while (i + len < n && s[i + len] != '\'')
			len++;
		out_mem(o, s + i, len);
	}
}

static int put_cmdline(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_strings args;
	struct span s;
	int err = pd_feature_cmdline(d, h->pd->swap, &args, e);

	if (err)
		return err;
	out_str(h->o, "# cmdline : ");
	while (pd_strings_next(&args, &s)) {
		put_quoted(h->o, (const char *)s.p, s.n);
		out_char(h->o, ' ');
	}
	out_char(h->o, '\n');
	return 0;
}

static void put_event(struct header_text *h, const struct attr_text *t,
		      const struct pd_event_desc *v)
{
	char *name = xstrndup((const char *)v->name.p, v->name.n);
	struct out *o = h->o;
	size_t i;

	out_printf(o, "# event : name = %s, ", name);
	for (i = 0; i < v->ids.n / 8; i++)
		out_printf(o, "%s%" PRIu64, i ? ", " : ", id = { ",
			   span_u64(v->ids, i, h->pd->swap));
	if (v->ids.n)
		out_str(o, " }");
	attr_text_print(t, o, &v->attr, name, ATTR_HEADER);
	out_char(o, '\n');
	free(name);
}

static int put_event_desc(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_event_descs descs;
	struct pd_event_desc v;
	struct attr_text t;
	int ret = pd_event_desc_open(d, h->pd->swap, &descs, e);

	if (ret)
		return ret;
	attr_text_init(&t, h->pd);
	while ((ret = pd_event_desc_next(&descs, &v, e)) > 0)
		put_event(h, &t, &v);
	attr_text_fini(&t);
	return ret;
}

static int put_branch_stack(struct header_text *h, struct span d, struct perr *e)
{
	(void)d;
	(void)e;
	out_str(h->o, "# contains samples with branch stack\n");
	return 0;
}

static int put_group_desc(struct header_text *h, struct span d, struct perr *e)
{
	const struct perfdata *pd = h->pd;
	struct pd_group_desc g;
	struct pd_list l;
	size_t i, j;
	int ret;

	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		if (ev->nr_members < 2)
			continue;
		out_printf(h->o, "# group: %s{%s", ev->group_name ? ev->group_name : "", ev->name);
		for (j = i + 1; j < pd->nr_events && pd->events[j]->leader_idx == i; j++)
			out_printf(h->o, ",%s", pd->events[j]->name);
		out_str(h->o, "}\n");
	}
	ret = pd_list_open(d, pd->swap, &l, e);
	while (!ret && (ret = pd_group_desc_next(&l, &g, e)) > 0)
		ret = 0;
	return ret;
}

static int put_auxtrace(struct header_text *h, struct span d, struct perr *e)
{
	(void)d;
	(void)e;
	out_str(h->o, "# contains AUX area data (e.g. instruction trace)\n");
	return 0;
}

static int put_stat(struct header_text *h, struct span d, struct perr *e)
{
	(void)d;
	(void)e;
	out_str(h->o, "# contains stat data\n");
	return 0;
}

/* Seconds with six digits, cut as perf does. */
static void put_time(struct out *o, const char *label, u64 ns)
{
	out_printf(o, "# %s : %" PRIu64 ".%06" PRIu64 "\n", label, ns / 1000000000,
		   ns % 1000000000 / 1000);
}

static int put_sample_time(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_sample_time t;
	int err = pd_feature_sample_time(d, h->pd->swap, &t, e);

	if (err)
		return err;
	put_time(h->o, "time of first sample", t.first);
	put_time(h->o, "time of last sample", t.last);
	out_printf(h->o, "# sample duration : %10.3f ms\n", (double)(t.last - t.first) / 1e6);
	return 0;
}

static int put_clockid(struct header_text *h, struct span d, struct perr *e)
{
	u64 res_ns;
	int err = pd_feature_u64(d, h->pd->swap, &res_ns, e);

	if (err)
		return err;
	/* a resolution shown as a frequency: right for the usual 1 ns only, but so perf has it */
	out_printf(h->o, "# clockid frequency: %" PRIu64 " MHz\n", res_ns * 1000);
	return 0;
}

static int put_dir_format(struct header_text *h, struct span d, struct perr *e)
{
	u64 version;
	int err = pd_feature_u64(d, h->pd->swap, &version, e);

	if (err)
		return err;
	out_printf(h->o, "# directory data version : %" PRIu64 "\n", version);
	return 0;
}

static int put_compressed(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_compressed z;
	int err = pd_feature_compressed(d, h->pd->swap, &z, e);

	if (err)
		return err;
	out_printf(h->o, "# compressed : %s, level = %u, ratio = %u\n",
		   z.type == 1 ? "Zstd" : "Unknown", z.level, z.ratio);
	return 0;
}

/* Local time with strftime's format; "?" for one that no calendar has. */
static void local_time(s64 secs, const char *format, char *buf, size_t size)
{
	time_t t = (time_t)secs;
	struct tm tm;

	if (!localtime_r(&t, &tm) || !strftime(buf, size, format, &tm))
		snprintf(buf, size, "?");
}

static int put_clock_data(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_clock_data c;
	const char *name;
	char day[64];
	int err = pd_feature_clock_data(d, h->pd->swap, &c, e);

	if (err)
		return err;
	name = pd_clockid_name(c.clockid);
	if (!name)
		name = "(not found)";
	local_time((s64)(c.wall_ns / 1000000000), "%F %T", day, sizeof(day));
	out_printf(h->o, "# clockid: %s (%u)\n", name, c.clockid);
	out_printf(h->o,
		   "# reference time: %s.%06" PRIu64 " = %" PRIu64 ".%06" PRIu64 " (TOD) = %" PRIu64
		   ".%09" PRIu64 " (%s)\n",
		   day, c.wall_ns % 1000000000 / 1000, c.wall_ns / 1000000000,
		   c.wall_ns % 1000000000 / 1000, c.clock_ns / 1000000000, c.clock_ns % 1000000000,
		   name);
	return 0;
}

static int put_e_machine(struct header_text *h, struct span d, struct perr *e)
{
	struct pd_e_machine m;
	int err = pd_feature_e_machine(d, h->pd->swap, &m, e);

	if (err)
		return err;
	out_printf(h->o, "# e_machine : %u\n#   e_flags : %u\n", m.machine, m.flags);
	return 0;
}

static int put_cln_size(struct header_text *h, struct span d, struct perr *e)
{
	u32 size;
	int err = pd_feature_u32(d, h->pd->swap, &size, e);

	if (err)
		return err;
	out_printf(h->o, "# cacheline size: %u\n", size);
	return 0;
}

/* `only_full`: printed with -I only, else named. */
static const struct {
	int (*put)(struct header_text *h, struct span d, struct perr *e);
	bool only_full;
} printers[PD_FEAT_END] = {
	[PD_FEAT_HOSTNAME] = { put_hostname, false },
	[PD_FEAT_OSRELEASE] = { put_osrelease, false },
	[PD_FEAT_VERSION] = { put_version, false },
	[PD_FEAT_ARCH] = { put_arch, false },
	[PD_FEAT_NRCPUS] = { put_nrcpus, false },
	[PD_FEAT_CPUDESC] = { put_cpudesc, false },
	[PD_FEAT_CPUID] = { put_cpuid, false },
	[PD_FEAT_TOTAL_MEM] = { put_total_mem, false },
	[PD_FEAT_CMDLINE] = { put_cmdline, false },
	[PD_FEAT_EVENT_DESC] = { put_event_desc, false },
	[PD_FEAT_CPU_TOPOLOGY] = { header_put_cpu_topology, true },
	[PD_FEAT_NUMA_TOPOLOGY] = { header_put_numa, true },
	[PD_FEAT_BRANCH_STACK] = { put_branch_stack, false },
	[PD_FEAT_PMU_MAPPINGS] = { header_put_pmu_mappings, false },
	[PD_FEAT_GROUP_DESC] = { put_group_desc, false },
	[PD_FEAT_AUXTRACE] = { put_auxtrace, false },
	[PD_FEAT_STAT] = { put_stat, false },
	[PD_FEAT_CACHE] = { header_put_cache, true },
	[PD_FEAT_SAMPLE_TIME] = { put_sample_time, false },
	[PD_FEAT_MEM_TOPOLOGY] = { header_put_memory, true },
	[PD_FEAT_CLOCKID] = { put_clockid, false },
	[PD_FEAT_DIR_FORMAT] = { put_dir_format, false },
	[PD_FEAT_BPF_PROG_INFO] = { header_put_bpf_progs, false },
	[PD_FEAT_BPF_BTF] = { header_put_btf, false },
	[PD_FEAT_COMPRESSED] = { put_compressed, false },
	[PD_FEAT_CPU_PMU_CAPS] = { header_put_cpu_pmu_caps, false },
	[PD_FEAT_CLOCK_DATA] = { put_clock_data, false },
	[PD_FEAT_HYBRID_TOPOLOGY] = { header_put_hybrid, true },
	[PD_FEAT_PMU_CAPS] = { header_put_pmu_caps, false },
	[PD_FEAT_CPU_DOMAIN_INFO] = { header_put_cpu_domains, true },
	[PD_FEAT_E_MACHINE] = { put_e_machine, false },
	[PD_FEAT_CLN_SIZE] = { put_cln_size, false },
};

void header_text_feature(struct out *o, const struct perfdata *pd, u64 bit, struct span payload)
{
	struct header_text h = { .o = o, .pd = pd };
	struct perr e = { 0 };

	if (bit < PD_FEAT_END && printers[bit].put && printers[bit].put(&h, payload, &e) < 0)
		out_printf(o, "# %s cannot be read: %s\n", pd_feature_name((unsigned int)bit),
			   e.text);
}

/* Features from this bit on are unknown to the perf whose text is printed. */
static unsigned int features_end(const struct perfdata *pd)
{
	return pd->format == TEXT_PERF_6_1 ? PD_FEAT_PMU_CAPS + 1 : PD_FEAT_END;
}

static void put_features(struct out *o, const struct perfdata *pd, bool full_topology)
{
	unsigned int bit, end = features_end(pd);

	for (bit = 0; bit < end; bit++) {
		const struct pd_feature *f = pd_feature_get(pd, bit);

		if (!f || !printers[bit].put)
			continue;
		if (printers[bit].only_full && !full_topology)
			out_printf(o, "# %s info available, use -I to display\n",
				   pd_feature_name(bit));
		else
			header_text_feature(o, pd, bit, f->data);
	}
}

static void put_missing(struct out *o, const struct perfdata *pd)
{
	unsigned int bit, end = features_end(pd);

	out_str(o, "# missing features: ");
	for (bit = 1; bit < end; bit++)
		if (!pd_feature_get(pd, bit))
			out_printf(o, "%s ", pd_feature_name(bit));
	out_char(o, '\n');
}

static void put_header(struct out *o, const struct perfdata *pd, bool full_topology)
{
	bool pipe = pd->kind == PD_PIPE;
	u64 data_size = pipe || pd->no_size ? 0 : pd->data_size;
	u64 feat_off = pd->feat_off ? pd->feat_off : pd->data_off + data_size;
	char when[64];

	local_time(pd->mtime, "%a %b %e %H:%M:%S %Y", when, sizeof(when));
	out_printf(o, "# ========\n# captured on    : %s\n", when);
	out_printf(o, "# header version : %u\n", pd->version);
	out_printf(o, "# data offset    : %" PRIu64 "\n", pipe ? 0 : pd->data_off);
	out_printf(o, "# data size      : %" PRIu64 "\n", data_size);
	out_printf(o, "# feat offset    : %" PRIu64 "\n", pipe ? 0 : feat_off);
	if (!pipe) {
		put_features(o, pd, full_topology);
		put_missing(o, pd);
	}
	out_str(o, "# ========\n#\n");
}

/* Prints lines of comments, fitted to the terminal. */
static void print_fitted(void (*put)(struct out *o, const struct perfdata *pd, bool full),
			 struct out *o, const struct perfdata *pd, bool full_topology)
{
	struct out lines;

	if (!o->columns) {
		put(o, pd, full_topology);
		return;
	}
	out_init_mem(&lines);
	out_escape_like(&lines, o);
	put(&lines, pd, full_topology);
	if (lines.len)
		fit_comments(o, lines.buf, lines.len);
	out_fini(&lines);
}

void header_text_print(struct out *o, const struct perfdata *pd, bool full_topology)
{
	print_fitted(put_header, o, pd, full_topology);
}

void header_text_print_features(struct out *o, const struct perfdata *pd, bool full_topology)
{
	print_fitted(put_features, o, pd, full_topology);
}
