/* SPDX-License-Identifier: MIT */
#include "record/live/chained_record.h"

#define COPY_FIELDS ((u64)(PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER))
#define RECORD_MAX 65528u /* header.size is 16 bits wide and a multiple of 8 */

bool chained_attr_wanted(const struct pd_attr *a)
{
	return (a->sample_type & COPY_FIELDS) == COPY_FIELDS &&
	       !(a->branch_sample_type & PD_BRANCH_CALL_STACK);
}

struct pd_attr chained_attr(const struct pd_attr *opened, bool keep_copies)
{
	struct pd_attr a = *opened;

	if (!chained_attr_wanted(opened))
		return a;
	a.sample_type |= PD_SAMPLE_CALLCHAIN;
	if (!keep_copies) {
		a.sample_type &= ~COPY_FIELDS;
		a.sample_regs_user = 0;
		a.sample_stack_user = 0;
	}
	a.flags &= ~(1ull << PD_ATTR_EXCLUDE_CALLCHAIN_USER);
	return a;
}

/* Where the fields of a sample lie, in bytes from its start. */
struct sample_parts {
	size_t chain, chain_end; /* nr and entries; the same place when there is no chain */
	size_t copy, copy_end;   /* registers and stack */
};

/* pd_read_sample() has succeeded for r, so that all fields are in it. */
static struct sample_parts find_parts(const struct pd_event *ev, const struct pd_record *r)
{
	struct cursor c = cursor_of(span_of(r->data, r->size), false);
	u64 type = ev->attr.sample_type;
	struct sample_parts p;
	struct pd_read read;

	cur_skip(&c, 8u + ev->layout.sample_fixed);
	if (type & PD_SAMPLE_READ)
		pd_read_decode(&c, ev->attr.read_format, &read);
	p.chain = (size_t)(c.p - r->data);
	if (type & PD_SAMPLE_CALLCHAIN)
		(void)cur_array(&c, cur_u64(&c), 8);
	p.chain_end = (size_t)(c.p - r->data);
	if (type & PD_SAMPLE_RAW)
		(void)cur_bytes(&c, cur_u32(&c));
	if (type & PD_SAMPLE_BRANCH_STACK) {
		u64 nr = cur_u64(&c);

		if (ev->attr.branch_sample_type & PD_BRANCH_HW_INDEX)
			cur_skip(&c, 8);
		(void)cur_array(&c, nr, 24);
		if (ev->attr.branch_sample_type & PD_BRANCH_COUNTERS)
			(void)cur_array(&c, nr, 8);
	}
	p.copy = (size_t)(c.p - r->data);
	if (cur_u64(&c))
		(void)cur_array(&c, ev->layout.nr_regs_user, 8);
	u64 size = cur_u64(&c);

	if (size) {
		(void)cur_array(&c, size, 1);
		cur_skip(&c, 8);
	}
	p.copy_end = (size_t)(c.p - r->data);
	return p;
}

static u64 marker_of(u8 mode)
{
	switch (mode) {
	case PD_CPUMODE_KERNEL: return PD_CONTEXT_KERNEL;
	case PD_CPUMODE_HYPERVISOR: return PD_CONTEXT_HV;
	default: return PD_CONTEXT_USER;
	}
}

/* Appends the entries of c behind their markers, at most `room` bytes. Returns what did not fit. */
static size_t put_entries(struct wbuf *b, const struct chain_ips *c, size_t room)
{
	size_t begin = b->n;
	int mode = -1;

	for (size_t i = 0; i < c->nr; i++) {
		bool changes = c->modes[i] != mode;

		if (b->n - begin + 8u + 8u * changes > room)
			return c->nr - i;
		if (changes)
			wb_u64(b, marker_of(c->modes[i]));
		mode = c->modes[i];
		wb_u64(b, c->ips[i]);
	}
	return 0;
}

/* Appends registers and stack copy so that the record, which begins at `begin`, is not too long. */
static void put_copy(struct wbuf *b, size_t begin, const struct pd_record *r,
		     const struct sample_parts *p, const struct pd_sample *s)
{
	size_t stack = s->user_stack_size ? 16 + s->user_stack_size : 8;
	size_t regs = p->copy_end - p->copy - stack;
	size_t used = b->n - begin + regs + 16 + (r->size - p->copy_end);
	u64 valid = s->user_stack.n, n;

	wb_mem(b, r->data + p->copy, regs);
	if (used + valid > RECORD_MAX)
		valid = used < RECORD_MAX ? RECORD_MAX - used : 0;
	n = (valid + 7) & ~7ull;
	if (n > s->user_stack_size)
		n = valid = s->user_stack_size;
	wb_u64(b, n);
	if (!n)
		return;
	wb_mem(b, s->user_stack.p, n);
	wb_u64(b, valid);
}

size_t chained_sample_put(struct wbuf *b, const struct pd_event *ev, const struct pd_record *r,
			  const struct pd_sample *s, const struct chain_ips *c, bool keep_copy)
{
	const struct sample_parts p = find_parts(ev, r);
	size_t begin = b->n, nr_at, rest, left = 0;
	u16 misc = (u16)(r->misc & ~(PD_MISC_STACK_END_MASK | PD_MISC_STACK_JOINED));

	wb_mem(b, r->data, p.chain);
	nr_at = b->n;
	wb_u64(b, 0);
	rest = p.chain + 8 + (p.copy - p.chain_end) + (r->size - p.copy_end);
	if (c->unwound)
		left = put_entries(b, c, rest < RECORD_MAX ? RECORD_MAX - rest : 0);
	else
		wb_mem(b, s->callchain.p, s->callchain.n);
	wb_set_u64(b, nr_at, (b->n - nr_at - 8) / 8);
	wb_mem(b, r->data + p.chain_end, p.copy - p.chain_end);
	if (keep_copy)
		put_copy(b, begin, r, &p, s);
	wb_mem(b, r->data + p.copy_end, r->size - p.copy_end);
	if (c->unwound)
		misc |= chain_end_misc(left ? STACK_END(UNWIND_DEPTH) : c->end);
	wb_set_u16(b, begin + 4, misc);
	wb_set_u16(b, begin + 6, (u16)(b->n - begin));
	return left;
}
