/* SPDX-License-Identifier: MIT */
/*
 * Selects samples by comm, pid, tid, CPU, time, object and symbol, with the names and rules of
 * perf's options. Callers first test what the record itself shows, so that samples that are left
 * out need not be resolved.
 */
#ifndef SESSION_FILTER_H
#define SESSION_FILTER_H

#include "session/frames.h"

/* A range of time in ns, both ends included. end UINT64_MAX: no end. */
struct time_range {
	u64 start, end;
};

/*
 * The names of a comma-separated list. file://PATH in it stands for the names in that file, one per
 * line.
 */
struct name_list {
	char **names;
	size_t nr, cap;
};

struct number_list {
	u64 *v;
	size_t nr, cap;
};

/* A set of small numbers, such as CPU numbers. */
struct number_set {
	u8 *bits;  /* NULL: all numbers */
	size_t nr; /* of bits */
};

struct filter {
	struct name_list comms, dsos, symbols, stop_bt;
	struct number_list pids, tids, addrs;
	u64 addr_range; /* bytes after each address "0x..." in `symbols` that match, too; 0: only
			 * the address
			 */
	struct number_set cpus, parallelism;
	struct time_range *times;
	size_t nr_times, cap_times;
};

void filter_fini(struct filter *f);

/* Add the names or numbers of a comma-separated argument to *l. Return 0, or PERR_USAGE. */
int filter_add_names(struct name_list *l, const char *arg, struct perr *e) MUST_CHECK;
int filter_add_numbers(struct number_list *l, const char *arg, struct perr *e) MUST_CHECK;
/* Adds the numbers of a list such as "0-3,8" of `what`. Returns 0, or PERR_USAGE. */
int filter_add_set(struct number_set *s, const char *arg, const char *what,
		   struct perr *e) MUST_CHECK;
bool number_set_has(const struct number_set *s, u64 n);
/*
 * --time: "start,stop" in seconds (either may be empty), also since the first sample: "60s,70s";
 * several of them separated by blanks, "P%/N" or "a%-b%[,c%-d%]" of the recording between first and
 * last (ns).
 */
int filter_set_time(struct filter *f, const char *arg, u64 first, u64 last,
		    struct perr *e) MUST_CHECK;
/*
 * True if an argument of --time is in percent or since the first sample, so that filter_set_time()
 * needs the times of the first and last sample.
 */
bool filter_time_needs_range(const char *arg);

/* True if the list is one name and no pattern, so that all samples that pass have the same name. */
bool name_list_is_single(const struct name_list *l);
/* True if the list has the name, or a pattern for it: * stands for any text, ? for one character.
 */
bool name_list_has(const struct name_list *l, const char *name);

/* True if the filter leaves out any samples. */
bool filter_has_conditions(const struct filter *f);
/* True if a sample passes the conditions on its CPU and time. */
bool filter_wants_record(const struct filter *f, const struct pd_sample *s);
/*
 * True if a sample's thread passes the conditions on comm, pid and tid, and the number of threads
 * that run the one on parallelism.
 */
bool filter_wants_thread(const struct filter *f, const struct session *s, const struct thread *th);
/* True if filter_wants_frame() has conditions, so that the sample's own frame must be resolved. */
bool filter_needs_frame(const struct filter *f);
/* True if a frame's object is in the list, by the recorded name, a module's path, or the short name
 * that perf report's column shows; if its symbol is, or its address. False for an empty list. */
bool filter_wants_dso(const struct filter *f, const struct frame *fr);
bool filter_wants_symbol(const struct filter *f, const struct frame *fr);
/* True if the sample's own frame passes the conditions on object and symbol. */
bool filter_wants_frame(const struct filter *f, const struct frame *fr);

#endif
