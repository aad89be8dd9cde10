/* SPDX-License-Identifier: MIT */
/*
 * A SAMPLE record's body, and the sample_id_all trailer of all other kernel records. Arrays stay
 * where they are in the file: spans in the file's byte order, read with span_u64(s, i, swap).
 */
#ifndef FILEFORMAT_SAMPLE_H
#define FILEFORMAT_SAMPLE_H

#include "fileformat/record.h"

/* Callchain entries at or above this are markers that switch the cpumode. */
#define PD_CONTEXT_MAX ((u64)-4095)
#define PD_CONTEXT_HV ((u64)-32)
#define PD_CONTEXT_KERNEL ((u64)-128)
#define PD_CONTEXT_USER ((u64)-512)
#define PD_CONTEXT_USER_DEFERRED ((u64)-640)
#define PD_CONTEXT_GUEST ((u64)-2048)
#define PD_CONTEXT_GUEST_KERNEL ((u64)-2176)
#define PD_CONTEXT_GUEST_USER ((u64)-2560)

struct pd_regs {
	u64 abi;            /* 0 none, 1 32-bit task, 2 64-bit */
	u64 mask;           /* which registers, ascending bit order */
	struct span values; /* popcount(mask) x u64, empty when abi is 0 */
};

/* read_format body: one value, or nr of them (GROUP). */
struct pd_read {
	u64 format;
	u64 nr; /* values: 1 without GROUP */
	u64 time_enabled, time_running;
	struct span values; /* as recorded; pd_read_get() */
};

/* Fields the event does not sample are 0, pid/tid/cpu -1 and time -1 (as perf has them). */
struct pd_sample {
	bool swap;
	u8 cpumode;
	u16 misc;
	u32 pid, tid, cpu;
	u64 ip, time, addr, id, stream_id, period;
	struct pd_read read;
	struct span callchain; /* u64 entries, markers included */
	struct span raw;
	struct span branches; /* {u64 from, to, flags} each */
	u64 branch_hw_idx;
	struct span branch_counters; /* u64 each, empty without COUNTERS */
	struct pd_regs user_regs, intr_regs;
	struct span user_stack; /* valid bytes only: dyn_size, at most what was copied */
	u64 user_stack_size;    /* bytes copied into the record */
	u64 weight;             /* WEIGHT whole, or WEIGHT_STRUCT's var1 */
	u16 ins_lat, weight3;   /* WEIGHT_STRUCT var2 and var3 */
	u64 data_src, transaction, phys_addr, cgroup, data_page_size, code_page_size;
	struct span aux;
	struct span deferred; /* user ips of the CALLCHAIN_DEFERRED joined to this sample */
};

/*
 * Decodes a SAMPLE of event ev. PERR_FORMAT with the record's offset when the body is smaller than
 * its own counts say; *ret is then unspecified.
 */
int pd_read_sample(const struct pd_event *ev, const struct pd_record *r, bool swap,
		   struct pd_sample *ret, struct perr *e) MUST_CHECK;

/*
 * As pd_read_sample, but only of the fields before READ: cpumode, misc, ids, pid, tid, cpu, ip,
 * time, addr and period; the other members of *ret are left alone. For a first look: the record may
 * still turn out to be damaged.
 */
int pd_read_sample_head(const struct pd_event *ev, const struct pd_record *r, bool swap,
			struct pd_sample *ret, struct perr *e) MUST_CHECK;

/*
 * Decodes the sample_id_all trailer of a kernel record (type < 64, not SAMPLE) into pid, tid, time,
 * id, stream_id and cpu of *ret. Records without a trailer leave the defaults.
 */
int pd_read_sample_id(const struct pd_event *ev, const struct pd_record *r, bool swap,
		      struct pd_sample *ret, struct perr *e) MUST_CHECK;

/* Time of any record: SAMPLE, trailer, else -1 (not timed). */
u64 pd_record_time(const struct perfdata *pd, const struct pd_record *r);

/*
 * Flags word of a branch entry, read as a u64 with the file's byte order, with every field where a
 * little-endian machine has it: 0 mispred, 1 predicted, 2 in_tx, 3 abort, 4-19 cycles, 20-23 type,
 * 24-25 spec, 26-29 new_type, 30-32 priv.
 */
u64 pd_branch_flags(u64 v, bool swap);

/* Value i of a read; zeros when there is no such value. */
struct pd_read_value {
	u64 value, id, lost;
};
struct pd_read_value pd_read_get(const struct pd_read *rd, u64 i, bool swap);

/* Decodes a read_format body (of SAMPLE or READ) at the cursor. `bad` tells a too small body. */
void pd_read_decode(struct cursor *c, u64 format, struct pd_read *ret);

#endif
