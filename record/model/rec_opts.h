/* SPDX-License-Identifier: MIT */
/*
 * What the options of prec say, and where the host's files are. Filled by record/prec_options,
 * read by everything else in record/.
 */
#ifndef RECORD_MODEL_REC_OPTS_H
#define RECORD_MODEL_REC_OPTS_H

#include <stdio.h>

#include "base/diag.h"
#include "record/model/rec_event.h"

/* Roots of the kernel's file systems: tests put trees of their own here. */
struct rec_host {
	const char *sysfs;   /* "/sys" */
	const char *procfs;  /* "/proc" */
	const char *tracefs; /* NULL: looked for among the mounts, /sys/kernel/tracing first */
};

/* The largest sample_stack_user that the kernel takes; a multiple of 8. */
#define REC_STACK_MAX 65528u

enum rec_switch_output { REC_SWITCH_NONE, REC_SWITCH_SIGNAL, REC_SWITCH_SIZE, REC_SWITCH_TIME };

/* -D 10-20,30-40: events are on in [start, end) ms after the start. */
struct rec_range {
	u64 start_ms, end_ms;
};

struct rec_opts {
	struct rec_host host;
	struct diag *diag; /* one-line notes to the user */
	FILE *notes;       /* where diag's notes go once everything is set up; NULL: nowhere */
	FILE *talk;        /* what happened, as perf says it; NULL with -q */
	FILE *log;         /* -v, -vv: what is done, as perf prints it; NULL for none */

	/* target; none of them and no command is system wide */
	const char *pids, *tids, *cpus, *user, *cgroups; /* texts as given, NULL unset */
	bool system_wide, per_thread;
	char **command; /* argv of the workload, NULL-terminated; NULL for none */
	s8 inherit;     /* enum rec_switch: REC_OFF for -i */

	/* sampling */
	bool has_freq, has_period, freq_max, strict_freq;
	u64 freq, period;
	enum rec_callgraph callgraph; /* REC_CG_NONE without -g and --call-graph */
	u32 stack_size;               /* bytes; 0: prec's own default for dwarf */
	bool stack_size_given;
	bool sample_address, sample_weight, sample_time_off, sample_time, sample_period_on,
		sample_period_off, sample_phys_data, data_page_size, code_page_size, raw_samples,
		sample_cpu, sample_identifier, sample_transaction, no_samples, running_time,
		sample_mem_info;
	s8 data_mmap; /* enum rec_switch: mmap records of data; unset: as sample_address says */
	s8 bpf_event; /* enum rec_switch: --no-bpf-event */
	u64 branch_sample_type;
	u64 user_regs, intr_regs;
	bool use_clockid;
	s32 clockid;
	bool kernel_callchains, user_callchains, all_kernel, all_user;
	bool inherit_stat; /* -s */
	bool switch_events, namespaces, all_cgroups;
	bool no_buffering;
	u32 max_stack; /* kernel.perf_event_max_stack unless given; 0 unset */
	bool exclude_perf;

	/* start and control */
	bool has_delay;
	s64 delay_ms; /* -D; -1: until told */
	struct rec_range *ranges;
	size_t nr_ranges;
	const char *control;

	/* rings */
	u64 mmap_bytes; /* data bytes of a ring; 0: sized by the recorder */
	u64 auxtrace_bytes;
	u64 mmap_flush;
	int realtime_prio; /* 0 unset */

	/* output */
	const char *output; /* NULL unset, "-" pipe */
	s8 compress;        /* -1 unset, 0 off, 1..22 */
	enum rec_switch_output switch_output;
	u64 switch_bytes, switch_ms;
	u32 switch_max_files; /* 0: all are kept */
	bool timestamp_filename, timestamp_boundary;
	u64 max_size; /* bytes; 0 none */
	bool overwrite, tail_synthesize;
	bool no_buildid, no_buildid_cache, buildid_all, buildid_mmap;
	bool quiet;
	int verbose;
	bool dry_run;
	bool one_group;                 /* --group: all events in one group */
	bool list_events, list_as_json; /* --list-events, --json: nothing is recorded */
	bool synth_none, synth_task_off, synth_mmap_off, synth_cgroup_off;
	u32 proc_map_timeout_ms;

	const char *cmdline0; /* how the command was called, for CMDLINE */
	char **cmdline;       /* argv, NULL-terminated */
};

void rec_opts_init(struct rec_opts *o);
void rec_opts_fini(struct rec_opts *o);

/* malloc'd "root/rest..." */
char *rec_host_path(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* A one-number file below procfs or sysfs, such as "sys/kernel/perf_event_paranoid". */
int rec_host_number(const char *root, const char *rest, s64 *ret) MUST_CHECK;

#endif
