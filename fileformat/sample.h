/* SPDX-License-Identifier: MIT */
/*
 * Decoders for the body of a SAMPLE record and for the sample_id_all trailer that all other kernel
 * records may have. Arrays are spans borrowed from the record, in the file's byte order; read their
 * elements with span_u64(s, i, swap). Layout: docs/FORMAT.md 2.3 to 2.8.
 */
#ifndef FILEFORMAT_SAMPLE_H
#define FILEFORMAT_SAMPLE_H

#include "fileformat/record.h"

/* Call chain entries of this value or more are markers (PERF_CONTEXT_*), not addresses: they give
 * the CPU mode of the entries that follow. */
#define PD_CONTEXT_MAX ((u64)-4095)
#define PD_CONTEXT_HV ((u64)-32)
#define PD_CONTEXT_KERNEL ((u64)-128)
#define PD_CONTEXT_USER ((u64)-512)
#define PD_CONTEXT_USER_DEFERRED ((u64)-640)
#define PD_CONTEXT_GUEST ((u64)-2048)
#define PD_CONTEXT_GUEST_KERNEL ((u64)-2176)
#define PD_CONTEXT_GUEST_USER ((u64)-2560)

struct pd_regs {
	u64 abi;            /* 0: no registers, 1: of a 32-bit task, 2: of a 64-bit task */
	u64 mask;           /* bit n: register n of the architecture was recorded */
	struct span values; /* a u64 for each bit of mask, ascending; empty if abi is 0 */
};

/* Counter values in a SAMPLE or READ record, laid out by attr.read_format. */
struct pd_read {
	u64 format;                     /* PD_FORMAT_* */
	u64 nr;                         /* values: 1 without PD_FORMAT_GROUP */
	u64 time_enabled, time_running; /* ns */
	struct span values;             /* undecoded, for pd_read_get() */
};

/* pd_sample.data_src where the record has none: each of its parts is "not available". */
#define PD_DATA_SRC_NONE \
	(1ull << 0 | 1ull << 5 | 1ull << 19 | 1ull << 24 | 1ull << 26 | 15ull << 33)

/* A decoded SAMPLE. Fields that the event does not sample are 0, except that pid, tid, cpu and time
 * are -1, as in perf. */
struct pd_sample {
	bool swap;  /* the spans have the other byte order than this machine */
	u8 cpumode; /* PD_CPUMODE_* */
	u16 misc;   /* of the record's header */
	u32 pid, tid, cpu;
	u64 ip, time, addr, id, stream_id, period;
	struct pd_read read;
	struct span callchain; /* u64 entries, markers included */
	struct span raw;
	struct span branches; /* entries {u64 from, to, flags}, newest first */
	u64 branch_hw_idx;
	struct span branch_counters; /* u64s; empty without PD_BRANCH_COUNTERS */
	struct pd_regs user_regs, intr_regs;
	struct span user_stack; /* the valid part of the stack copy (dyn_size bytes) */
	u64 user_stack_size;    /* bytes that the stack copy takes in the record */
	u64 weight;             /* WEIGHT, or var1 of WEIGHT_STRUCT */
	u16 ins_lat, weight3;   /* var2 and var3 of WEIGHT_STRUCT */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct span aux;
	struct span deferred; /* u64 user addresses of the CALLCHAIN_DEFERRED record that continues
			       * this sample's chain; set by its reader, empty without one */
};

/*
 * Decodes a SAMPLE record of event ev. swap is struct perfdata's. PERR_FORMAT, with the record's
 * file offset: the body is smaller than its counts need; *ret is then unspecified.
 */
int pd_read_sample(const struct pd_event *ev, const struct pd_record *r, bool swap,
		   struct pd_sample *ret, struct perr *e) MUST_CHECK;

/*
 * Decodes only the first fields of a SAMPLE record of event ev: cpumode, misc, ids, pid, tid, cpu,
 * ip, time, addr and period. The other members of *ret keep their values. It succeeds even if later
 * fields of the record are damaged, which pd_read_sample() would report.
 */
int pd_read_sample_head(const struct pd_event *ev, const struct pd_record *r, bool swap,
			struct pd_sample *ret, struct perr *e) MUST_CHECK;

/*
 * As pd_read_sample(), of an event with layout.ends_with_raw, into a *ret that holds another such
 * sample or what pd_read_sample_id() has read: the members that no such sample has are left as they
 * are.
 */
int pd_read_sample_again(const struct pd_event *ev, const struct pd_record *r, bool swap,
			 struct pd_sample *ret, struct perr *e) MUST_CHECK;

/* What recorders ask for about tracepoints without call chains. */
#define PD_TRACEPOINT_FIELDS                                                                    \
	(PD_SAMPLE_IDENTIFIER | PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_CPU | \
	 PD_SAMPLE_PERIOD | PD_SAMPLE_RAW)

/*
 * Decodes pid, tid, time, cpu, callchain, raw and swap of a SAMPLE of PD_TRACEPOINT_FIELDS, with
 * PD_SAMPLE_CALLCHAIN or without, in this machine's byte order, in little time. The other members
 * of *ret keep their values. False: it is another sample, or a damaged one, for pd_read_sample().
 */
static inline bool pd_read_sample_brief(const struct pd_event *ev, const struct pd_record *r,
					bool swap, struct pd_sample *ret)
{
	/* id, ip, {pid, tid}, time, cpu, period, [nr, chain], raw */
	enum { AT_PID = 24, AT_TID = 28, AT_TIME = 32, AT_CPU = 40, AT_CHAIN = 56 };
	u32 raw, at = AT_CHAIN;
	u64 chain = 0;

	if ((ev->attr.sample_type & ~(u64)PD_SAMPLE_CALLCHAIN) != PD_TRACEPOINT_FIELDS || swap)
		return false;
	if (ev->attr.sample_type & PD_SAMPLE_CALLCHAIN) {
		if (r->size < AT_CHAIN + 8)
			return false;
		chain = get_u64(r->data + AT_CHAIN, false);
		if (chain > (r->size - (AT_CHAIN + 8)) / 8)
			return false;
		chain *= 8;
		at += 8 + (u32)chain;
	}
	if (r->size < at + 4)
		return false;
	raw = get_u32(r->data + at, false);
	if (raw > r->size - (at + 4))
		return false;
	ret->swap = false;
	ret->pid = get_u32(r->data + AT_PID, false);
	ret->tid = get_u32(r->data + AT_TID, false);
	ret->time = get_u64(r->data + AT_TIME, false);
	ret->cpu = get_u32(r->data + AT_CPU, false);
	ret->callchain = span_of(r->data + AT_CHAIN + 8, (size_t)chain);
	ret->raw = span_of(r->data + at + 4, raw);
	return true;
}

/*
 * Decodes the sample_id_all trailer of a kernel record (a type below 64 other than SAMPLE) of event
 * ev into pid, tid, time, id, stream_id and cpu of *ret. Without a trailer they get the values of
 * fields that are not sampled.
 */
int pd_read_sample_id(const struct pd_event *ev, const struct pd_record *r, bool swap,
		      struct pd_sample *ret, struct perr *e) MUST_CHECK;

/* Returns the time of a record in ns, from a SAMPLE's body or another record's trailer; (u64)-1 if
 * the record has no time. */
u64 pd_record_time(const struct perfdata *pd, const struct pd_record *r);

/* The same of a kernel record (a type below 64) of event ev. swap is struct perfdata's. */
static inline u64 pd_record_time_of(const struct pd_event *ev, const struct pd_record *r, bool swap)
{
	bool is_sample = r->type == PD_RECORD_SAMPLE;
	u32 off = is_sample ? ev->layout.time_sample : ev->layout.time_trailer;

	/* a sample's time is counted from its start, that of others from their end */
	if (!off || r->size < off + 8)
		return UINT64_MAX;
	return get_u64(r->data + (is_sample ? off : r->size - off), swap);
}

/*
 * Converts the flags word of a branch entry, read as a u64 of the file's byte order, to the bit
 * layout of a little-endian machine: bit 0 mispred, 1 predicted, 2 in_tx, 3 abort, 4-19 cycles,
 * 20-23 type, 24-25 spec, 26-29 new_type, 30-32 priv. swap: the file has the other byte order.
 */
u64 pd_branch_flags(u64 v, bool swap);

/* One counter value; id and lost are 0 if read_format does not include them. */
struct pd_read_value {
	u64 value, id, lost;
};
/* Decodes value i of a struct pd_read; zeros if i is not below rd->nr. */
struct pd_read_value pd_read_get(const struct pd_read *rd, u64 i, bool swap);

/* Decodes counter values in the layout `format` (attr.read_format) at the cursor, in a SAMPLE or
 * READ record. Sets c->bad if too few bytes are left. */
void pd_read_decode(struct cursor *c, u64 format, struct pd_read *ret);

#endif
