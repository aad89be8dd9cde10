/* SPDX-License-Identifier: MIT */
/*
 * Which samples are wanted: by comm, pid, tid, CPU, time, object and symbol, under the names and
 * rules of perf's options. The tests on the record alone come first, so that an unwanted sample is
 * never resolved.
 */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H

#include "session/frames.h"

/* [start, end] in ns, both inclusive. end UINT64_MAX: open. */
struct time_range {
	u64 start, end;
};

/* A comma list of names; file://PATH stands for the names in a file, one a line. */
struct name_list {
	char **names;
	size_t nr, cap;
};

struct number_list {
	u64 *v;
	size_t nr, cap;
};

struct filter {
	struct name_list comms, dsos, symbols, stop_bt;
	struct number_list pids, tids, addrs;
	u64 addr_range; /* bytes after each address of `symbols` given as 0x..., 0 for exact */
	u8 *cpus;       /* bitmap, NULL: all */
	size_t nr_cpus;
	struct time_range *times;
	size_t nr_times, cap_times;
};

void filter_fini(struct filter *f);

/* Parsers of the options' arguments: 0, or PERR_USAGE. */
int filter_add_names(struct name_list *l, const char *arg, struct perr *e) MUST_CHECK;
int filter_add_numbers(struct number_list *l, const char *arg, struct perr *e) MUST_CHECK;
/* "0-3,8" */
int filter_set_cpus(struct filter *f, const char *arg, struct perr *e) MUST_CHECK;
/*
 * --time: "start,stop" in seconds (either may be empty), several of them separated by blanks,
 * "P%/N" or "a%-b%[,c%-d%]" of the recording between first and last (ns).
 */
int filter_set_time(struct filter *f, const char *arg, u64 first, u64 last,
		    struct perr *e) MUST_CHECK;
/* True when the argument is in percent and so needs the first and last sample's time. */
bool filter_time_needs_range(const char *arg);

bool name_list_has(const struct name_list *l, const char *name);

/* False when every sample passes. */
bool filter_has_conditions(const struct filter *f);
/* Of the record alone: CPU and time. */
bool filter_wants_record(const struct filter *f, const struct pd_sample *s);
/* Of the thread: comm, pid, tid. */
bool filter_wants_thread(const struct filter *f, const struct session *s, const struct thread *th);
/* True when the sample's own frame must be known for filter_wants_frame. */
bool filter_needs_frame(const struct filter *f);
/* Of the sample's own place: object and symbol. */
bool filter_wants_frame(const struct filter *f, const struct frame *fr);

#endif
