/* SPDX-License-Identifier: MIT */
#include "record/prec_options.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pager.h"
#include "fileformat/attr.h"
#include "record/events/event_list.h"
#include "record/max_cpu_option.h"
#include "record/offcpu/offcpu_events.h"
#include "record/prec_option_calls.h"
#include "record/threads_option.h"

/* The member that an option sets; options with a function get struct prec_parse instead. */
#define AT(member) .offset = offsetof(struct rec_opts, member), .addr = NULL
#define CALL NULL
/* Options of perf record that prec accepts without effect or refuses, with the reason in place of a
 * help text. */
#define IGNORED(type, name, why)                                                 \
	{                                                                        \
		type, 0, name, CALL, "n", why, NULL, true, NULL, prec_on_ignored \
	}
#define REFUSED(letter, name, why)                                     \
	{                                                              \
		OPT_REFUSED, letter, name, CALL, NULL, why, NULL, true \
	}

static int on_off_cpu(void *ctx, const char *arg, bool unset)
{
	struct rec_opts *o = ((struct prec_parse *)ctx)->o;

	o->off_cpu = REC_OFF_CPU_NONE;
	if (unset || !offcpu_parse_how(arg, &o->off_cpu))
		return 0;
	return prec_refuse("--off-cpu: expected auto, switch, sched or records, got '%s'", arg);
}

static const struct opt table[] = {
	{ OPT_GROUP, 0, NULL, NULL, NULL, "Targets" },
	{ OPT_FLAG, 'a', "all-cpus", AT(system_wide), NULL,
	  "record the whole system (default without target and command)" },
	{ OPT_STRING, 'C', "cpu", AT(cpus), "list",
	  "record the whole system on these CPUs only (0-3,8)" },
	{ OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]",
	  "record running processes: all threads and new children" },
	{ OPT_STRING, 't', "tid", AT(tids), "tid[,tid...]", "record running threads" },
	{ OPT_STRING, 'u', "uid", AT(user), "user", "record the processes of a user" },
	{ OPT_CALL, 'G', "cgroup", CALL, "name[,name...]",
	  "record only in cgroups: one name for each event before it", prec_on_cgroup },
	{ OPT_CALL_FLAG, 'i', "no-inherit", CALL, NULL, "do not record children of the target",
	  prec_on_inherit },
	{ OPT_FLAG, 0, "per-thread", AT(per_thread), NULL,
	  "use one ring per thread instead of one per CPU" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Events" },
	{ OPT_CALL, 'e', "event", CALL, "event[,event...]", "events to record (see --list-events)",
	  prec_on_event },
	{ OPT_CALL, 0, "filter", CALL, "filter", "filter the fields of the tracepoints before it",
	  prec_on_filter },
	{ OPT_CALL_FLAG, 0, "exclude-perf", CALL, NULL, "omit tracepoint hits of prec itself",
	  prec_on_exclude_perf },
	{ OPT_FLAG, 0, "group", AT(one_group), NULL, "put all events into one group" },
	{ OPT_FLAG, 0, "all-kernel", AT(all_kernel), NULL, "record all events in the kernel only" },
	{ OPT_FLAG, 0, "all-user", AT(all_user), NULL, "record all events in user space only" },
	{ OPT_FLAG, 0, "list-events", AT(list_events), NULL,
	  "list the events that match the operands, then exit" },
	{ OPT_FLAG, 0, "json", AT(list_as_json), NULL, "print --list-events as JSON" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Sampling rate" },
	{ OPT_CALL, 'F', "freq", CALL, "n|max", "samples per second (default 4000)", prec_on_freq },
	{ OPT_CALL, 'c', "count", CALL, "n", "take a sample every n events", prec_on_count },
	{ OPT_FLAG, 0, "strict-freq", AT(strict_freq), NULL,
	  "fail if the kernel does not permit the rate" },
	{ OPT_CALL, 0, "max-cpu", CALL, "percent",
	  "with -a or -C: lower the rate so that prec uses at most this share of all CPUs",
	  prec_on_max_cpu },
	{ OPT_FLAG, 'n', "no-samples", AT(no_samples), NULL, "take no samples" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Contents of samples" },
	{ OPT_CALL_FLAG, 'g', NULL, CALL, NULL, "call graphs by frame pointers", prec_on_g },
	{ OPT_CALL, 0, "call-graph", CALL, "mode[,size]",
	  "call graphs by fp, dwarf or unwind (size: bytes of stack, default 65528), or lbr",
	  prec_on_callgraph },
	{ OPT_FLAG, 0, "keep-stacks", AT(keep_stacks), NULL,
	  "with --call-graph unwind: write the stack copies, too" },
	{ OPT_FLAG, 0, "kernel-callchains", AT(kernel_callchains), NULL,
	  "limit call graphs to the kernel" },
	{ OPT_FLAG, 0, "user-callchains", AT(user_callchains), NULL,
	  "limit call graphs to user space" },
	{ OPT_FLAG, 'd', "data", AT(sample_address), NULL, "data addresses" },
	{ OPT_FLAG, 0, "phys-data", AT(sample_phys_data), NULL, "physical data addresses" },
	{ OPT_FLAG, 0, "data-page-size", AT(data_page_size), NULL, "page sizes of data addresses" },
	{ OPT_FLAG, 0, "code-page-size", AT(code_page_size), NULL, "page sizes of code addresses" },
	{ OPT_FLAG, 0, "sample-mem-info", AT(sample_mem_info), NULL,
	  "memory level that served an access" },
	{ OPT_FLAG, 'W', "weight", AT(sample_weight), NULL, "weight: cost of a memory access" },
	{ OPT_FLAG, 0, "transaction", AT(sample_transaction), NULL, "transaction flags" },
	{ OPT_CALL_FLAG, 'b', "branch-any", CALL, NULL, "last taken branches", prec_on_branch_any },
	{ OPT_CALL, 'j', "branch-filter", CALL, "list",
	  "last branches of these kinds: any, any_call, any_ret, ind_call, u, k ...",
	  prec_on_branch_filter },
	{ OPT_CALL_OPT, 'I', "intr-regs", CALL, "registers",
	  "registers at the interrupt; -I? lists their names", prec_on_intr_regs },
	{ OPT_CALL_OPT, 0, "user-regs", CALL, "registers",
	  "registers of user space; --user-regs=? lists their names", prec_on_user_regs },
	{ OPT_CALL_FLAG, 'T', "timestamp", CALL, NULL, "timestamps (default)", prec_on_time },
	{ OPT_CALL_FLAG, 'P', "period", CALL, NULL, "periods", prec_on_period },
	{ OPT_FLAG, 0, "sample-cpu", AT(sample_cpu), NULL, "CPU numbers" },
	{ OPT_FLAG, 0, "sample-identifier", AT(sample_identifier), NULL,
	  "event ids as the first field" },
	{ OPT_FLAG, 'R', "raw-samples", AT(raw_samples), NULL,
	  "raw data (always for tracepoints)" },
	{ OPT_FLAG, 's', "stat", AT(inherit_stat), NULL, "counts of each thread when it ends" },
	{ OPT_FLAG, 0, "running-time", AT(running_time), NULL,
	  "running times of events read in groups (:S)" },
	{ OPT_CALL, 'k', "clockid", CALL, "clock",
	  "clock of timestamps: mono, raw, boot, real, tai", prec_on_clock },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Other records" },
	{ OPT_FLAG, 0, "switch-events", AT(switch_events), NULL, "context switches" },
	{ OPT_CALL_OPT, 0, "off-cpu", CALL, "auto|switch|sched|records",
	  "times off the CPU, as samples of offcpu-time with the stack where the thread left "
	  "(auto: by the best way that is permitted)",
	  on_off_cpu },
	{ OPT_PARSE, 0, "off-cpu-min", AT(off_cpu_min_ns), "time",
	  "with --off-cpu: only times of at least 1ms, 500us, ...", .parse = offcpu_parse_min },
	{ OPT_FLAG, 0, "latency", AT(latency), NULL,
	  "what shares of wall clock time need: context switches of the target's tasks" },
	{ OPT_FLAG, 0, "namespaces", AT(namespaces), NULL, "namespaces of the tasks" },
	{ OPT_FLAG, 0, "all-cgroups", AT(all_cgroups), NULL, "cgroups of tasks and samples" },
	{ OPT_CALL_FLAG, 0, "no-bpf-event", CALL, NULL, "omit BPF programs", prec_on_bpf_event },
	{ OPT_CALL_FLAG, 0, "data-mmap", CALL, NULL, "also maps of data (default with -d)",
	  prec_on_data_mmap },
	{ OPT_CALL, 0, "synth", CALL, "no|all|task|mmap|cgroup",
	  "records about existing tasks to write (default all)", prec_on_synth },
	{ OPT_FLAG, 0, "lean", AT(lean), NULL,
	  "with -a --call-graph unwind: write of processes and mappings only what samples need" },
	{ OPT_FLAG, 0, "tail-synthesize", AT(tail_synthesize), NULL,
	  "write these records at the end of the recording" },
	{ OPT_CALL, 0, "proc-map-timeout", CALL, "ms",
	  "time limit for the maps of one process (default 500)", prec_on_map_timeout },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Start and control" },
	{ OPT_CALL, 'D', "delay", CALL, "ms|ranges",
	  "start after ms (-1: when --control enables), or record in 10-20,30-40 only",
	  prec_on_delay },
	{ OPT_CALL, 0, "duration", CALL, "time",
	  "end after this many seconds, or after 0.5s, 5m, 24h", prec_on_duration },
	{ OPT_CALL, 0, "for", CALL, "time", "the same as --duration", prec_on_for },
	{ OPT_CALL, 0, "control", CALL, "fd:ctl[,ack]|fifo:ctl[,ack]",
	  "accept commands: enable, disable, stop, ping ...", prec_on_control },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Buffers" },
	{ OPT_CALL, 'm', "mmap-pages", CALL, "pages[,pages]",
	  "size of each ring, in pages or with B, K, M, G", prec_on_mmap_pages },
	{ OPT_FLAG, 0, "no-buffering", AT(no_buffering), NULL, "wake up at every sample" },
	{ OPT_U64, 0, "flush-ms", AT(flush_ms), "ms",
	  "pass records on after this time at most (250; 40 into a pipe)" },
	{ OPT_CALL, 'r', "realtime", CALL, "n", "run with SCHED_FIFO priority n",
	  prec_on_realtime },
	{ OPT_CALL_OPT, 0, "threads", CALL, "cpu|core|package|numa|masks",
	  "read the rings in one thread per CPU (default), per group of CPUs or per mask "
	  "(0-1/0:2-3/2), into a folder",
	  prec_on_threads },
	{ OPT_FLAG, 0, "overwrite", AT(overwrite), NULL,
	  "overwrite old records; write the rings at SIGUSR2 and at the end" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Output" },
	{ OPT_STRING, 'o', "output", AT(output), "file",
	  "output file (default perf.data), - for standard output" },
	{ OPT_CALL_OPT, 'z', "compression-level", CALL, "n",
	  "compress with zstd level 1 (fast, default) to 22; 0: never", prec_on_compress },
	{ OPT_CALL_OPT, 0, "switch-output", CALL, "signal|size|time",
	  "start a new file at SIGUSR2, after a size (100M) or a time (30s)",
	  prec_on_switch_output },
	{ OPT_CALL, 0, "switch-max-files", CALL, "n", "keep the newest n files",
	  prec_on_switch_files },
	{ OPT_STRING, 0, "switch-hook", AT(switch_hook), "command",
	  "run this shell command for each finished file, which is its $1" },
	{ OPT_U64, 0, "max-probes", AT(max_probes), "n",
	  "a glob of uprobe: may match this many functions (500)" },
	{ OPT_CALL, 0, "max-size", CALL, "size", "stop when the file has this size",
	  prec_on_max_size },
	{ OPT_FLAG, 0, "timestamp-filename", AT(timestamp_filename), NULL,
	  "append the time to the file name" },
	{ OPT_FLAG, 'B', "no-buildid", AT(no_buildid), NULL, "omit build-ids" },
	{ OPT_FLAG, 0, "buildid-mmap", AT(buildid_mmap), NULL,
	  "put build-ids into map records (default)" },
	{ OPT_FLAG, 'N', "no-buildid-cache", AT(no_buildid_cache), NULL,
	  "do not copy files of containers, deleted and replaced files into the build-id cache" },
	{ OPT_CALL, 0, "buildid-cache-limit", CALL, "size",
	  "copy at most this much into the build-id cache (default 256M)",
	  prec_on_buildid_cache_limit },
	{ OPT_FLAG, 0, "buildid-all", AT(buildid_all), NULL,
	  "copy such files of processes without samples, too" },
	{ OPT_U64, 0, "command-stdout", AT(command_stdout), "fd",
	  "with -o -: the descriptor that is the command's standard output (2)" },
	{ OPT_FLAG, 'q', "quiet", AT(quiet), NULL, "print errors only" },
	{ OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "print details; -vv: every event attr" },
	{ OPT_FLAG, 0, "dry-run", AT(dry_run), NULL, "check the options, then exit" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Conversion" },
	{ OPT_STRING, 0, "input", AT(input), "file",
	  "with --call-graph unwind: write this recording with call chains in place of its stack "
	  "copies (-i file does, too)" },
	{ OPT_STRING, 0, "symfs", AT(symfs), "directory",
	  "look for the files of the input below this directory" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Accepted for compatibility, without effect" },
	{ OPT_CALL, 0, "mmap-flush", CALL, "n", "the rings are emptied completely each time",
	  prec_on_mmap_flush },
	{ OPT_FLAG, 0, "timestamp-boundary", AT(timestamp_boundary), NULL,
	  "the header always has these times" },

	IGNORED(OPT_CALL_OPT, "aio", "the kernel buffers writes"),
	IGNORED(OPT_CALL, "affinity", "the kernel places the reading thread"),
	IGNORED(OPT_CALL, "num-thread-synthesize", "a single thread reads /proc"),
	IGNORED(OPT_CALL_OPT, "debuginfod", "prec downloads nothing"),
	REFUSED(0, "kcore", "kernel code is not copied into recordings"),
	REFUSED(0, "off-cpu-thresh", "it needs BPF: --off-cpu-min leaves short times out"),
	REFUSED('S', "snapshot", "AUX area tracing is not recorded"),
	REFUSED(0, "aux-sample", "AUX area tracing is not recorded"),
	REFUSED(0, "clang-path", "BPF sources are not compiled"),
	REFUSED(0, "clang-opt", "BPF sources are not compiled"),
	REFUSED(0, "vmlinux", "it is only used for BPF sources, which are not compiled"),
	REFUSED(0, "pfm-events", "libpfm4 is not used; use -e cpu/.../ or -e rNNN"),
	REFUSED(0, "switch-output-event", "use --switch-output=signal and SIGUSR2"),
	REFUSED(0, "setup-filter", "BPF filters are not used"),
	{ OPT_END },
};

#undef AT
#undef CALL
#undef IGNORED
#undef REFUSED

static const char usage[] = "prec [<options>] [--] [<command> [<arguments>]]\n"
			    "   or: prec -i <recording> --call-graph unwind [-z] [-o <file>]";

/* Puts all events into one group that the first one leads (--group). */
static void make_one_group(struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		l->events[i]->leader_idx = 0;
		l->events[i]->in_group = l->nr > 1;
		l->events[i]->nr_members = i ? 0 : (u32)l->nr;
	}
}

static bool has_target(const struct rec_opts *o)
{
	return o->command || o->pids || o->tids || o->user || o->cpus;
}

/* Conversion has few options. */
static int check_conversion(const struct prec_parse *p)
{
	const struct rec_opts *o = p->o;

	if (o->callgraph != REC_CG_UNWIND)
		return prec_refuse(
			"--input needs --call-graph unwind: prec does nothing else with a "
			"recording");
	if (o->stack_size_given)
		return prec_refuse("--call-graph unwind,SIZE with --input: the recording says how "
				   "much of each stack was copied");
	if (o->keep_stacks)
		return prec_refuse("--keep-stacks is for recording, not for --input");
	if (has_target(o) || o->system_wide || p->l->nr || o->cgroups)
		return prec_refuse("--input converts a recording: it takes no command, target or "
				   "event");
	if (o->switch_output != REC_SWITCH_NONE || o->max_size || o->has_threads)
		return prec_refuse("--input writes one file: it takes no --switch-output, "
				   "--max-size or --threads");
	return 0;
}

static int check_unwinding(const struct prec_parse *p)
{
	const struct rec_opts *o = p->o;
	bool unwinds = o->callgraph == REC_CG_UNWIND;

	for (size_t i = 0; i < p->l->nr; i++)
		unwinds |= p->l->events[i]->terms.callgraph == REC_CG_UNWIND;
	if (o->keep_stacks && !unwinds)
		return prec_refuse("--keep-stacks needs --call-graph unwind");
	if (unwinds && o->overwrite)
		return prec_refuse("--call-graph unwind cannot be used with --overwrite: use "
				   "--call-graph dwarf, then prec -i FILE --call-graph unwind");
	if (unwinds && o->sample_time_off)
		return prec_refuse("--call-graph unwind needs timestamps, which tell the maps of a "
				   "process as of a sample: leave --no-timestamp out");
	return 0;
}

/* What the samples of --off-cpu need. */
static int settle_off_cpu(struct rec_opts *o)
{
	if (!o->off_cpu)
		return o->off_cpu_min_ns ? prec_refuse("--off-cpu-min needs --off-cpu") : 0;
	if (o->overwrite || o->no_samples || o->sample_time_off)
		return prec_refuse("--off-cpu excludes --overwrite, -n and --no-timestamp");
	if (o->callgraph == REC_CG_UNWIND)
		return prec_refuse(
			"--off-cpu with --call-graph unwind: use --call-graph dwarf, then "
			"prec -i FILE --call-graph unwind");
	o->switch_events = o->sample_cpu = o->sample_identifier = o->sample_time = true;
	return 0;
}

static int check_lean(const struct rec_opts *o)
{
	if (!o->lean)
		return 0;
	if (o->callgraph != REC_CG_UNWIND)
		return prec_refuse("--lean needs --call-graph unwind: it writes the mappings that "
				   "the frames of samples lie in");
	if (o->pids || o->tids || o->user || !(o->system_wide || o->cpus || !o->command))
		return prec_refuse("--lean needs the whole system or CPUs as target (-a, -C)");
	if (o->tail_synthesize)
		return prec_refuse("--lean and --tail-synthesize exclude each other");
	return 0;
}

/* Checks for options that exclude or need each other, and sets values that follow from several. */
static int check_combinations(struct prec_parse *p)
{
	struct rec_opts *o = p->o;

	if (o->input)
		return check_conversion(p);
	if (o->symfs)
		return prec_refuse("--symfs needs --input");
	if (check_unwinding(p))
		return -1;
	if (prec_settle_cgroups(p))
		return -1;
	if (o->list_as_json && !o->list_events)
		return prec_refuse("--json needs --list-events");
	if (o->all_user && o->all_kernel)
		return prec_refuse("--all-user and --all-kernel exclude each other");
	if (o->has_freq && o->has_period)
		return prec_refuse("-F (rate) and -c (period) exclude each other");
	/* -c 0 has no effect, as in perf */
	if (o->has_period && !o->period)
		o->has_period = false;
	if (o->has_freq && !o->freq_max && !o->freq)
		return prec_refuse("-F: a rate of 0 takes no samples: use -F 1 or more");
	if (p->branch_any && o->branch_sample_type)
		return prec_refuse("-b and -j exclude each other: -b means -j any");
	if (p->branch_any)
		o->branch_sample_type = PD_BRANCH_ANY;
	if (o->switch_output != REC_SWITCH_NONE && o->output && !strcmp(o->output, "-"))
		return prec_refuse("--switch-output needs files: it cannot be used with -o -");
	if (p->nr_cgroups &&
	    (o->pids || o->tids || o->user || (o->command && !o->system_wide && !o->cpus)))
		return prec_refuse("-G: cgroups can only be recorded on CPUs: add -a or -C");
	if (o->latency && (o->system_wide || !has_target(o)))
		return prec_refuse("--latency is for tasks: give a command or -p, not -a");
	if (o->switch_hook && o->switch_output == REC_SWITCH_NONE)
		return prec_refuse("--switch-hook needs --switch-output");
	if (prec_settle_threads(p) || prec_settle_max_cpu(p))
		return -1;
	o->switch_events |= o->latency;
	if (settle_off_cpu(o) || check_lean(o))
		return -1;
	if (o->switch_output != REC_SWITCH_NONE)
		o->timestamp_filename = true;
	if (o->one_group)
		make_one_group(p->l);
	return 0;
}

/* The kind of the file (S_IFMT), 0 without one. */
static mode_t kind_of(const char *path)
{
	struct stat st;

	return stat(path, &st) ? 0 : st.st_mode & S_IFMT;
}

/*
 * -i is perf's --no-inherit, and what follows it a command; but a recording is none, so with one
 * it is the -i of all other commands.
 */
static bool is_recording(const char *path)
{
	char magic[8] = "", *inside = NULL;
	int fd = -1;

	/* a stream is no command, either; what is read of it would be missing later */
	if (!strcmp(path, "-") || kind_of(path) == S_IFIFO)
		return true;
	if (kind_of(path) == S_IFDIR) /* of perf record --threads */
		path = inside = xasprintf("%s/data", path);
	if (kind_of(path) == S_IFREG)
		fd = open(path, O_RDONLY | O_CLOEXEC);
	free(inside);
	if (fd < 0)
		return false;
	if (read(fd, magic, sizeof(magic)) != (ssize_t)sizeof(magic))
		magic[0] = '\0';
	close(fd);
	return !memcmp(magic, "PERFILE2", 8) || !memcmp(magic, "2ELIFREP", 8) ||
	       !memcmp(magic, "PERFFILE", 8);
}

/*
 * Parses the command line, in a copy of the pointers in argv: base/option moves operands to the
 * front, but the recording's CMDLINE needs the line as it was typed.
 */
static int parse_line(struct prec_parse *p, const struct opt_parser *parser, int argc, char **argv)
{
	char **copy = xmalloc(((size_t)argc + 1) * sizeof(*copy));
	int nr, rc;

	memcpy(copy, argv, ((size_t)argc + 1) * sizeof(*copy));
	rc = opt_parse(parser, argc, copy, &nr);
	free(copy);
	if (p->printed)
		return 1;
	if (rc)
		return rc;
	/* parsing has stopped at the first operand, so the operands are the end of argv */
	if (p->o->list_events) {
		struct pager pager = { .off = p->o->list_as_json };

		pager_start(&pager);
		event_list_print(p->o, argv + argc - nr, (size_t)nr, p->o->list_as_json, stdout);
		pager_end(&pager);
		return 1;
	}
	if (nr && argc - nr > 1 && !strcmp(argv[argc - nr - 1], "-i") && !p->o->input &&
	    is_recording(argv[argc - nr])) {
		/* the remaining arguments are parsed as options again */
		p->o->input = argv[argc - nr];
		p->o->inherit = REC_UNSET;
		return parse_line(p, parser, nr, argv + argc - nr);
	}
	p->o->command = nr ? argv + argc - nr : NULL;
	return check_combinations(p);
}

int prec_options_parse(int argc, char **argv, struct rec_opts *o, struct rec_evlist *l)
{
	struct prec_parse p = { .o = o, .l = l };
	const struct opt_parser parser = {
		.prog = "prec",
		.usage = usage,
		.table = table,
		.stop_at_operand = true,
		.values = o,
		.ctx = &p,
	};

	return parse_line(&p, &parser, argc, argv);
}
