/* SPDX-License-Identifier: MIT */
/* What a copier counts. */
#ifndef RECORD_RING_REC_COUNTS_H
#define RECORD_RING_REC_COUNTS_H

#include "record/ring/stack_cut.h"

struct rec_counts {
	u64 samples, records;
	u64 samples_before; /* of samples, those in the files before this one (--switch-output) */
	u64 lost_records;   /* sum of all LOST records */
	u64 lost_samples;   /* sum of all LOST_SAMPLES records */
	u64 throttled;
	u64 bytes_in, bytes_out;
	/* times of the first and last sample, ns of the recording's clock; 0: no times */
	u64 first_time, last_time;
	struct stack_cut_counts cut;
	/*
	 * dropped samples of whole_system events from tasks outside the target; counted only here
	 */
	u64 foreign;
	u64 given_up; /* samples dropped before it was known whether they belong to the target */
};

/* Adds the counts f of another copier of the same recording to t. */
void rec_counts_add(struct rec_counts *t, const struct rec_counts *f);

#endif
