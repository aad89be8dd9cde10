/* SPDX-License-Identifier: MIT */
#include "fileformat/record.h"

#include <assert.h>

#include "fileformat/record_priv.h"

static const char *const kernel_names[] = {
	[PD_RECORD_MMAP] = "MMAP",
	[PD_RECORD_LOST] = "LOST",
	[PD_RECORD_COMM] = "COMM",
	[PD_RECORD_EXIT] = "EXIT",
	[PD_RECORD_THROTTLE] = "THROTTLE",
	[PD_RECORD_UNTHROTTLE] = "UNTHROTTLE",
	[PD_RECORD_FORK] = "FORK",
	[PD_RECORD_READ] = "READ",
	[PD_RECORD_SAMPLE] = "SAMPLE",
	[PD_RECORD_MMAP2] = "MMAP2",
	[PD_RECORD_AUX] = "AUX",
	[PD_RECORD_ITRACE_START] = "ITRACE_START",
	[PD_RECORD_LOST_SAMPLES] = "LOST_SAMPLES",
	[PD_RECORD_SWITCH] = "SWITCH",
	[PD_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE",
	[PD_RECORD_NAMESPACES] = "NAMESPACES",
	[PD_RECORD_KSYMBOL] = "KSYMBOL",
	[PD_RECORD_BPF_EVENT] = "BPF_EVENT",
	[PD_RECORD_CGROUP] = "CGROUP",
	[PD_RECORD_TEXT_POKE] = "TEXT_POKE",
	[PD_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID",
	[PD_RECORD_CALLCHAIN_DEFERRED] = "CALLCHAIN_DEFERRED",
};

static const char *const user_names[] = {
	[PD_RECORD_HEADER_ATTR - 64] = "ATTR",
	[PD_RECORD_HEADER_EVENT_TYPE - 64] = "EVENT_TYPE",
	[PD_RECORD_HEADER_TRACING_DATA - 64] = "TRACING_DATA",
	[PD_RECORD_HEADER_BUILD_ID - 64] = "BUILD_ID",
	[PD_RECORD_FINISHED_ROUND - 64] = "FINISHED_ROUND",
	[PD_RECORD_ID_INDEX - 64] = "ID_INDEX",
	[PD_RECORD_AUXTRACE_INFO - 64] = "AUXTRACE_INFO",
	[PD_RECORD_AUXTRACE - 64] = "AUXTRACE",
	[PD_RECORD_AUXTRACE_ERROR - 64] = "AUXTRACE_ERROR",
	[PD_RECORD_THREAD_MAP - 64] = "THREAD_MAP",
	[PD_RECORD_CPU_MAP - 64] = "CPU_MAP",
	[PD_RECORD_STAT_CONFIG - 64] = "STAT_CONFIG",
	[PD_RECORD_STAT - 64] = "STAT",
	[PD_RECORD_STAT_ROUND - 64] = "STAT_ROUND",
	[PD_RECORD_EVENT_UPDATE - 64] = "EVENT_UPDATE",
	[PD_RECORD_TIME_CONV - 64] = "TIME_CONV",
	[PD_RECORD_HEADER_FEATURE - 64] = "FEATURE",
	[PD_RECORD_COMPRESSED - 64] = "COMPRESSED",
	[PD_RECORD_FINISHED_INIT - 64] = "FINISHED_INIT",
	[PD_RECORD_COMPRESSED2 - 64] = "COMPRESSED2",
	[PD_RECORD_BPF_METADATA - 64] = "BPF_METADATA",
	[PD_RECORD_SCHEDSTAT_CPU - 64] = "SCHEDSTAT_CPU",
	[PD_RECORD_SCHEDSTAT_DOMAIN - 64] = "SCHEDSTAT_DOMAIN",
};

static_assert(ARRAY_SIZE(user_names) == PD_RECORD_MAX - 64, "every type has a name");

const char *pd_record_name(u32 type)
{
	if (type < ARRAY_SIZE(kernel_names))
		return kernel_names[type];
	if (type >= 64 && type - 64 < ARRAY_SIZE(user_names))
		return user_names[type - 64];
	return NULL;
}

int record_too_small(const struct pd_record *r, struct perr *e)
{
	const char *name = pd_record_name(r->type);

	return perr_at(e, PERR_FORMAT, r->off, "%s record of %u bytes is too small",
		       name ? name : "unknown", r->size);
}

int record_count_too_big(const struct pd_record *r, const char *what, u64 nr, struct perr *e)
{
	const char *name = pd_record_name(r->type);

	return perr_at(e, PERR_FORMAT, r->off, "%s record of %u bytes cannot hold %llu %s",
		       name ? name : "unknown", r->size, (unsigned long long)nr, what);
}

static bool all_zero(const u8 *p, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (p[i])
			return false;
	return true;
}

void pd_build_id_set(struct pd_build_id *b, const u8 *bytes, size_t size)
{
	size_t max = sizeof(b->data);

	if (!size || size > max)
		size = max;
	if (all_zero(bytes, size))
		size = 0;
	else if (size > 8 && all_zero(bytes + 8, size - 8))
		size = 8;
	else if (size > 16 && all_zero(bytes + 16, size - 16))
		size = 16;
	b->size = (u8)size;
	memset(b->data, 0, max);
	memcpy(b->data, bytes, size);
}

bool pd_mmap2_has_build_id(const u8 file[PD_MMAP2_FILE_BYTES], u16 misc, bool swap)
{
	u8 size = file[0];
	u32 min = get_u32(file + 4, swap);
	u64 ino = get_u64(file + 8, swap);

	if (!(misc & PD_MISC_MMAP_BUILD_ID) || !all_zero(file + 1, 3))
		return false;
	if (min >= 1u << 20) /* Linux has 20 bits for minor numbers */
		return true;
	if (all_zero(file + 4, 20))
		return size;
	return size && size <= 20 && ino >> 32 && all_zero(file + 4 + size, 20u - size);
}

static void read_mmap2_tail(struct cursor *c, u16 misc, struct pd_mmap *m)
{
	struct cursor file = *c;
	const u8 *p = cur_take(&file, PD_MMAP2_FILE_BYTES);

	m->is_mmap2 = true;
	m->has_build_id = p && pd_mmap2_has_build_id(p, misc, c->swap);
	if (m->has_build_id) {
		u8 size = cur_u8(c);
		const u8 *id;

		cur_skip(c, 3);
		id = cur_take(c, sizeof(m->build_id.data));
		if (id)
			pd_build_id_set(&m->build_id, id, size);
	} else {
		m->maj = cur_u32(c);
		m->min = cur_u32(c);
		m->ino = cur_u64(c);
		m->ino_generation = cur_u64(c);
	}
	m->prot = cur_u32(c);
	m->flags = cur_u32(c);
}

int pd_read_mmap(const struct pd_record *r, bool swap, struct pd_mmap *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_mmap m = { 0 };

	m.pid = cur_u32(&c);
	m.tid = cur_u32(&c);
	m.start = cur_u64(&c);
	m.len = cur_u64(&c);
	m.pgoff = cur_u64(&c);
	if (r->type == PD_RECORD_MMAP2)
		read_mmap2_tail(&c, r->misc, &m);
	if (c.bad)
		return record_too_small(r, e);
	m.filename = span_text(cur_rest(&c));
	*ret = m;
	return 0;
}

int pd_read_comm(const struct pd_record *r, bool swap, struct pd_comm *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u32 pid = cur_u32(&c), tid = cur_u32(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_comm){ .pid = pid, .tid = tid, .comm = span_text(cur_rest(&c)) };
	return 0;
}

int pd_read_task(const struct pd_record *r, bool swap, struct pd_task *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_task t;

	t.pid = cur_u32(&c);
	t.ppid = cur_u32(&c);
	t.tid = cur_u32(&c);
	t.ptid = cur_u32(&c);
	t.time = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	*ret = t;
	return 0;
}

int pd_read_namespaces(const struct pd_record *r, bool swap, struct pd_namespaces *ret,
		       struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_namespaces ns;

	ns.pid = cur_u32(&c);
	ns.tid = cur_u32(&c);
	ns.nr = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	ns.links = cur_array(&c, ns.nr, 16);
	if (c.bad)
		return record_count_too_big(r, "namespaces", ns.nr, e);
	*ret = ns;
	return 0;
}

int pd_read_ksymbol(const struct pd_record *r, bool swap, struct pd_ksymbol *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_ksymbol k;

	k.addr = cur_u64(&c);
	k.len = cur_u32(&c);
	k.ksym_type = cur_u16(&c);
	k.flags = cur_u16(&c);
	if (c.bad)
		return record_too_small(r, e);
	k.name = span_text(cur_rest(&c));
	*ret = k;
	return 0;
}

int pd_read_bpf_event(const struct pd_record *r, bool swap, struct pd_bpf_event *ret,
		      struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_bpf_event b;
	const u8 *tag;

	b.type = cur_u16(&c);
	b.flags = cur_u16(&c);
	b.id = cur_u32(&c);
	tag = cur_take(&c, sizeof(b.tag));
	if (!tag)
		return record_too_small(r, e);
	memcpy(b.tag, tag, sizeof(b.tag));
	*ret = b;
	return 0;
}

int pd_read_cgroup(const struct pd_record *r, bool swap, struct pd_cgroup *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 id = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_cgroup){ .id = id, .path = span_text(cur_rest(&c)) };
	return 0;
}

int pd_read_text_poke(const struct pd_record *r, bool swap, struct pd_text_poke *ret,
		      struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_text_poke t;
	u16 old_len, new_len;

	t.addr = cur_u64(&c);
	old_len = cur_u16(&c);
	new_len = cur_u16(&c);
	if (c.bad)
		return record_too_small(r, e);
	t.old_bytes = cur_bytes(&c, old_len);
	t.new_bytes = cur_bytes(&c, new_len);
	if (c.bad)
		return record_count_too_big(r, "bytes of code", (u64)old_len + new_len, e);
	*ret = t;
	return 0;
}

int pd_read_callchain_deferred(const struct pd_record *r, bool swap,
			       struct pd_callchain_deferred *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_callchain_deferred d;

	d.cookie = cur_u64(&c);
	d.nr = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	d.ips = cur_array(&c, d.nr, 8);
	if (c.bad)
		return record_count_too_big(r, "addresses", d.nr, e);
	*ret = d;
	return 0;
}

int pd_read_header_build_id(const struct pd_record *r, bool swap, struct pd_header_build_id *ret,
			    struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_header_build_id h;
	const u8 *id;
	u8 size;

	h.pid = (s32)cur_u32(&c);
	id = cur_take(&c, sizeof(h.build_id.data));
	size = cur_u8(&c);
	cur_skip(&c, 3);
	if (c.bad)
		return record_too_small(r, e);
	pd_build_id_set(&h.build_id, id, r->misc & PD_MISC_BUILD_ID_SIZE ? size : 0);
	h.filename = span_text(cur_rest(&c));
	*ret = h;
	return 0;
}
