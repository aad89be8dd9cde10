/* SPDX-License-Identifier: MIT */
/*
 * The options of prec's command line and the locations of the host's files. record/prec_options
 * fills them in; the rest of record/ reads them.
 */
#ifndef RECORD_MODEL_REC_OPTS_H
#define RECORD_MODEL_REC_OPTS_H

#include <stdio.h>

#include "base/diag.h"
#include "record/model/rec_event.h"

/* Mount points of the kernel's file systems. Tests put trees of their own here. */
struct rec_host {
	const char *sysfs;  /* mount point of sysfs, "/sys" */
	const char *procfs; /* mount point of procfs, "/proc" */
	/* mount point of tracefs; NULL: searched, /sys/kernel/tracing first */
	const char *tracefs;
};

/* Largest attr.sample_stack_user that the kernel accepts, a multiple of 8. */
#define REC_STACK_MAX 65528u

/* --off-cpu: how prec learns when threads leave the CPU. */
enum rec_off_cpu {
	REC_OFF_CPU_NONE,
	REC_OFF_CPU_AUTO,    /* the best that the user may record */
	REC_OFF_CPU_SWITCH,  /* context-switches */
	REC_OFF_CPU_SCHED,   /* sched:sched_switch */
	REC_OFF_CPU_RECORDS, /* SWITCH records */
};

enum rec_switch_output { REC_SWITCH_NONE, REC_SWITCH_SIGNAL, REC_SWITCH_SIZE, REC_SWITCH_TIME };

/*
 * A range of -D 10-20,30-40: events are enabled from start_ms until end_ms, in ms after the start.
 */
struct rec_range {
	u64 start_ms, end_ms;
};

struct rec_opts {
	struct rec_host host;
	struct diag *diag; /* collects warnings */
	/* warnings are printed here before the command starts; NULL: not then */
	FILE *notes;
	FILE *talk;       /* perf's messages about the recording; NULL with -q */
	bool on_terminal; /* a person reads talk: hints are welcome */
	FILE *log;        /* details printed with -v and -vv, as by perf; NULL without them */

	/* Target. Without any of them and without a command, the whole system is recorded. */
	const char *pids, *tids, *cpus, *user, *cgroups; /* values as given; NULL: not given */
	bool system_wide, per_thread;
	char **command; /* argv of the command, NULL-terminated; NULL: no command */
	s8 inherit;     /* enum rec_switch; REC_OFF: -i */

	/* How often samples are taken and what they hold. */
	bool has_freq, has_period, freq_max, strict_freq;
	u64 freq, period;
	double max_cpu_percent;       /* --max-cpu: share of all CPUs; 0: not given */
	enum rec_callgraph callgraph; /* REC_CG_NONE: neither -g nor --call-graph */
	u32 stack_size;               /* bytes, for dwarf; 0: REC_STACK_MAX */
	bool stack_size_given;
	bool lean;        /* --lean: records about processes with the samples that need them */
	bool keep_stacks; /* samples of events that are unwound keep their stack copies */
	bool sample_address, sample_weight, sample_time_off, sample_time, sample_period_on,
		sample_period_off, sample_phys_data, data_page_size, code_page_size, raw_samples,
		sample_cpu, sample_identifier, sample_transaction, no_samples, running_time,
		sample_mem_info;
	/*
	 * enum rec_switch: mmap records of data; unset: with sample_address or call graphs by dwarf
	 */
	s8 data_mmap;
	s8 bpf_event; /* enum rec_switch; REC_OFF: --no-bpf-event */
	u64 branch_sample_type;
	u64 user_regs, intr_regs;
	bool use_clockid;
	s32 clockid;
	bool kernel_callchains, user_callchains, all_kernel, all_user;
	bool inherit_stat; /* -s: record counts of each thread */
	bool switch_events, namespaces, all_cgroups;
	u64 max_probes;     /* of one glob; 0: the usual number */
	s8 off_cpu;         /* enum rec_off_cpu */
	u64 off_cpu_min_ns; /* shorter times off the CPU are left out */
	bool latency;       /* --latency: switch_events, of tasks only */
	bool no_buffering;
	u32 max_stack; /* frames; 0: kernel.perf_event_max_stack */
	bool exclude_perf;

	/* When to record. */
	bool has_delay;
	s64 delay_ms; /* ms, of -D; -1: until --control enables events */
	struct rec_range *ranges;
	size_t nr_ranges;
	u64 duration_ms; /* --duration; 0: not given */
	const char *control;

	/* Rings. */
	u64 mmap_bytes; /* data bytes of a ring; 0: the recorder chooses */
	u64 auxtrace_bytes;
	u64 mmap_flush;
	u64 flush_ms;     /* --flush-ms: how long records stay in the rings at most; 0: not given */
	bool has_threads; /* --threads */
	const char *threads; /* its value; NULL: none */
	int realtime_prio;   /* SCHED_FIFO priority; 0: not given */

	/* Instead of recording. */
	const char *input; /* --input: a recording to convert, "-": standard input; NULL: record */
	const char *symfs; /* --symfs: objects of the input are below this folder; NULL: none */

	/* Output. */
	const char *output; /* NULL: not given; "-": standard output */
	s8 compress;        /* zstd level 1 to 22; 0: off; -1: not given */
	enum rec_switch_output switch_output;
	u64 switch_bytes, switch_ms;
	const char *switch_hook; /* shell command for each finished file; NULL: none */
	u32 switch_max_files;    /* how many files --switch-output keeps; 0: all */
	bool timestamp_filename, timestamp_boundary;
	u64 max_size; /* bytes; 0: no limit */
	bool overwrite, tail_synthesize;
	bool no_buildid, no_buildid_cache, buildid_all, buildid_mmap;
	u64 buildid_cache_limit; /* bytes that a recording adds to the build-id cache */
	u64 command_stdout;      /* --command-stdout: descriptor, where prec writes to its own */
	bool quiet;
	int verbose;
	bool dry_run;
	bool one_group; /* --group: put all events into one group */
	/* --list-events, --json: print a list instead of recording */
	bool list_events, list_as_json;
	bool synth_none, synth_task_off, synth_mmap_off, synth_cgroup_off;
	u32 proc_map_timeout_ms;

	const char *cmdline0; /* path of prec, for the feature CMDLINE */
	char **cmdline;       /* argv of prec, NULL-terminated, for the feature CMDLINE */
};

/* rec_opts_init sets the defaults; rec_opts_fini frees what the options own, not the struct. */
void rec_opts_init(struct rec_opts *o);
void rec_opts_fini(struct rec_opts *o);

/* True if the recording goes to standard output, in the format of pipes. */
bool rec_opts_to_pipe(const struct rec_opts *o);

/* Returns "root/" followed by the formatted text, malloc'd. */
char *rec_host_path(const char *root, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Reads a file with one number below root, such as "sys/kernel/perf_event_paranoid" below procfs.
 * Returns 0, PERR_IO if it cannot be read or PERR_FORMAT if it does not begin with a number.
 */
int rec_host_number(const char *root, const char *rest, s64 *ret) MUST_CHECK;

#endif
