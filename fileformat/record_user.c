/* SPDX-License-Identifier: MIT */
#include "fileformat/record_user.h"

#include "fileformat/record_priv.h"

#define ID_INDEX_ENTRY 32
#define ID_INDEX_MACHINE 16
#define THREAD_MAP_ENTRY 24
#define STAT_CONFIG_ENTRY 16
#define AUXTRACE_MSG 64
#define BPF_PROG_NAME 512
#define BPF_KEY 64
#define BPF_VALUE 256

/* Reads a table as in most records with arrays: u64 nr, then nr entries of `size` bytes. */
static int read_table(const struct pd_record *r, struct cursor *c, size_t size, u64 *ret_nr,
		      struct span *ret_entries, struct perr *e)
{
	u64 nr = cur_u64(c);
	struct span entries;

	if (c->bad)
		return record_too_small(r, e);
	entries = cur_array(c, nr, size);
	if (c->bad)
		return record_count_too_big(r, "entries", nr, e);
	*ret_nr = nr;
	*ret_entries = entries;
	return 0;
}

/*
 * Returns a cursor at element i of a table. Past the table's end it is empty, so that every read
 * gives 0.
 */
static struct cursor element(struct span entries, u64 i, size_t size, bool swap)
{
	if (i >= entries.n / size)
		return cursor_of(span_of(entries.p, 0), swap);
	return cursor_of(span_of(entries.p + i * size, size), swap);
}

int pd_read_id_index(const struct pd_record *r, bool swap, struct pd_id_index *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_id_index x = { 0 };
	int err;

	err = read_table(r, &c, ID_INDEX_ENTRY, &x.nr, &x.entries, e);
	if (err)
		return err;
	/*
	 * Later versions have a second table with ids of guests. It exists if the record has room
	 * for all of it.
	 */
	if (cur_left(&c) / ID_INDEX_MACHINE >= x.nr)
		x.machines = cur_array(&c, x.nr, ID_INDEX_MACHINE);
	*ret = x;
	return 0;
}

struct pd_id_index_entry pd_id_index_get(const struct pd_id_index *x, u64 i, bool swap)
{
	struct cursor c = element(x->entries, i, ID_INDEX_ENTRY, swap);
	struct cursor m = element(x->machines, i, ID_INDEX_MACHINE, swap);
	struct pd_id_index_entry ret;

	ret.id = cur_u64(&c);
	ret.idx = cur_u64(&c);
	ret.cpu = cur_u64(&c);
	ret.tid = cur_u64(&c);
	ret.machine_pid = cur_u64(&m);
	ret.vcpu = cur_u64(&m);
	return ret;
}

int pd_read_auxtrace_info(const struct pd_record *r, bool swap, struct pd_auxtrace_info *ret,
			  struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u32 type = cur_u32(&c);

	cur_skip(&c, 4);
	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_auxtrace_info){ .type = type, .priv = cur_rest(&c) };
	ret->priv.n &= ~(size_t)7;
	return 0;
}

int pd_read_auxtrace(const struct pd_record *r, bool swap, struct pd_auxtrace_record *ret,
		     struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_auxtrace_record a;

	a.size = cur_u64(&c);
	a.offset = cur_u64(&c);
	a.reference = cur_u64(&c);
	a.idx = cur_u32(&c);
	a.tid = cur_u32(&c);
	a.cpu = cur_u32(&c);
	if (c.bad)
		return record_too_small(r, e);
	*ret = a;
	return 0;
}

int pd_read_auxtrace_error(const struct pd_record *r, bool swap, struct pd_auxtrace_error *ret,
			   struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_auxtrace_error x = { 0 };
	struct span msg;

	x.type = cur_u32(&c);
	x.code = cur_u32(&c);
	x.cpu = cur_u32(&c);
	x.pid = cur_u32(&c);
	x.tid = cur_u32(&c);
	x.fmt = cur_u32(&c);
	x.ip = cur_u64(&c);
	if (x.fmt >= 1)
		x.time = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	/*
	 * The record ends after the text if no other member follows, so the text may be shorter
	 * than its array.
	 */
	msg = cur_rest(&c);
	if (msg.n > AUXTRACE_MSG)
		msg.n = AUXTRACE_MSG;
	x.msg = span_text(msg);
	if (x.fmt >= 2) {
		cur_skip(&c, AUXTRACE_MSG);
		x.machine_pid = cur_u32(&c);
		x.vcpu = cur_u32(&c);
		if (c.bad)
			return record_too_small(r, e);
	}
	*ret = x;
	return 0;
}

int pd_read_thread_map(const struct pd_record *r, bool swap, struct pd_thread_map *ret,
		       struct perr *e)
{
	struct cursor c = record_cursor(r, swap);

	return read_table(r, &c, THREAD_MAP_ENTRY, &ret->nr, &ret->entries, e);
}

struct pd_thread_map_entry pd_thread_map_get(const struct pd_thread_map *m, u64 i, bool swap)
{
	struct cursor c = element(m->entries, i, THREAD_MAP_ENTRY, swap);
	struct pd_thread_map_entry ret;

	ret.pid = cur_u64(&c);
	ret.comm = span_text(cur_rest(&c));
	return ret;
}

/*
 * Decodes the data of a CPU map, from its u16 type on. The structs on disk are packed: the u32
 * words of a mask begin at byte 6, its u64 words at byte 10.
 */
static void decode_cpu_map(struct cursor *c, struct pd_cpu_map *ret)
{
	struct pd_cpu_map m = { .kind = cur_u16(c) };

	switch (m.kind) {
	case PD_CPU_MAP_LIST:
		m.nr = cur_u16(c);
		m.words = cur_array(c, m.nr, 2);
		break;
	case PD_CPU_MAP_MASK:
		m.nr = cur_u16(c);
		m.word_size = cur_u16(c);
		if (m.word_size == 8)
			cur_skip(c, 4);
		else if (m.word_size != 4)
			c->bad = true;
		if (!c->bad)
			m.words = cur_array(c, m.nr, m.word_size);
		break;
	case PD_CPU_MAP_RANGE:
		m.any_cpu = cur_u8(c);
		cur_skip(c, 1);
		m.first = cur_u16(c);
		m.last = cur_u16(c);
		break;
	default: c->bad = true;
	}
	*ret = m;
}

int pd_read_cpu_map(const struct pd_record *r, bool swap, struct pd_cpu_map *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_cpu_map m;

	decode_cpu_map(&c, &m);
	if (c.bad)
		return perr_at(e, PERR_FORMAT, r->off,
			       "CPU_MAP record of %u bytes does not hold a map of kind %u", r->size,
			       m.kind);
	*ret = m;
	return 0;
}

static bool next_in_list(const struct pd_cpu_map *m, u32 *pos, bool swap, s32 *ret_cpu)
{
	u16 cpu;

	if (*pos >= m->words.n / 2)
		return false;
	cpu = get_u16(m->words.p + 2 * (*pos)++, swap);
	*ret_cpu = cpu == UINT16_MAX ? -1 : cpu;
	return true;
}

static bool next_in_mask(const struct pd_cpu_map *m, u32 *pos, bool swap, s32 *ret_cpu)
{
	u32 bits = m->word_size * 8;
	u32 i, nr = (u32)(m->words.n / m->word_size);

	for (i = *pos / bits; i < nr; i++) {
		const u8 *p = m->words.p + i * m->word_size;
		u64 w = m->word_size == 8 ? get_u64(p, swap) : get_u32(p, swap);

		if (i == *pos / bits)
			w &= UINT64_MAX << (*pos % bits);
		if (w) {
			*ret_cpu = (s32)(i * bits) + __builtin_ctzll(w);
			*pos = (u32)*ret_cpu + 1;
			return true;
		}
	}
	*pos = nr * bits;
	return false;
}

static bool next_in_range(const struct pd_cpu_map *m, u32 *pos, s32 *ret_cpu)
{
	u32 i = (*pos)++;

	if (m->any_cpu && i == 0) {
		*ret_cpu = -1;
		return true;
	}
	*ret_cpu = (s32)(m->first + i - (m->any_cpu ? 1 : 0));
	return *ret_cpu <= m->last;
}

bool pd_cpu_map_next(const struct pd_cpu_map *m, u32 *pos, bool swap, s32 *ret_cpu)
{
	switch (m->kind) {
	case PD_CPU_MAP_LIST: return next_in_list(m, pos, swap, ret_cpu);
	case PD_CPU_MAP_MASK: return next_in_mask(m, pos, swap, ret_cpu);
	default: return next_in_range(m, pos, ret_cpu);
	}
}

int pd_read_stat_config(const struct pd_record *r, bool swap, struct pd_stat_config *ret,
			struct perr *e)
{
	struct cursor c = record_cursor(r, swap);

	return read_table(r, &c, STAT_CONFIG_ENTRY, &ret->nr, &ret->entries, e);
}

int pd_read_stat(const struct pd_record *r, bool swap, struct pd_stat *ret, struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_stat s;

	s.id = cur_u64(&c);
	s.cpu = cur_u32(&c);
	s.thread = cur_u32(&c);
	s.val = cur_u64(&c);
	s.ena = cur_u64(&c);
	s.run = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	*ret = s;
	return 0;
}

int pd_read_stat_round(const struct pd_record *r, bool swap, struct pd_stat_round *ret,
		       struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 type = cur_u64(&c), time = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_stat_round){ .type = type, .time = time };
	return 0;
}

int pd_read_event_update(const struct pd_record *r, bool swap, struct pd_event_update *ret,
			 struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_event_update u = { 0 };
	u64 bits;

	u.type = cur_u64(&c);
	u.id = cur_u64(&c);
	switch (u.type) {
	case PD_UPDATE_UNIT:
	case PD_UPDATE_NAME: u.text = span_text(cur_rest(&c)); break;
	case PD_UPDATE_SCALE:
		bits = cur_u64(&c);
		memcpy(&u.scale, &bits, sizeof(u.scale));
		break;
	case PD_UPDATE_CPUS: decode_cpu_map(&c, &u.cpus); break;
	default: break;
	}
	if (c.bad)
		return record_too_small(r, e);
	*ret = u;
	return 0;
}

int pd_read_time_conv(const struct pd_record *r, bool swap, struct pd_time_conv *ret,
		      struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_time_conv t = { 0 };

	t.shift = cur_u64(&c);
	t.mult = cur_u64(&c);
	t.zero = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	t.has_cycles = cur_left(&c) >= 18;
	if (t.has_cycles) {
		t.cycles = cur_u64(&c);
		t.mask = cur_u64(&c);
		t.cap_user_time_zero = cur_u8(&c);
		t.cap_user_time_short = cur_u8(&c);
	}
	*ret = t;
	return 0;
}

int pd_read_header_feature(const struct pd_record *r, bool swap, struct pd_header_feature *ret,
			   struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	u64 id = cur_u64(&c);

	if (c.bad)
		return record_too_small(r, e);
	*ret = (struct pd_header_feature){ .feat_id = id, .data = cur_rest(&c) };
	return 0;
}

int pd_read_bpf_metadata(const struct pd_record *r, bool swap, struct pd_bpf_metadata *ret,
			 struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_bpf_metadata m = { 0 };
	int err;

	m.prog_name = span_text(cur_bytes(&c, BPF_PROG_NAME));
	err = read_table(r, &c, BPF_KEY + BPF_VALUE, &m.nr, &m.entries, e);
	if (err)
		return err;
	*ret = m;
	return 0;
}

struct pd_bpf_metadata_entry pd_bpf_metadata_get(const struct pd_bpf_metadata *m, u64 i)
{
	struct cursor c = element(m->entries, i, BPF_KEY + BPF_VALUE, false);
	struct pd_bpf_metadata_entry ret;

	ret.key = span_text(cur_bytes(&c, BPF_KEY));
	ret.value = span_text(cur_bytes(&c, BPF_VALUE));
	return ret;
}

int pd_read_schedstat_cpu(const struct pd_record *r, bool swap, struct pd_schedstat_cpu *ret,
			  struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_schedstat_cpu s;

	s.timestamp = cur_u64(&c);
	s.cpu = cur_u32(&c);
	s.version = cur_u16(&c);
	cur_skip(&c, 2);
	s.yld_count = cur_u32(&c);
	s.array_exp = cur_u32(&c);
	s.sched_count = cur_u32(&c);
	s.sched_goidle = cur_u32(&c);
	s.ttwu_count = cur_u32(&c);
	s.ttwu_local = cur_u32(&c);
	s.rq_cpu_time = cur_u64(&c);
	s.run_delay = cur_u64(&c);
	s.pcount = cur_u64(&c);
	if (c.bad)
		return record_too_small(r, e);
	*ret = s;
	return 0;
}

int pd_read_schedstat_domain(const struct pd_record *r, bool swap, struct pd_schedstat_domain *ret,
			     struct perr *e)
{
	struct cursor c = record_cursor(r, swap);
	struct pd_schedstat_domain d;

	d.timestamp = cur_u64(&c);
	d.cpu = cur_u32(&c);
	d.version = cur_u16(&c);
	d.domain = cur_u16(&c);
	if (c.bad)
		return record_too_small(r, e);
	d.counters = cur_rest(&c);
	d.counters.n &= ~(size_t)3;
	*ret = d;
	return 0;
}
