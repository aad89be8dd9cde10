/* SPDX-License-Identifier: MIT */
#include "record/prec_options.h"

#include <string.h>

#include "base/mem.h"
#include "base/pager.h"
#include "fileformat/attr.h"
#include "record/events/event_list.h"
#include "record/prec_option_calls.h"

/* Where an option's value goes; an option with a function of its own gets the prec_parse. */
#define AT(member) .offset = offsetof(struct rec_opts, member), .addr = NULL
#define CALL NULL
/* Options of perf record that prec has by name only; the reason stands in place of a help text. */
#define IGNORED(type, name, why)                                                 \
	{                                                                        \
		type, 0, name, CALL, "n", why, NULL, true, NULL, prec_on_ignored \
	}
#define REFUSED(letter, name, why)                                                             \
	{                                                                                      \
		OPT_CALL_OPT, letter, name, CALL, NULL, why, NULL, true, NULL, prec_on_refused \
	}

static const struct opt table[] = {
	{ OPT_GROUP, 0, NULL, NULL, NULL, "Whom" },
	{ OPT_FLAG, 'a', "all-cpus", AT(system_wide), NULL,
	  "the whole system (when there is neither target nor command)" },
	{ OPT_STRING, 'C', "cpu", AT(cpus), "list", "only these CPUs (0-3,8)" },
	{ OPT_STRING, 'p', "pid", AT(pids), "pid[,pid...]",
	  "processes that run: every thread, and what they start" },
	{ OPT_STRING, 't', "tid", AT(tids), "tid[,tid...]", "threads that run" },
	{ OPT_STRING, 'u', "uid", AT(user), "user", "the processes of a user" },
	{ OPT_CALL, 'G', "cgroup", CALL, "name[,name...]",
	  "only in these cgroups, one for each event so far", prec_on_cgroup },
	{ OPT_CALL_FLAG, 'i', "no-inherit", CALL, NULL, "not what the targets start",
	  prec_on_inherit },
	{ OPT_FLAG, 0, "per-thread", AT(per_thread), NULL,
	  "one ring for each thread instead of each CPU" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Which events" },
	{ OPT_CALL, 'e', "event", CALL, "event[,event...]", "events (see --list-events)",
	  prec_on_event },
	{ OPT_CALL, 0, "filter", CALL, "filter",
	  "condition on the fields of the tracepoints before it", prec_on_filter },
	{ OPT_CALL_FLAG, 0, "exclude-perf", CALL, NULL, "not the tracepoints that prec itself hits",
	  prec_on_exclude_perf },
	{ OPT_FLAG, 0, "group", AT(one_group), NULL, "all events in one group" },
	{ OPT_FLAG, 0, "all-kernel", AT(all_kernel), NULL, "every event in the kernel only" },
	{ OPT_FLAG, 0, "all-user", AT(all_user), NULL, "every event in user space only" },
	{ OPT_FLAG, 0, "list-events", AT(list_events), NULL,
	  "list the events that match the operands, and do nothing else" },
	{ OPT_FLAG, 0, "json", AT(list_as_json), NULL, "--list-events as JSON" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "How often" },
	{ OPT_CALL, 'F', "freq", CALL, "n|max", "samples a second (4000)", prec_on_freq },
	{ OPT_CALL, 'c', "count", CALL, "n", "one sample for so many events", prec_on_count },
	{ OPT_FLAG, 0, "strict-freq", AT(strict_freq), NULL,
	  "fail when the kernel does not allow the rate" },
	{ OPT_FLAG, 'n', "no-samples", AT(no_samples), NULL, "no samples" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "What a sample holds" },
	{ OPT_CALL_FLAG, 'g', NULL, CALL, NULL, "call graphs", prec_on_g },
	{ OPT_CALL, 0, "call-graph", CALL, "mode[,size]",
	  "call graphs by fp, dwarf (size: bytes of stack, 65528) or lbr", prec_on_callgraph },
	{ OPT_FLAG, 0, "kernel-callchains", AT(kernel_callchains), NULL,
	  "call graphs of the kernel only" },
	{ OPT_FLAG, 0, "user-callchains", AT(user_callchains), NULL,
	  "call graphs of user space only" },
	{ OPT_FLAG, 'd', "data", AT(sample_address), NULL, "data addresses" },
	{ OPT_FLAG, 0, "phys-data", AT(sample_phys_data), NULL, "physical data addresses" },
	{ OPT_FLAG, 0, "data-page-size", AT(data_page_size), NULL, "page size of the data" },
	{ OPT_FLAG, 0, "code-page-size", AT(code_page_size), NULL, "page size of the code" },
	{ OPT_FLAG, 0, "sample-mem-info", AT(sample_mem_info), NULL,
	  "where memory accesses were served from" },
	{ OPT_FLAG, 'W', "weight", AT(sample_weight), NULL, "weights (cost of the access)" },
	{ OPT_FLAG, 0, "transaction", AT(sample_transaction), NULL, "transaction flags" },
	{ OPT_CALL_FLAG, 'b', "branch-any", CALL, NULL, "branches taken before it",
	  prec_on_branch_any },
	{ OPT_CALL, 'j', "branch-filter", CALL, "list",
	  "branches of these kinds: any, any_call, any_ret, ind_call, u, k ...",
	  prec_on_branch_filter },
	{ OPT_CALL_OPT, 'I', "intr-regs", CALL, "registers",
	  "registers at the interrupt; ? lists them", prec_on_intr_regs },
	{ OPT_CALL_OPT, 0, "user-regs", CALL, "registers", "registers of user space; ? lists them",
	  prec_on_user_regs },
	{ OPT_CALL_FLAG, 'T', "timestamp", CALL, NULL, "time (default)", prec_on_time },
	{ OPT_CALL_FLAG, 'P', "period", CALL, NULL, "period", prec_on_period },
	{ OPT_FLAG, 0, "sample-cpu", AT(sample_cpu), NULL, "CPU" },
	{ OPT_FLAG, 0, "sample-identifier", AT(sample_identifier), NULL, "event id, in front" },
	{ OPT_FLAG, 'R', "raw-samples", AT(raw_samples), NULL,
	  "raw data (tracepoints always have it)" },
	{ OPT_FLAG, 's', "stat", AT(inherit_stat), NULL, "counts for each thread, at its end" },
	{ OPT_FLAG, 0, "running-time", AT(running_time), NULL,
	  "how long events that are read (:S) were on" },
	{ OPT_CALL, 'k', "clockid", CALL, "clock", "clock of the times: mono, raw, boot, real, tai",
	  prec_on_clock },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Other records" },
	{ OPT_FLAG, 0, "switch-events", AT(switch_events), NULL, "context switches" },
	{ OPT_FLAG, 0, "namespaces", AT(namespaces), NULL, "namespaces of the tasks" },
	{ OPT_FLAG, 0, "all-cgroups", AT(all_cgroups), NULL, "cgroups" },
	{ OPT_CALL_FLAG, 0, "no-bpf-event", CALL, NULL, "no BPF programs", prec_on_bpf_event },
	{ OPT_CALL_FLAG, 0, "data-mmap", CALL, NULL, "maps of data, too (-d does that)",
	  prec_on_data_mmap },
	{ OPT_CALL, 0, "synth", CALL, "no|all|task|mmap|cgroup",
	  "what is told of tasks that ran before (all)", prec_on_synth },
	{ OPT_FLAG, 0, "tail-synthesize", AT(tail_synthesize), NULL,
	  "tell it at the end of the recording" },
	{ OPT_CALL, 0, "proc-map-timeout", CALL, "ms",
	  "longest time for the maps of one process (500)", prec_on_map_timeout },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "When" },
	{ OPT_CALL, 'D', "delay", CALL, "ms|ranges",
	  "start so late (-1: when told), or be on in 10-20,30-40 only", prec_on_delay },
	{ OPT_CALL, 0, "control", CALL, "fd:ctl[,ack]|fifo:ctl[,ack]",
	  "take commands: enable, disable, stop, ping ...", prec_on_control },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Buffers" },
	{ OPT_CALL, 'm', "mmap-pages", CALL, "pages[,pages]",
	  "ring of each CPU, in pages or with B, K, M, G", prec_on_mmap_pages },
	{ OPT_CALL, 0, "mmap-flush", CALL, "n", "leave less than n bytes in a ring for later",
	  prec_on_mmap_flush },
	{ OPT_FLAG, 0, "no-buffering", AT(no_buffering), NULL, "wake up for every sample" },
	{ OPT_CALL, 'r', "realtime", CALL, "n", "SCHED_FIFO priority", prec_on_realtime },
	{ OPT_FLAG, 0, "overwrite", AT(overwrite), NULL,
	  "keep the newest only; written at SIGUSR2 and at the end" },

	{ OPT_GROUP, 0, NULL, NULL, NULL, "Output" },
	{ OPT_STRING, 'o', "output", AT(output), "file", "output (perf.data), - for a pipe" },
	{ OPT_CALL_OPT, 'z', "compression-level", CALL, "n",
	  "compress, level 1 (fast) to 22; 0: never", prec_on_compress },
	{ OPT_CALL_OPT, 0, "switch-output", CALL, "signal|size|time",
	  "a new file at SIGUSR2, or after 100M, or after 30s", prec_on_switch_output },
	{ OPT_CALL, 0, "switch-max-files", CALL, "n", "keep n of them", prec_on_switch_files },
	{ OPT_CALL, 0, "max-size", CALL, "size", "stop at that size", prec_on_max_size },
	{ OPT_FLAG, 0, "timestamp-filename", AT(timestamp_filename), NULL,
	  "the time in the file's name" },
	{ OPT_FLAG, 0, "timestamp-boundary", AT(timestamp_boundary), NULL,
	  "time of the first and the last sample in the header" },
	{ OPT_FLAG, 'B', "no-buildid", AT(no_buildid), NULL, "no build-ids" },
	{ OPT_FLAG, 'N', "no-buildid-cache", AT(no_buildid_cache), NULL,
	  "the build-id cache stays as it is (always so)" },
	{ OPT_FLAG, 0, "buildid-all", AT(buildid_all), NULL,
	  "build-ids of all files mapped (default)" },
	{ OPT_FLAG, 0, "buildid-mmap", AT(buildid_mmap), NULL,
	  "build-ids in map records (default)" },
	{ OPT_FLAG, 'q', "quiet", AT(quiet), NULL, "say nothing" },
	{ OPT_COUNT, 'v', "verbose", AT(verbose), NULL, "say more; -vv: every attr" },
	{ OPT_FLAG, 0, "dry-run", AT(dry_run), NULL, "read the options only" },

	IGNORED(OPT_CALL_OPT, "aio", "writing does not wait for the disk anyway"),
	IGNORED(OPT_CALL, "affinity", "the reading thread goes where the kernel sends it"),
	IGNORED(OPT_CALL, "num-thread-synthesize", "one thread reads /proc"),
	IGNORED(OPT_CALL_OPT, "debuginfod", "nothing is looked up while recording"),
	REFUSED(0, "threads", "one reader serves all CPUs, into one file"),
	REFUSED(0, "kcore", "kernel code is not copied into recordings"),
	REFUSED(0, "off-cpu", "it needs BPF; -e sched:sched_switch -g shows where tasks wait"),
	REFUSED(0, "off-cpu-thresh", "it needs BPF"),
	REFUSED('S', "snapshot", "AUX area tracing is not recorded"),
	REFUSED(0, "aux-sample", "AUX area tracing is not recorded"),
	REFUSED(0, "clang-path", "BPF sources are not compiled"),
	REFUSED(0, "clang-opt", "BPF sources are not compiled"),
	REFUSED(0, "vmlinux", "BPF sources are not compiled, so nobody reads it"),
	REFUSED(0, "pfm-events", "libpfm4 is not used; -e cpu/.../ or rNNN names any event"),
	REFUSED(0, "switch-output-event", "--switch-output=signal and SIGUSR2 do that"),
	REFUSED(0, "setup-filter", "BPF filters are not set up"),
	REFUSED(0, "latency", "--switch-events records when tasks run"),
	{ OPT_END },
};

#undef AT
#undef CALL
#undef IGNORED
#undef REFUSED

static const char usage[] = "prec [<options>] [--] [<command> [<arguments>]]";

/* All events in one group, led by the first: --group. */
static void make_one_group(struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		l->events[i]->leader_idx = 0;
		l->events[i]->in_group = l->nr > 1;
		l->events[i]->nr_members = i ? 0 : (u32)l->nr;
	}
}

/* Checks which options exclude or need each other, and sets what follows from several. */
static int check_combinations(struct prec_parse *p)
{
	struct rec_opts *o = p->o;

	if (o->list_as_json && !o->list_events)
		return prec_refuse("--json goes with --list-events");
	if (o->all_user && o->all_kernel)
		return prec_refuse("--all-user and --all-kernel exclude each other");
	if (o->has_freq && o->has_period)
		return prec_refuse("-F and -c exclude each other: a rate, or a count of events");
	/* as perf: -c 0 is as if it had not been given */
	if (o->has_period && !o->period)
		o->has_period = false;
	if (o->has_freq && !o->freq_max && !o->freq)
		return prec_refuse("-F 0: no sample would ever be taken");
	if (p->branch_any && o->branch_sample_type)
		return prec_refuse("-b is -j any: only one of -b and -j can be given");
	if (p->branch_any)
		o->branch_sample_type = PD_BRANCH_ANY;
	if (o->switch_output != REC_SWITCH_NONE && o->output && !strcmp(o->output, "-"))
		return prec_refuse("--switch-output starts new files; -o - is a pipe");
	if (p->nr_cgroups &&
	    (o->pids || o->tids || o->user || (o->command && !o->system_wide && !o->cpus)))
		return prec_refuse("-G counts on whole CPUs: -a or -C must be given with it");
	if (o->switch_output != REC_SWITCH_NONE)
		o->timestamp_filename = true;
	if (o->one_group)
		make_one_group(p->l);
	return 0;
}

/*
 * argv is worked on in a copy of its pointers: base/option moves the operands to the front, but
 * the caller still wants the line as it was typed.
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
	/* parsing stopped at the first operand: they are the end of the line */
	if (p->o->list_events) {
		struct pager pager = { .off = p->o->list_as_json };

		pager_start(&pager);
		event_list_print(p->o, argv + argc - nr, (size_t)nr, p->o->list_as_json, stdout);
		pager_end(&pager);
		return 1;
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
