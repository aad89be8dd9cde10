/* SPDX-License-Identifier: MIT */
#include "report/text/attr_text.h"

#include "base/mem.h"
#include "fileformat/attr_names.h"
#include "fileformat/feature/feature_pmu.h"
#include "fileformat/tracing_data.h"

#define KEY_PMU 0
#define KEY_TRACEPOINT 1

static void add_name(struct attr_text *t, u64 key, u64 kind, struct attr_text_name name)
{
	if (idmap_get(&t->index, key, kind) != IDMAP_NONE)
		return;
	idmap_put(&t->index, key, kind, (u32)t->nr);
	vec_push(t->names, t->nr, t->cap, name);
}

void attr_text_init(struct attr_text *t, const struct perfdata *pd)
{
	const struct pd_feature *f;
	struct pd_pmu_mapping m;
	struct pd_tracepoint tp;
	struct pd_tracing tr;
	struct pd_list l;

	*t = (struct attr_text){ 0 };
	if (!pd)
		return;
	t->format = pd->format;
	/* what is damaged names less; whoever prints the section itself says so */
	f = pd_feature_get(pd, PD_FEAT_PMU_MAPPINGS);
	if (f && !pd_list_open(f->data, pd->swap, &l, NULL))
		while (pd_pmu_mapping_next(&l, &m, NULL) > 0)
			add_name(t, m.type, KEY_PMU, (struct attr_text_name){ .a = m.name });
	if (pd->tracing_data.n && !pd_tracing_open(pd->tracing_data, &tr, NULL))
		while (pd_tracing_next(&tr, &tp, NULL) > 0)
			add_name(t, tp.id, KEY_TRACEPOINT,
				 (struct attr_text_name){ tp.system, tp.name, tp.format });
}

void attr_text_fini(struct attr_text *t)
{
	idmap_fini(&t->index);
	free(t->names);
	*t = (struct attr_text){ 0 };
}

static const struct attr_text_name *find_name(const struct attr_text *t, u64 key, u64 kind)
{
	u32 at = idmap_get(&t->index, key, kind);

	return at == IDMAP_NONE ? NULL : &t->names[at];
}

struct span attr_text_format(const struct attr_text *t, u64 id)
{
	const struct attr_text_name *tp = find_name(t, id, KEY_TRACEPOINT);

	return tp ? tp->format : span_of(NULL, 0);
}

static void put_span(struct out *o, struct span s)
{
	if (s.n)
		out_mem(o, s.p, s.n);
}

/* --- type and config -------------------------------------------------------------------------- */

static const char *const type_names[] = {
	[PD_TYPE_HARDWARE] = "PERF_TYPE_HARDWARE",
	[PD_TYPE_SOFTWARE] = "PERF_TYPE_SOFTWARE",
	[PD_TYPE_TRACEPOINT] = "PERF_TYPE_TRACEPOINT",
	[PD_TYPE_HW_CACHE] = "PERF_TYPE_HW_CACHE",
	[PD_TYPE_RAW] = "PERF_TYPE_RAW",
	[PD_TYPE_BREAKPOINT] = "PERF_TYPE_BREAKPOINT",
};

static const char *const hardware_names[] = {
	"CPU_CYCLES",
	"INSTRUCTIONS",
	"CACHE_REFERENCES",
	"CACHE_MISSES",
	"BRANCH_INSTRUCTIONS",
	"BRANCH_MISSES",
	"BUS_CYCLES",
	"STALLED_CYCLES_FRONTEND",
	"STALLED_CYCLES_BACKEND",
	"REF_CPU_CYCLES",
};

static const char *const software_names[] = {
	"CPU_CLOCK",        "TASK_CLOCK",      "PAGE_FAULTS",     "CONTEXT_SWITCHES",
	"CPU_MIGRATIONS",   "PAGE_FAULTS_MIN", "PAGE_FAULTS_MAJ", "ALIGNMENT_FAULTS",
	"EMULATION_FAULTS", "DUMMY",           "BPF_OUTPUT",      "CGROUP_SWITCHES",
};

static const char *const cache_names[] = { "L1D", "L1I", "LL", "DTLB", "ITLB", "BPU", "NODE" };
static const char *const cache_op_names[] = { "READ", "WRITE", "PREFETCH" };
static const char *const cache_result_names[] = { "ACCESS", "MISS" };

static void put_type(const struct attr_text *t, struct out *o, u32 type)
{
	const struct attr_text_name *pmu = NULL;

	/* a core PMU often has the number of PERF_TYPE_RAW: then its name is told */
	if (type >= ARRAY_SIZE(type_names) || type == PD_TYPE_RAW)
		pmu = find_name(t, type, KEY_PMU);
	out_dec(o, type, 0);
	if (pmu && pmu->a.n) {
		out_str(o, " (");
		put_span(o, pmu->a);
		out_char(o, ')');
	} else if (type < ARRAY_SIZE(type_names)) {
		out_printf(o, " (%s)", type_names[type]);
	}
}

/* The tracepoint's "system:event" out of an event's name, which may end in modifiers. */
static size_t tracepoint_len(const char *name)
{
	const char *colon = name ? strchr(name, ':') : NULL;

	return colon ? (size_t)(colon - name) + 1 + strcspn(colon + 1, ":/") : 0;
}

/* Hybrid CPUs have the PMU's type in the upper half of a generic event's config. */
static void put_generic(const struct attr_text *t, struct out *o, u64 config, const char *prefix,
			const char *a, const char *b, const char *c)
{
	const struct attr_text_name *pmu = NULL;

	if (config >> 32)
		pmu = find_name(t, config >> 32, KEY_PMU);
	out_str(o, " (");
	if (pmu) {
		put_span(o, pmu->a);
		out_char(o, '/');
	}
	if (c)
		out_printf(o, "%sRESULT_%s | %sOP_%s | %s%s", prefix, c, prefix, b, prefix, a);
	else
		out_printf(o, "%s%s", prefix, a);
	out_str(o, pmu ? "/)" : ")");
}

static void put_config(const struct attr_text *t, struct out *o, const struct pd_attr *a,
		       const char *name)
{
	u64 low = a->config & 0xffffffff;
	const struct attr_text_name *tp;
	size_t n;

	out_printf(o, "%#llx", (unsigned long long)a->config);
	switch (a->type) {
	case PD_TYPE_HARDWARE:
		if (low < ARRAY_SIZE(hardware_names))
			put_generic(t, o, a->config, "PERF_COUNT_HW_", hardware_names[low], NULL,
				    NULL);
		break;
	case PD_TYPE_SOFTWARE:
		if (a->config < ARRAY_SIZE(software_names))
			out_printf(o, " (PERF_COUNT_SW_%s)", software_names[a->config]);
		break;
	case PD_TYPE_TRACEPOINT:
		tp = find_name(t, a->config, KEY_TRACEPOINT);
		n = tracepoint_len(name);
		if (!tp && !n)
			break;
		out_str(o, " (");
		if (tp) {
			put_span(o, tp->a);
			out_char(o, ':');
			put_span(o, tp->b);
		} else {
			out_mem(o, name, n);
		}
		out_char(o, ')');
		break;
	case PD_TYPE_HW_CACHE:
		if ((low & 0xff) < ARRAY_SIZE(cache_names) &&
		    (low >> 8 & 0xff) < ARRAY_SIZE(cache_op_names) &&
		    (low >> 16 & 0xff) < ARRAY_SIZE(cache_result_names))
			put_generic(t, o, a->config, "PERF_COUNT_HW_CACHE_",
				    cache_names[low & 0xff], cache_op_names[low >> 8 & 0xff],
				    cache_result_names[low >> 16 & 0xff]);
		break;
	default: break;
	}
}

/* --- bit sets --------------------------------------------------------------------------------- */

static const struct pd_bit_name branch_type_names[] = {
	{ 1 << 0, "USER" },       { 1 << 1, "KERNEL" },     { 1 << 2, "HV" },
	{ 1 << 3, "ANY" },        { 1 << 4, "ANY_CALL" },   { 1 << 5, "ANY_RETURN" },
	{ 1 << 6, "IND_CALL" },   { 1 << 7, "ABORT_TX" },   { 1 << 8, "IN_TX" },
	{ 1 << 9, "NO_TX" },      { 1 << 10, "COND" },      { 1 << 11, "CALL_STACK" },
	{ 1 << 12, "IND_JUMP" },  { 1 << 13, "CALL" },      { 1 << 14, "NO_FLAGS" },
	{ 1 << 15, "NO_CYCLES" }, { 1 << 16, "TYPE_SAVE" }, { 1 << 17, "HW_INDEX" },
	{ 1 << 18, "PRIV_SAVE" }, { 1 << 19, "COUNTERS" },
};

/* Names joined by |; bits without a name are told, in hex, only where no other bit is set. */
static void put_bits(struct out *o, u64 v, const struct pd_bit_name *names, size_t nr)
{
	bool any = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (!(v & names[i].bit))
			continue;
		if (any)
			out_char(o, '|');
		out_str(o, names[i].name);
		any = true;
	}
	if (!any)
		out_printf(o, "%#llx", (unsigned long long)v);
}

/* --- the attr --------------------------------------------------------------------------------- */

struct printer {
	struct out *o;
	enum attr_style style;
	bool any;
};

static void key(struct printer *p, const char *name)
{
	if (p->any || p->style == ATTR_HEADER)
		out_char(p->o, ',');
	out_char(p->o, ' ');
	out_str(p->o, name);
	out_str(p->o, p->style == ATTR_HEADER ? " = " : ": ");
	p->any = true;
}

static void dec(struct printer *p, const char *name, u64 v)
{
	if (!v)
		return;
	key(p, name);
	out_dec(p->o, v, 0);
}

static void hex(struct printer *p, const char *name, u64 v)
{
	if (!v)
		return;
	key(p, name);
	out_printf(p->o, "%#llx", (unsigned long long)v);
}

static void bits(struct printer *p, const char *name, u64 v, const struct pd_bit_name *names,
		 size_t nr)
{
	if (!v)
		return;
	key(p, name);
	put_bits(p->o, v, names, nr);
}

/* In the order of their bits; precise_ip takes two. */
static const char *const flag_names[] = {
	[PD_ATTR_DISABLED] = "disabled",
	[PD_ATTR_INHERIT] = "inherit",
	[PD_ATTR_PINNED] = "pinned",
	[PD_ATTR_EXCLUSIVE] = "exclusive",
	[PD_ATTR_EXCLUDE_USER] = "exclude_user",
	[PD_ATTR_EXCLUDE_KERNEL] = "exclude_kernel",
	[PD_ATTR_EXCLUDE_HV] = "exclude_hv",
	[PD_ATTR_EXCLUDE_IDLE] = "exclude_idle",
	[PD_ATTR_MMAP] = "mmap",
	[PD_ATTR_COMM] = "comm",
	[PD_ATTR_FREQ] = "freq",
	[PD_ATTR_INHERIT_STAT] = "inherit_stat",
	[PD_ATTR_ENABLE_ON_EXEC] = "enable_on_exec",
	[PD_ATTR_TASK] = "task",
	[PD_ATTR_WATERMARK] = "watermark",
	[PD_ATTR_PRECISE_IP] = "precise_ip",
	[PD_ATTR_MMAP_DATA] = "mmap_data",
	[PD_ATTR_SAMPLE_ID_ALL] = "sample_id_all",
	[PD_ATTR_EXCLUDE_HOST] = "exclude_host",
	[PD_ATTR_EXCLUDE_GUEST] = "exclude_guest",
	[PD_ATTR_EXCLUDE_CALLCHAIN_KERNEL] = "exclude_callchain_kernel",
	[PD_ATTR_EXCLUDE_CALLCHAIN_USER] = "exclude_callchain_user",
	[PD_ATTR_MMAP2] = "mmap2",
	[PD_ATTR_COMM_EXEC] = "comm_exec",
	[PD_ATTR_USE_CLOCKID] = "use_clockid",
	[PD_ATTR_CONTEXT_SWITCH] = "context_switch",
	[PD_ATTR_WRITE_BACKWARD] = "write_backward",
	[PD_ATTR_NAMESPACES] = "namespaces",
	[PD_ATTR_KSYMBOL] = "ksymbol",
	[PD_ATTR_BPF_EVENT] = "bpf_event",
	[PD_ATTR_AUX_OUTPUT] = "aux_output",
	[PD_ATTR_CGROUP] = "cgroup",
	[PD_ATTR_TEXT_POKE] = "text_poke",
	[PD_ATTR_BUILD_ID] = "build_id",
	[PD_ATTR_INHERIT_THREAD] = "inherit_thread",
	[PD_ATTR_REMOVE_ON_EXEC] = "remove_on_exec",
	[PD_ATTR_SIGTRAP] = "sigtrap",
	[PD_ATTR_DEFER_CALLCHAIN] = "defer_callchain",
	[PD_ATTR_DEFER_OUTPUT] = "defer_output",
};

static void flags(struct printer *p, const struct pd_attr *a)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flag_names); i++) {
		if (i == PD_ATTR_PRECISE_IP)
			dec(p, flag_names[i], pd_attr_precise(a));
		else if (flag_names[i])
			dec(p, flag_names[i], a->flags >> i & 1);
	}
}

void attr_text_print(const struct attr_text *t, struct out *o, const struct pd_attr *a,
		     const char *name, enum attr_style style)
{
	struct printer p = { .o = o, .style = style };
	u32 size = a->size_is_0 ? 0 : a->size;

	if (t->format == TEXT_PERF_6_1) {
		dec(&p, "type", a->type);
		dec(&p, "size", size);
		hex(&p, "config", a->config);
	} else {
		key(&p, "type");
		put_type(t, o, a->type);
		dec(&p, "size", size);
		key(&p, "config");
		put_config(t, o, a, name);
	}
	dec(&p, "{ sample_period, sample_freq }", a->sample_period_or_freq);
	bits(&p, "sample_type", a->sample_type, pd_sample_type_names,
	     PD_NR_SAMPLE_TYPE_NAMES - 1 /* as perf: without TRANSACTION */);
	bits(&p, "read_format", a->read_format, pd_read_format_names, PD_NR_READ_FORMAT_NAMES);
	flags(&p, a);
	dec(&p, "{ wakeup_events, wakeup_watermark }", a->wakeup_events_or_watermark);
	dec(&p, "bp_type", a->bp_type);
	hex(&p, "{ bp_addr, config1 }", a->config1);
	hex(&p, "{ bp_len, config2 }", a->config2);
	bits(&p, "branch_sample_type", a->branch_sample_type, branch_type_names,
	     ARRAY_SIZE(branch_type_names));
	hex(&p, "sample_regs_user", a->sample_regs_user);
	dec(&p, "sample_stack_user", a->sample_stack_user);
	if (a->clockid) {
		key(&p, "clockid");
		out_printf(o, "%d", a->clockid);
	}
	hex(&p, "sample_regs_intr", a->sample_regs_intr);
	dec(&p, "aux_watermark", a->aux_watermark);
	dec(&p, "sample_max_stack", a->sample_max_stack);
	dec(&p, "aux_sample_size", a->aux_sample_size);
	dec(&p, "sig_data", a->sig_data);
	dec(&p, "aux_start_paused", a->aux_action & 1);
	dec(&p, "aux_pause", a->aux_action >> 1 & 1);
	dec(&p, "aux_resume", a->aux_action >> 2 & 1);
}
