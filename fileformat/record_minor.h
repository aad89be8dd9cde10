/* SPDX-License-Identifier: MIT */
/*
 * Kernel records that change nothing a session keeps: losses, throttling, switches, AUX data and
 * counter values. Layouts: FORMAT.md 2.2. Decoders are as those of record.h: PERR_FORMAT with the
 * record's offset when it is too small, *ret written on success only, spans borrowed.
 */
#ifndef FILEFORMAT_RECORD_MINOR_H
#define FILEFORMAT_RECORD_MINOR_H

#include "fileformat/record.h"
#include "fileformat/sample.h"

struct pd_lost {
	u64 id, lost;
};

/* LOST_SAMPLES has no id in its body; its trailer may. */
struct pd_lost_samples {
	u64 lost;
};

/* THROTTLE and UNTHROTTLE. */
struct pd_throttle {
	u64 time, id, stream_id;
};

#define PD_AUX_TRUNCATED 1
#define PD_AUX_OVERWRITE 2
#define PD_AUX_PARTIAL 4
#define PD_AUX_COLLISION 8
#define PD_AUX_PMU_FORMAT_MASK 0xff00

struct pd_aux {
	u64 offset, size; /* within the AUX area */
	u64 flags;
};

struct pd_itrace_start {
	u32 pid, tid;
};

/* The task switched to or from: misc says which (PD_MISC_SWITCH_OUT). */
struct pd_switch_cpu_wide {
	u32 pid, tid;
};

struct pd_aux_output_hw_id {
	u64 hw_id;
};

/* READ: the values of a task's counters at its exit. */
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
/* ev gives the read_format. */
int pd_read_read(const struct pd_event *ev, const struct pd_record *r, bool swap,
		 struct pd_read_record *ret, struct perr *e) MUST_CHECK;

#endif
