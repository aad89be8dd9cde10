/* SPDX-License-Identifier: MIT */
#include "fileformat/feature/feature.h"

static const char *const feature_names[PD_FEAT_END] = {
	[PD_FEAT_TRACING_DATA] = "TRACING_DATA",
	[PD_FEAT_BUILD_ID] = "BUILD_ID",
	[PD_FEAT_HOSTNAME] = "HOSTNAME",
	[PD_FEAT_OSRELEASE] = "OSRELEASE",
	[PD_FEAT_VERSION] = "VERSION",
	[PD_FEAT_ARCH] = "ARCH",
	[PD_FEAT_NRCPUS] = "NRCPUS",
	[PD_FEAT_CPUDESC] = "CPUDESC",
	[PD_FEAT_CPUID] = "CPUID",
	[PD_FEAT_TOTAL_MEM] = "TOTAL_MEM",
	[PD_FEAT_CMDLINE] = "CMDLINE",
	[PD_FEAT_EVENT_DESC] = "EVENT_DESC",
	[PD_FEAT_CPU_TOPOLOGY] = "CPU_TOPOLOGY",
	[PD_FEAT_NUMA_TOPOLOGY] = "NUMA_TOPOLOGY",
	[PD_FEAT_BRANCH_STACK] = "BRANCH_STACK",
	[PD_FEAT_PMU_MAPPINGS] = "PMU_MAPPINGS",
	[PD_FEAT_GROUP_DESC] = "GROUP_DESC",
	[PD_FEAT_AUXTRACE] = "AUXTRACE",
	[PD_FEAT_STAT] = "STAT",
	[PD_FEAT_CACHE] = "CACHE",
	[PD_FEAT_SAMPLE_TIME] = "SAMPLE_TIME",
	[PD_FEAT_MEM_TOPOLOGY] = "MEM_TOPOLOGY",
	[PD_FEAT_CLOCKID] = "CLOCKID",
	[PD_FEAT_DIR_FORMAT] = "DIR_FORMAT",
	[PD_FEAT_BPF_PROG_INFO] = "BPF_PROG_INFO",
	[PD_FEAT_BPF_BTF] = "BPF_BTF",
	[PD_FEAT_COMPRESSED] = "COMPRESSED",
	[PD_FEAT_CPU_PMU_CAPS] = "CPU_PMU_CAPS",
	[PD_FEAT_CLOCK_DATA] = "CLOCK_DATA",
	[PD_FEAT_HYBRID_TOPOLOGY] = "HYBRID_TOPOLOGY",
	[PD_FEAT_PMU_CAPS] = "PMU_CAPS",
	[PD_FEAT_CPU_DOMAIN_INFO] = "CPU_DOMAIN_INFO",
	[PD_FEAT_E_MACHINE] = "E_MACHINE",
	[PD_FEAT_CLN_SIZE] = "CLN_SIZE",
};

const char *pd_feature_name(unsigned int bit)
{
	return bit < PD_FEAT_END ? feature_names[bit] : NULL;
}

struct span pd_cur_string(struct cursor *c)
{
	u32 len = cur_u32(c);
	struct span s = cur_bytes(c, len);

	s.n = span_strlen(s);
	return s;
}

struct pd_strings pd_cur_strings(struct cursor *c)
{
	struct pd_strings s = { 0 };
	u32 i;

	s.nr = s.left = cur_u32(c);
	s.c = *c;
	/* the list ends at the first string that does not fit, even if the count is larger */
	for (i = 0; i < s.nr && !c->bad; i++)
		(void)pd_cur_string(c);
	if (c->bad)
		s.nr = s.left = 0;
	return s;
}

bool pd_strings_next(struct pd_strings *s, struct span *ret)
{
	if (!s->left)
		return false;
	s->left--;
	*ret = pd_cur_string(&s->c);
	return true;
}

static int too_short(struct span payload, struct perr *e)
{
	return perr_set(e, PERR_FORMAT, "does not fit into its section of %zu bytes", payload.n);
}

int pd_list_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e)
{
	struct pd_list l = { .c = cursor_of(payload, swap) };

	l.nr = l.left = cur_u32(&l.c);
	if (l.c.bad)
		return too_short(payload, e);
	*ret = l;
	return 0;
}

int pd_list_item(struct pd_list *l, struct perr *e)
{
	if (l->c.bad) {
		u64 at = l->nr - l->left;

		l->left = 0;
		return perr_set(e, PERR_FORMAT, "ends inside item %llu of %llu",
				(unsigned long long)at + 1, (unsigned long long)l->nr);
	}
	l->left--;
	return 1;
}

int pd_feature_text(struct span payload, bool swap, struct span *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	struct span s = pd_cur_string(&c);

	if (c.bad)
		return too_short(payload, e);
	*ret = s;
	return 0;
}

int pd_feature_u64(struct span payload, bool swap, u64 *ret, struct perr *e)
{
	if (payload.n < 8)
		return too_short(payload, e);
	*ret = get_u64(payload.p, swap);
	return 0;
}

int pd_feature_u32(struct span payload, bool swap, u32 *ret, struct perr *e)
{
	if (payload.n < 4)
		return too_short(payload, e);
	*ret = get_u32(payload.p, swap);
	return 0;
}

int pd_feature_nrcpus(struct span payload, bool swap, struct pd_nrcpus *ret, struct perr *e)
{
	if (payload.n < 8)
		return too_short(payload, e);
	ret->avail = get_u32(payload.p, swap);
	ret->online = get_u32(payload.p + 4, swap);
	return 0;
}

int pd_feature_cmdline(struct span payload, bool swap, struct pd_strings *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	struct pd_strings s = pd_cur_strings(&c);

	if (c.bad)
		return too_short(payload, e);
	*ret = s;
	return 0;
}

int pd_feature_sample_time(struct span payload, bool swap, struct pd_sample_time *ret,
			   struct perr *e)
{
	if (payload.n < 16)
		return too_short(payload, e);
	ret->first = get_u64(payload.p, swap);
	ret->last = get_u64(payload.p + 8, swap);
	return 0;
}

int pd_feature_compressed(struct span payload, bool swap, struct pd_compressed *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	struct pd_compressed v;

	v.version = cur_u32(&c);
	v.type = cur_u32(&c);
	v.level = cur_u32(&c);
	v.ratio = cur_u32(&c);
	v.mmap_len = cur_u32(&c);
	if (c.bad)
		return too_short(payload, e);
	*ret = v;
	return 0;
}

int pd_feature_clock_data(struct span payload, bool swap, struct pd_clock_data *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	struct pd_clock_data v;
	u32 version = cur_u32(&c);

	v.clockid = cur_u32(&c);
	v.wall_ns = cur_u64(&c);
	v.clock_ns = cur_u64(&c);
	if (c.bad)
		return too_short(payload, e);
	if (version != 1)
		return perr_set(e, PERR_UNSUPPORTED, "version %u is not known", version);
	*ret = v;
	return 0;
}

const char *pd_clockid_name(u32 clockid)
{
	/* the numbers are those of include/uapi/linux/time.h */
	static const char *const names[] = {
		[0] = "realtime", [1] = "monotonic", [4] = "monotonic_raw",
		[7] = "boottime", [11] = "tai",
	};

	return clockid < ARRAY_SIZE(names) ? names[clockid] : NULL;
}

int pd_feature_e_machine(struct span payload, bool swap, struct pd_e_machine *ret, struct perr *e)
{
	if (payload.n < 8)
		return too_short(payload, e);
	ret->machine = get_u32(payload.p, swap);
	ret->flags = get_u32(payload.p + 4, swap);
	return 0;
}

int pd_auxtrace_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e)
{
	struct pd_list l = { .c = cursor_of(payload, swap) };

	l.nr = l.left = cur_u64(&l.c);
	if (l.c.bad || l.nr > cur_left(&l.c) / 16)
		return too_short(payload, e);
	*ret = l;
	return 0;
}

int pd_auxtrace_next(struct pd_list *l, struct pd_auxtrace *ret, struct perr *e)
{
	struct pd_auxtrace v;

	if (!l->left)
		return 0;
	v.off = cur_u64(&l->c);
	v.size = cur_u64(&l->c);
	*ret = v;
	return pd_list_item(l, e);
}
