/* SPDX-License-Identifier: MIT */
/*
 * The functions behind rows of the option table in record/prec_options.c that do more than store a
 * value. Each prints one line on stderr and returns -1 for a wrong value, as base/option.h
 * requires.
 */
#ifndef RECORD_PREC_OPTION_CALLS_H
#define RECORD_PREC_OPTION_CALLS_H

#include "base/option.h"
#include "record/model/rec_opts.h"

/* State of parsing the command line; ctx of every function below points to it. */
struct prec_parse {
	struct rec_opts *o;
	struct rec_evlist *l;
	size_t last_e; /* index of the first event of the last -e */
	/* number of names in all -G so far */
	size_t nr_cgroups;
	const char *default_cgroups; /* of a -G before any -e: for the default event */
	/* -b, --aio, --affinity were given */
	bool branch_any, aio, affinity;
	bool printed; /* an option printed a list: parsing stops, and prec exits with status 0 */
};

/* Gives the default event the cgroups of a -G without -e, when all options are parsed. Returns 0,
 * or -1 after a message. */
int prec_settle_cgroups(struct prec_parse *p);

/* Prints "prec: ", the text and a newline on stderr. Returns -1. */
int prec_refuse(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Each of these carries out the option in its name: arg is the option's value (NULL if it has
 * none), and unset is true for the --no- form.
 */
int prec_on_event(void *ctx, const char *arg, bool unset);
int prec_on_filter(void *ctx, const char *arg, bool unset);
int prec_on_exclude_perf(void *ctx, const char *arg, bool unset);
int prec_on_cgroup(void *ctx, const char *arg, bool unset);
int prec_on_freq(void *ctx, const char *arg, bool unset);
int prec_on_count(void *ctx, const char *arg, bool unset);
int prec_on_callgraph(void *ctx, const char *arg, bool unset);
int prec_on_g(void *ctx, const char *arg, bool unset);
int prec_on_inherit(void *ctx, const char *arg, bool unset);
int prec_on_bpf_event(void *ctx, const char *arg, bool unset);
int prec_on_data_mmap(void *ctx, const char *arg, bool unset);
int prec_on_time(void *ctx, const char *arg, bool unset);
int prec_on_period(void *ctx, const char *arg, bool unset);
int prec_on_delay(void *ctx, const char *arg, bool unset);
int prec_on_duration(void *ctx, const char *arg, bool unset);
int prec_on_for(void *ctx, const char *arg, bool unset);
int prec_on_control(void *ctx, const char *arg, bool unset);
int prec_on_mmap_pages(void *ctx, const char *arg, bool unset);
int prec_on_mmap_flush(void *ctx, const char *arg, bool unset);
int prec_on_max_size(void *ctx, const char *arg, bool unset);
int prec_on_buildid_cache_limit(void *ctx, const char *arg, bool unset);
int prec_on_compress(void *ctx, const char *arg, bool unset);
int prec_on_branch_any(void *ctx, const char *arg, bool unset);
int prec_on_branch_filter(void *ctx, const char *arg, bool unset);
int prec_on_intr_regs(void *ctx, const char *arg, bool unset);
int prec_on_user_regs(void *ctx, const char *arg, bool unset);
int prec_on_clock(void *ctx, const char *arg, bool unset);
int prec_on_switch_output(void *ctx, const char *arg, bool unset);
int prec_on_synth(void *ctx, const char *arg, bool unset);
int prec_on_realtime(void *ctx, const char *arg, bool unset);
int prec_on_switch_files(void *ctx, const char *arg, bool unset);
int prec_on_map_timeout(void *ctx, const char *arg, bool unset);

/*
 * Options of perf record that prec accepts without effect, with a warning. row->help holds the
 * reason that is printed.
 */
int prec_on_ignored(void *ctx, const struct opt *row, bool unset);

#endif
