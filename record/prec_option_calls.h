/* SPDX-License-Identifier: MIT */
/*
 * What prec's options with a meaning of their own do: the functions behind the table of
 * record/prec_options. Each says on stderr what is wrong and returns -1, as base/option asks.
 */
#ifndef RECORD_PREC_OPTION_CALLS_H
#define RECORD_PREC_OPTION_CALLS_H

#include "base/option.h"
#include "record/model/rec_opts.h"

/* The command line as far as it is parsed: ctx of all functions below. */
struct prec_parse {
	struct rec_opts *o;
	struct rec_evlist *l;
	size_t last_e; /* first event of the last -e */
	size_t nr_cgroups;
	bool branch_any;
	bool printed; /* a list was printed: success, though parsing stops */
};

/* One line on stderr; returns -1. */
int prec_refuse(const char *fmt, ...) PRINTF_LIKE(1, 2);

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
int prec_on_control(void *ctx, const char *arg, bool unset);
int prec_on_mmap_pages(void *ctx, const char *arg, bool unset);
int prec_on_mmap_flush(void *ctx, const char *arg, bool unset);
int prec_on_max_size(void *ctx, const char *arg, bool unset);
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

/* Options of perf record that do nothing, with a warning, or end prec. row->help says why. */
int prec_on_ignored(void *ctx, const struct opt *row, bool unset);
int prec_on_refused(void *ctx, const struct opt *row, bool unset);

#endif
