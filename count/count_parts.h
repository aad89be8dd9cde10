/* SPDX-License-Identifier: MIT */
/*
 * Counts a recording part by part: each thread reads, sorts and counts parts of its own, and only
 * what changes the machine is done by one thread at a time. No thread reads for the others, as it
 * is with count_workers.h, so that many CPUs can count together.
 */
#ifndef COUNT_COUNT_PARTS_H
#define COUNT_COUNT_PARTS_H

#include "count/batch_order.h"
#include "count/counter.h"
#include "count/kept_maps.h"
#include "count/late_kernel.h"
#include "session/session.h"

struct count_parts {
	struct session *session;
	const struct counts_config *cfg;
	struct counter *counters;
	unsigned int nr;             /* counters, one for each thread */
	bool late;                   /* kernel frames get their maps at the end */
	struct late_kernel *kernel;  /* keeps the sets of kernel maps */
	struct batch_order *batches; /* NULL: no stacks are joined */
	struct kept_maps *kept;      /* takes those of samples that wait for their callers */
	struct replay_stats *stats;  /* to be filled */
};

/*
 * Whether the recording can be counted so with this config: samples need only the machine as of
 * their time, not each other. unwinds: stack copies are unwound.
 */
bool count_parts_can(struct session *s, const struct counts_config *cfg, bool unwinds);

/* Counts all samples. Errors are those of the reader; what came before damage has been counted. */
int count_parts_run(const struct count_parts *p, struct perr *e) MUST_CHECK;

#endif
