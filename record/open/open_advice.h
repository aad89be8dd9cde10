/* SPDX-License-Identifier: MIT */
/*
 * Explains why the kernel refused to open or map an event. Each text says what failed, on what,
 * which value prevents it, and which command changes that.
 */
#ifndef RECORD_OPEN_OPEN_ADVICE_H
#define RECORD_OPEN_OPEN_ADVICE_H

#include "record/host/rights.h"
#include "record/open/target.h"

/* A call of perf_event_open that failed. */
struct open_attempt {
	const struct rec_event *ev;
	const struct rec_target *t;
	s32 pid;        /* thread; -1: all threads of a CPU, or of a cgroup on a CPU */
	s32 cpu;        /* -1: any CPU */
	u64 fds_wanted; /* number of descriptors that all events of the recording need */
};

/*
 * Fills *ret for an attempt that failed with sys_errno: code PERR_KERNEL, the errno and a text of
 * one or more lines. Does nothing if ret is NULL.
 */
void advice_open(const struct open_attempt *a, int sys_errno, const struct rec_rights *r,
		 struct perr *ret);

/* As advice_open, for mmap of nr_rings rings with `bytes` of data each. */
void advice_mmap(int sys_errno, u64 bytes, size_t nr_rings, const struct rec_rights *r,
		 struct perr *ret);

#endif
