/* SPDX-License-Identifier: MIT */
#include "fileformat/sample.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static __attribute__((cold, noinline)) int too_small(const struct pd_record *r, const char *what,
						     struct perr *e)
{
	return perr_at(e, PERR_FORMAT, r->off, "%s record of %u bytes is too small for its %s",
		       pd_record_name(r->type), r->size, what);
}

static void read_regs(struct cursor *c, u64 mask, u16 nr, struct pd_regs *ret)
{
	ret->mask = mask;
	ret->abi = cur_u64(c);
	if (ret->abi)
		ret->values = cur_array(c, nr, 8);
}

static void read_branches(struct cursor *c, u64 branch_type, struct pd_sample *ret)
{
	u64 nr = cur_u64(c);

	if (branch_type & PD_BRANCH_HW_INDEX)
		ret->branch_hw_idx = cur_u64(c);
	ret->branches = cur_array(c, nr, 24);
	if (branch_type & PD_BRANCH_COUNTERS)
		ret->branch_counters = cur_array(c, nr, 8);
}

static void read_stack(struct cursor *c, struct pd_sample *ret)
{
	u64 size = cur_u64(c), valid;

	/*
	 * If the size is 0, the record has neither a copy of the stack nor the length of its used
	 * part.
	 */
	if (!size)
		return;
	ret->user_stack = cur_array(c, size, 1);
	ret->user_stack_size = size;
	valid = cur_u64(c);
	if (valid < ret->user_stack.n)
		ret->user_stack.n = (size_t)valid;
}

static void read_weight(struct cursor *c, u64 type, struct pd_sample *ret)
{
	u64 v = cur_u64(c);

	if (type & PD_SAMPLE_WEIGHT) {
		ret->weight = v;
		return;
	}
	ret->weight = (u32)v;
	ret->ins_lat = (u16)(v >> 32);
	ret->weight3 = (u16)(v >> 48);
}

/* Reads the fields after the call chain, in the order of the record (FORMAT.md 2.4). */
static __attribute__((noinline)) int read_rest(const struct pd_event *ev, const struct pd_record *r,
					       struct cursor *c, struct pd_sample *ret,
					       struct perr *e)
{
	const struct pd_attr *a = &ev->attr;
	u64 type = a->sample_type;
	const char *what = NULL;

	/*
	 * Reads a field if the event has it. `what` is the first field that did not fit; reads
	 * after it give nothing.
	 */
#define FIELD(bit, name, read)                 \
	do {                                   \
		if (type & (bit)) {            \
			read;                  \
			if (c->bad && !what)   \
				what = (name); \
		}                              \
	} while (0)

	FIELD(PD_SAMPLE_RAW, "raw data", ret->raw = cur_bytes(c, cur_u32(c)));
	FIELD(PD_SAMPLE_BRANCH_STACK, "branch stack", read_branches(c, a->branch_sample_type, ret));
	FIELD(PD_SAMPLE_REGS_USER, "user registers",
	      read_regs(c, a->sample_regs_user, ev->layout.nr_regs_user, &ret->user_regs));
	FIELD(PD_SAMPLE_STACK_USER, "user stack", read_stack(c, ret));
	FIELD(PD_SAMPLE_WEIGHT | PD_SAMPLE_WEIGHT_STRUCT, "weight", read_weight(c, type, ret));
	FIELD(PD_SAMPLE_DATA_SRC, "data source", ret->data_src = cur_u64(c));
	FIELD(PD_SAMPLE_TRANSACTION, "transaction", ret->transaction = cur_u64(c));
	FIELD(PD_SAMPLE_REGS_INTR, "interrupt registers",
	      read_regs(c, a->sample_regs_intr, ev->layout.nr_regs_intr, &ret->intr_regs));
	FIELD(PD_SAMPLE_PHYS_ADDR, "physical address", ret->phys_addr = cur_u64(c));
	FIELD(PD_SAMPLE_CGROUP, "cgroup", ret->cgroup = cur_u64(c));
	FIELD(PD_SAMPLE_DATA_PAGE_SIZE, "data page size", ret->data_page_size = cur_u64(c));
	FIELD(PD_SAMPLE_CODE_PAGE_SIZE, "code page size", ret->code_page_size = cur_u64(c));
	FIELD(PD_SAMPLE_AUX, "AUX data", ret->aux = cur_array(c, cur_u64(c), 1));
#undef FIELD
	return what ? too_small(r, what, e) : 0;
}

/*
 * Clears the fields that plain samples do not have. Decoding spends most of its time here, so this
 * sets each field: gcc makes "rep stos" of a memset() of this size, which is four times as slow.
 */
static ALWAYS_INLINE void clear_rest(struct pd_sample *s)
{
	static const struct span none;

	s->read = (struct pd_read){ 0 };
	s->raw = none;
	s->branches = none;
	s->branch_hw_idx = 0;
	s->branch_counters = none;
	s->user_regs = (struct pd_regs){ 0 };
	s->intr_regs = (struct pd_regs){ 0 };
	s->user_stack = none;
	s->user_stack_size = 0;
	s->weight = 0;
	s->ins_lat = 0;
	s->weight3 = 0;
	s->data_src = PD_DATA_SRC_NONE;
	s->transaction = 0;
	s->phys_addr = 0;
	s->cgroup = 0;
	s->data_page_size = 0;
	s->code_page_size = 0;
	s->aux = none;
	s->deferred = none;
}

/*
 * Reads the fields of fixed size and returns their end. One check of the bounds is enough for all.
 * pid and tid are u32s that share 8 bytes, as do cpu and a reserved word. swap, and where the type
 * is a frequent one, type, are constants where this is inlined.
 */
static ALWAYS_INLINE const u8 *read_fixed(const struct pd_event *ev, const struct pd_record *r,
					  u64 type, bool swap, struct pd_sample *ret)
{
	const u8 *p = r->data + 8;

	ret->swap = swap;
	ret->misc = r->misc;
	ret->cpumode = r->misc & PD_MISC_CPUMODE_MASK;
	ret->id = 0;
	if (type & PD_SAMPLE_IDENTIFIER) {
		ret->id = get_u64(p, swap);
		p += 8;
	}
	ret->ip = 0;
	if (type & PD_SAMPLE_IP) {
		ret->ip = get_u64(p, swap);
		p += 8;
	}
	ret->pid = ret->tid = ret->cpu = UINT32_MAX;
	if (type & PD_SAMPLE_TID) {
		ret->pid = get_u32(p, swap);
		ret->tid = get_u32(p + 4, swap);
		p += 8;
	}
	ret->time = UINT64_MAX;
	if (type & PD_SAMPLE_TIME) {
		ret->time = get_u64(p, swap);
		p += 8;
	}
	ret->addr = 0;
	if (type & PD_SAMPLE_ADDR) {
		ret->addr = get_u64(p, swap);
		p += 8;
	}
	if (type & PD_SAMPLE_ID) {
		ret->id = get_u64(p, swap);
		p += 8;
	}
	ret->stream_id = 0;
	if (type & PD_SAMPLE_STREAM_ID) {
		ret->stream_id = get_u64(p, swap);
		p += 8;
	}
	if (type & PD_SAMPLE_CPU) {
		ret->cpu = get_u32(p, swap);
		p += 8;
	}
	ret->period = ev->attr.sample_period_or_freq;
	if (type & PD_SAMPLE_PERIOD) {
		ret->period = get_u64(p, swap);
		p += 8;
	}
	return p;
}

static ALWAYS_INLINE int read_sample(const struct pd_event *ev, const struct pd_record *r,
				     bool swap, struct pd_sample *ret, struct perr *e)
{
	u64 type = ev->attr.sample_type;
	const u8 *end = r->data + r->size, *p;

	if ((size_t)(end - r->data) < 8u + ev->layout.sample_fixed)
		return too_small(r, "fixed fields", e);
	clear_rest(ret);
	p = read_fixed(ev, r, type, swap, ret);
	if (type & PD_SAMPLE_READ) {
		struct cursor c = { .p = p, .end = end, .swap = swap };

		pd_read_decode(&c, ev->attr.read_format, &ret->read);
		if (c.bad)
			return too_small(r, "counter values", e);
		p = c.p;
	}
	ret->callchain = span_of(NULL, 0);
	if (type & PD_SAMPLE_CALLCHAIN) {
		u64 nr;

		if (end - p < 8)
			return too_small(r, "call chain", e);
		nr = get_u64(p, swap);
		p += 8;
		if (nr > (size_t)(end - p) / 8)
			return too_small(r, "call chain", e);
		ret->callchain = span_of(p, (size_t)nr * 8);
		p += nr * 8;
	}
	if (!ev->layout.simple) {
		struct cursor c = { .p = p, .end = end, .swap = swap };

		return read_rest(ev, r, &c, ret, e);
	}
	return 0;
}

int pd_read_sample(const struct pd_event *ev, const struct pd_record *r, bool swap,
		   struct pd_sample *ret, struct perr *e)
{
	return swap ? read_sample(ev, r, true, ret, e) : read_sample(ev, r, false, ret, e);
}

static ALWAYS_INLINE bool read_plain(const struct pd_event *ev, const struct pd_record *r, u64 type,
				     bool swap, struct pd_sample *ret)
{
	u64 nr;
	const u8 *end = r->data + r->size, *p;

	if (r->size < 8u + ev->layout.sample_fixed)
		return false;
	p = read_fixed(ev, r, type, swap, ret);
	/* one after the other: a chain would be read back in one load while it is stored in two */
	ret->raw = span_of(NULL, 0);
	ret->callchain = span_of(NULL, 0);
	if (type & PD_SAMPLE_CALLCHAIN) {
		if (end - p < 8)
			return false;
		nr = get_u64(p, swap);
		p += 8;
		if (nr > (size_t)(end - p) / 8)
			return false;
		ret->callchain = span_of(p, (size_t)nr * 8);
		p += nr * 8;
	}
	if (type & PD_SAMPLE_RAW) {
		if (end - p < 4)
			return false;
		nr = get_u32(p, swap);
		p += 4;
		if (nr > (size_t)(end - p))
			return false;
		ret->raw = span_of(p, (size_t)nr);
	}
	return true;
}

int pd_read_sample_again(const struct pd_event *ev, const struct pd_record *r, bool swap,
			 struct pd_sample *ret, struct perr *e)
{
	u64 type = ev->attr.sample_type;
	bool is_read;

	if (!swap && type == PD_TRACEPOINT_FIELDS)
		is_read = read_plain(ev, r, PD_TRACEPOINT_FIELDS, false, ret);
	else if (!swap && type == (PD_TRACEPOINT_FIELDS | PD_SAMPLE_CALLCHAIN))
		is_read = read_plain(ev, r, PD_TRACEPOINT_FIELDS | PD_SAMPLE_CALLCHAIN, false, ret);
	else
		is_read = swap ? read_plain(ev, r, type, true, ret)
			       : read_plain(ev, r, type, false, ret);
	if (is_read)
		return 0;
	/* says what is wrong */
	return pd_read_sample(ev, r, swap, ret, e);
}

int pd_read_sample_head(const struct pd_event *ev, const struct pd_record *r, bool swap,
			struct pd_sample *ret, struct perr *e)
{
	if (r->size < 8u + ev->layout.sample_fixed)
		return too_small(r, "fixed fields", e);
	if (swap)
		read_fixed(ev, r, ev->attr.sample_type, true, ret);
	else
		read_fixed(ev, r, ev->attr.sample_type, false, ret);
	return 0;
}

static bool has_trailer(const struct pd_record *r)
{
	return r->type < PD_RECORD_HEADER_ATTR && r->type != PD_RECORD_SAMPLE;
}

int pd_read_sample_id(const struct pd_event *ev, const struct pd_record *r, bool swap,
		      struct pd_sample *ret, struct perr *e)
{
	u64 type = ev->attr.sample_type;
	struct cursor c;

	clear_rest(ret);
	ret->swap = swap;
	ret->misc = r->misc;
	ret->cpumode = r->misc & PD_MISC_CPUMODE_MASK;
	ret->ip = ret->addr = ret->id = ret->stream_id = ret->period = 0;
	ret->callchain = span_of(NULL, 0);
	ret->pid = ret->tid = ret->cpu = UINT32_MAX;
	ret->time = UINT64_MAX;
	if (!ev->layout.trailer || !has_trailer(r))
		return 0;
	if (r->size < 8u + ev->layout.trailer)
		return perr_at(e, PERR_FORMAT, r->off,
			       "record of type %u and %u bytes is too small for its trailer of %u",
			       r->type, r->size, ev->layout.trailer);
	c = cursor_of(span_of(r->data + r->size - ev->layout.trailer, ev->layout.trailer), swap);
	if (type & PD_SAMPLE_TID) {
		ret->pid = cur_u32(&c);
		ret->tid = cur_u32(&c);
	}
	if (type & PD_SAMPLE_TIME)
		ret->time = cur_u64(&c);
	if (type & PD_SAMPLE_ID)
		ret->id = cur_u64(&c);
	if (type & PD_SAMPLE_STREAM_ID)
		ret->stream_id = cur_u64(&c);
	if (type & PD_SAMPLE_CPU) {
		ret->cpu = cur_u32(&c);
		cur_skip(&c, 4);
	}
	if (type & PD_SAMPLE_IDENTIFIER)
		ret->id = cur_u64(&c);
	return 0;
}

u64 pd_record_time(const struct perfdata *pd, const struct pd_record *r)
{
	const struct pd_event *ev;

	if (r->type >= PD_RECORD_HEADER_ATTR)
		return UINT64_MAX;
	ev = pd_event_of_record(pd, r);
	return ev ? pd_record_time_of(ev, r, pd->swap) : UINT64_MAX;
}

u64 pd_branch_flags(u64 v, bool swap)
{
	/*
	 * little-endian compilers place the members of a bit-field from the bottom, big-endian ones
	 * from the top
	 */
	if (swap != (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__))
		return v;
	return (v >> 63 & 1) | (v >> 62 & 1) << 1 | (v >> 61 & 1) << 2 | (v >> 60 & 1) << 3 |
	       (v >> 44 & 0xffff) << 4 | (v >> 40 & 0xf) << 20 | (v >> 38 & 3) << 24 |
	       (v >> 34 & 0xf) << 26 | (v >> 31 & 7) << 30;
}

/* Returns the size of one element of READ: {value, [id], [lost]}. */
static size_t read_value_size(u64 format)
{
	return 8 + (format & PD_FORMAT_ID ? 8 : 0) + (format & PD_FORMAT_LOST ? 8 : 0);
}

void pd_read_decode(struct cursor *c, u64 format, struct pd_read *ret)
{
	struct pd_read rd = { .format = format, .nr = 1 };
	const u8 *start = c->p;

	if (format & PD_FORMAT_GROUP)
		rd.nr = cur_u64(c);
	else
		cur_skip(c, 8);
	if (format & PD_FORMAT_TOTAL_TIME_ENABLED)
		rd.time_enabled = cur_u64(c);
	if (format & PD_FORMAT_TOTAL_TIME_RUNNING)
		rd.time_running = cur_u64(c);
	if (format & PD_FORMAT_GROUP) {
		rd.values = cur_array(c, rd.nr, read_value_size(format));
	} else {
		/* The times are between the value and its id, so the span covers all of them. */
		cur_skip(c, read_value_size(format) - 8);
		rd.values = span_of(start, c->bad ? 0 : (size_t)(c->p - start));
	}
	if (c->bad)
		rd.nr = 0;
	*ret = rd;
}

struct pd_read_value pd_read_get(const struct pd_read *rd, u64 i, bool swap)
{
	struct pd_read_value v = { 0 };
	struct cursor c;

	if (i >= rd->nr)
		return v;
	c = cursor_of(rd->values, swap);
	if (rd->format & PD_FORMAT_GROUP)
		cur_skip(&c, (size_t)i * read_value_size(rd->format));
	v.value = cur_u64(&c);
	if (!(rd->format & PD_FORMAT_GROUP)) {
		if (rd->format & PD_FORMAT_TOTAL_TIME_ENABLED)
			cur_skip(&c, 8);
		if (rd->format & PD_FORMAT_TOTAL_TIME_RUNNING)
			cur_skip(&c, 8);
	}
	if (rd->format & PD_FORMAT_ID)
		v.id = cur_u64(&c);
	if (rd->format & PD_FORMAT_LOST)
		v.lost = cur_u64(&c);
	return v;
}
