/* SPDX-License-Identifier: MIT */
/*
 * Decoders for kernel records about losses, throttling, context switches, AUX data and counter
 * values. Layouts: docs/FORMAT.md 2.2. As in record.h, swap is struct perfdata's, *ret is written
 * on success only and its spans are borrowed from the record. PERR_FORMAT, with the record's file
 * offset: the record is too small.
 */
#ifndef FILEFORMAT_RECORD_MINOR_H
#define FILEFORMAT_RECORD_MINOR_H

#include "fileformat/record.h"
#include "fileformat/sample.h"

/* A LOST record: `lost` records of the event with this id did not fit into the ring buffer. */
struct pd_lost {
	u64 id, lost;
};

/* A LOST_SAMPLES record. The id of its event is in the sample_id_all trailer, if it has one. */
struct pd_lost_samples {
	u64 lost;
};

/* A THROTTLE or UNTHROTTLE record. */
struct pd_throttle {
	u64 time, id, stream_id;
};

#define PD_AUX_TRUNCATED 1
#define PD_AUX_OVERWRITE 2
#define PD_AUX_PARTIAL 4
#define PD_AUX_COLLISION 8
#define PD_AUX_PMU_FORMAT_MASK 0xff00

struct pd_aux {
	u64 offset, size; /* of the new data in the AUX buffer, in bytes */
	u64 flags;        /* PD_AUX_* */
};

struct pd_itrace_start {
	u32 pid, tid;
};

/* A SWITCH_CPU_WIDE record. With PD_MISC_SWITCH_OUT in misc it is the next task, else the previous
 * one. */
struct pd_switch_cpu_wide {
	u32 pid, tid;
};

struct pd_aux_output_hw_id {
	u64 hw_id;
};

/* A READ record: the counter values of a task when it exits. */
struct pd_read_record {
	u32 pid, tid;
	struct pd_read read;
};

int pd_read_lost(const struct pd_record *r, bool swap, struct pd_lost *ret,
		 struct perr *e) MUST_CHECK;
int pd_read_lost_samples(const struct pd_record *r, bool swap, struct pd_lost_samples *ret,
			 struct perr *e) MUST_CHECK;
int pd_read_throttle(const struct pd_record *r, bool swap, struct pd_throttle *ret,
		     struct perr *e) MUST_CHECK;
int pd_read_aux(const struct pd_record *r, bool swap, struct pd_aux *ret,
		struct perr *e) MUST_CHECK;
int pd_read_itrace_start(const struct pd_record *r, bool swap, struct pd_itrace_start *ret,
			 struct perr *e) MUST_CHECK;
int pd_read_switch_cpu_wide(const struct pd_record *r, bool swap, struct pd_switch_cpu_wide *ret,
			    struct perr *e) MUST_CHECK;
int pd_read_aux_output_hw_id(const struct pd_record *r, bool swap, struct pd_aux_output_hw_id *ret,
			     struct perr *e) MUST_CHECK;
/* Decodes a READ record of event ev, whose attr.read_format gives the layout. */
int pd_read_read(const struct pd_event *ev, const struct pd_record *r, bool swap,
		 struct pd_read_record *ret, struct perr *e) MUST_CHECK;

#endif
