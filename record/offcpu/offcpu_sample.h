/* SPDX-License-Identifier: MIT */
/* The bytes of samples of offcpu-time, made of those of a switch event. */
#ifndef RECORD_OFFCPU_OFFCPU_SAMPLE_H
#define RECORD_OFFCPU_OFFCPU_SAMPLE_H

#include "base/bytes.h"
#include "base/wbuf.h"
#include "fileformat/events.h"
#include "record/model/rec_event.h"
#include "record/offcpu/late_look.h"

/* Offsets of fields from a record's start; 0: the samples do not have it. */
struct offcpu_sample {
	u64 made_type; /* sample_type of offcpu-time */
	u64 made_regs; /* its sample_regs_user */
	u32 ip_at, tid_at, time_at, cpu_at, period_at;
	u32 chain_at;             /* u64 nr, ips; behind it RAW */
	u32 state_at, state_size; /* of prev_state in RAW; size 0: not known */
	bool has_chain, has_raw, has_hw_idx,
		usable; /* usable: a source's samples can be converted */
};

/*
 * The sample_type of offcpu-time that goes with a source's: the same without RAW and READ. source
 * NULL: none. chains: samples have call chains, though empty ones without a source.
 */
u64 offcpu_sample_type(const struct pd_attr *source, bool chains);

/* source may be NULL. Both have IDENTIFIER, TID, TIME, CPU and PERIOD. */
void offcpu_sample_init(struct offcpu_sample *f, const struct rec_event *source,
			const struct rec_event *made);

struct offcpu_head {
	u32 pid, tid, cpu;
	u64 time;
	enum pd_offcpu how;
};

/* Reads a source's sample; false if it is too short. */
bool offcpu_sample_head(const struct offcpu_sample *f, struct span record, struct offcpu_head *ret);

/*
 * Appends a sample. record: the source's, whose stack it gets; NULL: it has none. ns: its period.
 */
void offcpu_sample_put(const struct offcpu_sample *f, struct wbuf *out, const u8 *record,
		       const struct offcpu_head *head, u64 ns);

/*
 * Appends a sample of a recording without a switch event, with the registers and the stack that
 * were looked at.
 */
void offcpu_sample_put_looked(const struct offcpu_sample *f, struct wbuf *out,
			      const struct offcpu_head *head, u64 ns,
			      const struct late_stack *looked);

#endif
