/* SPDX-License-Identifier: MIT */
/* The lines of a SAMPLE in a raw dump, in perf's order. */
#include "report/text/rawdump.h"

#include "report/text/datasrc_text.h"

static const char *context_name(u64 ip)
{
	switch (ip) {
	case PD_CONTEXT_HV: return " (PERF_CONTEXT_HV)";
	case PD_CONTEXT_KERNEL: return " (PERF_CONTEXT_KERNEL)";
	case PD_CONTEXT_USER: return " (PERF_CONTEXT_USER)";
	case PD_CONTEXT_USER_DEFERRED: return " (PERF_CONTEXT_USER_DEFERRED)";
	case PD_CONTEXT_GUEST: return " (PERF_CONTEXT_GUEST)";
	case PD_CONTEXT_GUEST_KERNEL: return " (PERF_CONTEXT_GUEST_KERNEL)";
	case PD_CONTEXT_GUEST_USER: return " (PERF_CONTEXT_GUEST_USER)";
	default: return "";
	}
}

static void put_entry(struct out *o, u64 i, u64 ip, const char *tail)
{
	out_printf(o, "..... %2llu: %016llx%s\n", (unsigned long long)i, (unsigned long long)ip,
		   tail);
}

void rawdump_callchain(struct out *o, struct span chain, const struct perfdata *pd)
{
	size_t n = chain.n / 8;

	out_printf(o, "... FP chain: nr:%zu\n", n);
	for (size_t i = 0; i < n; i++) {
		u64 ip = span_u64(chain, i, pd->swap);

		put_entry(o, i, ip, pd->format == TEXT_PERF_6_1 ? "" : context_name(ip));
	}
}

static u64 branch_from(const struct pd_sample *s, size_t i)
{
	return span_u64(s->branches, i * 3, s->swap);
}

static u64 branch_to(const struct pd_sample *s, size_t i)
{
	return span_u64(s->branches, i * 3 + 1, s->swap);
}

/* The chain that branches in call-stack mode stand for: kernel part, then to[0], from[0..]. */
static void put_lbr_chain(struct out *o, const struct pd_sample *s)
{
	size_t nr_ips = s->callchain.n / 8, nr = s->branches.n / 24, kernel = 0;

	while (kernel < nr_ips && span_u64(s->callchain, kernel, s->swap) != PD_CONTEXT_USER)
		kernel++;
	if (kernel == nr_ips || nr == 0)
		return;
	kernel++;
	out_printf(o, "... LBR call chain: nr:%zu\n", kernel + 1 + nr);
	for (size_t i = 0; i < kernel; i++)
		put_entry(o, i, span_u64(s->callchain, i, s->swap), "");
	put_entry(o, kernel, branch_to(s, 0), "");
	for (size_t i = 0; i < nr; i++)
		put_entry(o, kernel + 1 + i, branch_from(s, i), "");
}

static void put_branch_callstack(struct out *o, const struct pd_sample *s)
{
	size_t nr = s->branches.n / 24;

	out_printf(o, "... branch callstack: nr:%zu\n", nr + 1);
	if (nr == 0)
		return;
	put_entry(o, 0, branch_to(s, 0), "");
	for (size_t i = 0; i < nr; i++)
		put_entry(o, i + 1, branch_from(s, i), "");
}

static void put_branch_stack(struct out *o, const struct pd_sample *s)
{
	size_t nr = s->branches.n / 24;

	out_printf(o, "... branch stack: nr:%zu\n", nr);
	for (size_t i = 0; i < nr; i++) {
		struct branch_flags f =
			branch_flags_decode(span_u64(s->branches, i * 3 + 2, s->swap), s->swap);

		out_printf(o, "..... %2zu: %016llx -> %016llx %u cycles %s%s%s%s %x %s %s\n", i,
			   (unsigned long long)branch_from(s, i),
			   (unsigned long long)branch_to(s, i), f.cycles, f.mispred ? "M" : " ",
			   f.predicted ? "P" : " ", f.abort ? "A" : " ", f.in_tx ? "T" : " ",
			   (u32)f.reserved, branch_type_name(&f), branch_spec_name(&f));
	}
}

static void put_regs(const struct rawdump *d, struct out *o, const char *title,
		     const struct pd_regs *r, bool swap)
{
	size_t n = 0;

	if (!r->abi)
		return;
	out_printf(o, "... %s regs: mask 0x%llx ABI %s\n", title, (unsigned long long)r->mask,
		   r->abi == 1   ? "32-bit"
		   : r->abi == 2 ? "64-bit"
				 : "unknown");
	for (unsigned int bit = 0; bit < 64 && n < r->values.n / 8; bit++) {
		if (r->mask >> bit & 1)
			out_printf(o, ".... %-5s 0x%016llx\n", regs_name(d->arch, bit),
				   (unsigned long long)span_u64(r->values, n++, swap));
	}
}

static size_t read_len(const struct pd_read *rd)
{
	size_t each =
		8 + (rd->format & PD_FORMAT_ID ? 8 : 0) + (rd->format & PD_FORMAT_LOST ? 8 : 0);

	return (rd->format & PD_FORMAT_GROUP ? 8 : 0) +
	       (rd->format & PD_FORMAT_TOTAL_TIME_ENABLED ? 8 : 0) +
	       (rd->format & PD_FORMAT_TOTAL_TIME_RUNNING ? 8 : 0) + (size_t)rd->nr * each;
}

/* Offset in the record of the u64 that says how much stack was copied. */
static size_t stack_off(const struct pd_attr *a, const struct pd_sample *s)
{
	u64 t = a->sample_type;
	const u64 words = PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME |
			  PD_SAMPLE_ADDR | PD_SAMPLE_ID | PD_SAMPLE_STREAM_ID | PD_SAMPLE_CPU |
			  PD_SAMPLE_PERIOD;
	size_t off = 8 + 8 * (size_t)__builtin_popcountll(t & words);

	if (t & PD_SAMPLE_READ)
		off += read_len(&s->read);
	if (t & PD_SAMPLE_CALLCHAIN)
		off += 8 + s->callchain.n;
	if (t & PD_SAMPLE_RAW)
		off += 4 + s->raw.n;
	if (t & PD_SAMPLE_BRANCH_STACK)
		off += 8 + (a->branch_sample_type & PD_BRANCH_HW_INDEX ? 8 : 0) + s->branches.n +
		       s->branch_counters.n;
	if (t & PD_SAMPLE_REGS_USER)
		off += 8 + s->user_regs.values.n;
	return off;
}

/* "4K", "2M", "1024M": thousands are kept while one alone would be left. */
static void put_page_size(struct out *o, const char *title, u64 size)
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	if (!size) {
		out_printf(o, " .. %s page size: N/A\n", title);
		return;
	}
	while (size / 1024 > 1 && unit < sizeof(units) - 2) {
		size /= 1024;
		unit++;
	}
	out_printf(o, " .. %s page size: %llu%c\n", title, (unsigned long long)size, units[unit]);
}

static void put_read_values(struct out *o, const struct pd_sample *s)
{
	const struct pd_read *rd = &s->read;

	out_str(o, "... sample_read:\n");
	if (rd->format & PD_FORMAT_TOTAL_TIME_ENABLED)
		out_printf(o, "...... time enabled %016llx\n",
			   (unsigned long long)rd->time_enabled);
	if (rd->format & PD_FORMAT_TOTAL_TIME_RUNNING)
		out_printf(o, "...... time running %016llx\n",
			   (unsigned long long)rd->time_running);
	if (rd->format & PD_FORMAT_GROUP)
		out_printf(o, ".... group nr %llu\n", (unsigned long long)rd->nr);
	for (u64 i = 0; i < rd->nr; i++) {
		struct pd_read_value v = pd_read_get(rd, i, s->swap);

		out_printf(o, "..... id %016llx, value %016llx", (unsigned long long)v.id,
			   (unsigned long long)v.value);
		if (rd->format & PD_FORMAT_LOST)
			out_printf(o, ", lost %llu", (unsigned long long)v.lost);
		out_char(o, '\n');
	}
}

static void put_memory(struct out *o, u64 t, const struct pd_sample *s)
{
	if (t & PD_SAMPLE_WEIGHT)
		out_printf(o, "... weight: %llu\n", (unsigned long long)s->weight);
	if (t & PD_SAMPLE_WEIGHT_STRUCT)
		out_printf(o, "... weight: %llu,0x%x,0x%x\n", (unsigned long long)s->weight,
			   s->ins_lat, s->weight3);
	if (t & PD_SAMPLE_DATA_SRC)
		out_printf(o, " . data_src: 0x%llx\n", (unsigned long long)s->data_src);
	if (t & PD_SAMPLE_PHYS_ADDR)
		out_printf(o, " .. phys_addr: 0x%llx\n", (unsigned long long)s->phys_addr);
	if (t & PD_SAMPLE_DATA_PAGE_SIZE)
		put_page_size(o, "data", s->data_page_size);
	if (t & PD_SAMPLE_CODE_PAGE_SIZE)
		put_page_size(o, "code", s->code_page_size);
	if (t & PD_SAMPLE_TRANSACTION)
		out_printf(o, "... transaction: %llx\n", (unsigned long long)s->transaction);
}

void rawdump_sample(struct rawdump *d, struct out *o, const struct pd_record *r,
		    const struct pd_event *ev, const struct pd_sample *s)
{
	u64 t = ev->attr.sample_type;
	bool callstack = ev->attr.branch_sample_type & PD_BRANCH_CALL_STACK;

	if (!d->arch_known) {
		d->arch = regs_arch_of_file(d->pd);
		d->arch_known = true;
	}
	out_printf(o, "(IP, 0x%x): %d/%d: %#llx period: %llu addr: %#llx\n", r->misc, (s32)s->pid,
		   (s32)s->tid, (unsigned long long)s->ip, (unsigned long long)s->period,
		   (unsigned long long)s->addr);
	if (t & PD_SAMPLE_CALLCHAIN) {
		if (callstack)
			put_lbr_chain(o, s);
		rawdump_callchain(o, s->callchain, d->pd);
	}
	if (t & PD_SAMPLE_BRANCH_STACK) {
		if (callstack)
			put_branch_callstack(o, s);
		else
			put_branch_stack(o, s);
	}
	put_regs(d, o, "user", &s->user_regs, s->swap);
	put_regs(d, o, "intr", &s->intr_regs, s->swap);
	if (t & PD_SAMPLE_STACK_USER)
		out_printf(o, "... ustack: size %zu, offset 0x%zx\n", s->user_stack.n,
			   stack_off(&ev->attr, s));
	put_memory(o, t, s);
	if (t & PD_SAMPLE_READ)
		put_read_values(o, s);
}
