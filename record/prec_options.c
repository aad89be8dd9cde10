/* SPDX-License-Identifier: MIT */
#include "record/prec_options.h"

#include <string.h>

#include "base/mem.h"
#include "base/pager.h"
#include "fileformat/attr.h"
#include "record/event_list.h"
#include "record/prec_option_calls.h"

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

/* What no single option can see. */
static int settle(struct prec_parse *p)
{
	struct rec_opts *o = p->o;

	if (p->json && !p->list_events)
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
	if (p->one_group)
		make_one_group(p->l);
	return 0;
}

/*
 * argv is worked on in a copy of its pointers: base/option moves the operands to the front, but
 * the caller still wants the line as it was typed.
 */
static int parse(struct prec_parse *p, const struct opt_parser *parser, int argc, char **argv)
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
	if (p->list_events) {
		struct pager pager = { .off = p->json };

		pager_start(&pager);
		event_list_print(p->o, argv + argc - nr, (size_t)nr, p->json, stdout);
		pager_end(&pager);
		return 1;
	}
	p->o->command = nr ? argv + argc - nr : NULL;
	return settle(p);
}

int prec_options_parse(int argc, char **argv, struct rec_opts *o, struct rec_evlist *l)
{
	struct prec_parse p = { .o = o, .l = l };

#define NAMED(id, option, reason) struct prec_named id = { &p, option, reason }
	NAMED(aio, "aio", "writing does not wait for the disk anyway");
	NAMED(affinity, "affinity", "the reading thread goes where the kernel sends it");
	NAMED(synth_threads, "num-thread-synthesize", "one thread reads /proc");
	NAMED(debuginfod, "debuginfod", "nothing is looked up while recording");
	NAMED(threads, "threads", "one reader serves all CPUs, into one file");
	NAMED(kcore, "kcore", "kernel code is not copied into recordings");
	NAMED(off_cpu, "off-cpu", "it needs BPF; -e sched:sched_switch -g shows where tasks wait");
	NAMED(off_cpu_thresh, "off-cpu-thresh", "it needs BPF");
	NAMED(snapshot, "snapshot", "AUX area tracing is not recorded");
	NAMED(aux_sample, "aux-sample", "AUX area tracing is not recorded");
	NAMED(clang_path, "clang-path", "BPF sources are not compiled");
	NAMED(clang_opt, "clang-opt", "BPF sources are not compiled");
	NAMED(vmlinux, "vmlinux", "BPF sources are not compiled, so nobody reads it");
	NAMED(pfm, "pfm-events", "libpfm4 is not used; -e cpu/.../ or rNNN names any event");
	NAMED(switch_event, "switch-output-event", "--switch-output=signal and SIGUSR2 do that");
	NAMED(setup_filter, "setup-filter", "BPF filters are not set up");
	NAMED(latency, "latency", "--switch-events records when tasks run");
#undef NAMED

	const struct opt table[] = {
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Whom" },
		{ OPT_FLAG, 'a', "all-cpus", &o->system_wide, NULL,
		  "the whole system (when there is neither target nor command)" },
		{ OPT_STRING, 'C', "cpu", &o->cpus, "list", "only these CPUs (0-3,8)" },
		{ OPT_STRING, 'p', "pid", &o->pids, "pid[,pid...]",
		  "processes that run: every thread, and what they start" },
		{ OPT_STRING, 't', "tid", &o->tids, "tid[,tid...]", "threads that run" },
		{ OPT_STRING, 'u', "uid", &o->user, "user", "the processes of a user" },
		{ OPT_CALL, 'G', "cgroup", &p, "name[,name...]",
		  "only in these cgroups, one for each event so far", prec_on_cgroup },
		{ OPT_CALL_FLAG, 'i', "no-inherit", &p, NULL, "not what the targets start",
		  prec_on_inherit },
		{ OPT_FLAG, 0, "per-thread", &o->per_thread, NULL,
		  "one ring for each thread instead of each CPU" },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "Which events" },
		{ OPT_CALL, 'e', "event", &p, "event[,event...]", "events (see --list-events)",
		  prec_on_event },
		{ OPT_CALL, 0, "filter", &p, "filter",
		  "condition on the fields of the tracepoints before it", prec_on_filter },
		{ OPT_CALL_FLAG, 0, "exclude-perf", &p, NULL,
		  "not the tracepoints that prec itself hits", prec_on_exclude_perf },
		{ OPT_FLAG, 0, "group", &p.one_group, NULL, "all events in one group" },
		{ OPT_FLAG, 0, "all-kernel", &o->all_kernel, NULL,
		  "every event in the kernel only" },
		{ OPT_FLAG, 0, "all-user", &o->all_user, NULL, "every event in user space only" },
		{ OPT_FLAG, 0, "list-events", &p.list_events, NULL,
		  "list the events that match the operands, and do nothing else" },
		{ OPT_FLAG, 0, "json", &p.json, NULL, "--list-events as JSON" },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "How often" },
		{ OPT_CALL, 'F', "freq", &p, "n|max", "samples a second (4000)", prec_on_freq },
		{ OPT_CALL, 'c', "count", &p, "n", "one sample for so many events", prec_on_count },
		{ OPT_FLAG, 0, "strict-freq", &o->strict_freq, NULL,
		  "fail when the kernel does not allow the rate" },
		{ OPT_FLAG, 'n', "no-samples", &o->no_samples, NULL, "no samples" },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "What a sample holds" },
		{ OPT_CALL_FLAG, 'g', NULL, &p, NULL, "call graphs", prec_on_g },
		{ OPT_CALL, 0, "call-graph", &p, "mode[,size]",
		  "call graphs by fp, dwarf (size: bytes of stack, 65528) or lbr",
		  prec_on_callgraph },
		{ OPT_FLAG, 0, "kernel-callchains", &o->kernel_callchains, NULL,
		  "call graphs of the kernel only" },
		{ OPT_FLAG, 0, "user-callchains", &o->user_callchains, NULL,
		  "call graphs of user space only" },
		{ OPT_FLAG, 'd', "data", &o->sample_address, NULL, "data addresses" },
		{ OPT_FLAG, 0, "phys-data", &o->sample_phys_data, NULL, "physical data addresses" },
		{ OPT_FLAG, 0, "data-page-size", &o->data_page_size, NULL,
		  "page size of the data" },
		{ OPT_FLAG, 0, "code-page-size", &o->code_page_size, NULL,
		  "page size of the code" },
		{ OPT_FLAG, 0, "sample-mem-info", &o->sample_mem_info, NULL,
		  "where memory accesses were served from" },
		{ OPT_FLAG, 'W', "weight", &o->sample_weight, NULL,
		  "weights (cost of the access)" },
		{ OPT_FLAG, 0, "transaction", &o->sample_transaction, NULL, "transaction flags" },
		{ OPT_CALL_FLAG, 'b', "branch-any", &p, NULL, "branches taken before it",
		  prec_on_branch_any },
		{ OPT_CALL, 'j', "branch-filter", &p, "list",
		  "branches of these kinds: any, any_call, any_ret, ind_call, u, k ...",
		  prec_on_branch_filter },
		{ OPT_CALL_OPT, 'I', "intr-regs", &p, "registers",
		  "registers at the interrupt; ? lists them", prec_on_intr_regs },
		{ OPT_CALL_OPT, 0, "user-regs", &p, "registers",
		  "registers of user space; ? lists them", prec_on_user_regs },
		{ OPT_CALL_FLAG, 'T', "timestamp", &p, NULL, "time (default)", prec_on_time },
		{ OPT_CALL_FLAG, 'P', "period", &p, NULL, "period", prec_on_period },
		{ OPT_FLAG, 0, "sample-cpu", &o->sample_cpu, NULL, "CPU" },
		{ OPT_FLAG, 0, "sample-identifier", &o->sample_identifier, NULL,
		  "event id, in front" },
		{ OPT_FLAG, 'R', "raw-samples", &o->raw_samples, NULL,
		  "raw data (tracepoints always have it)" },
		{ OPT_FLAG, 's', "stat", &o->inherit_stat, NULL,
		  "counts for each thread, at its end" },
		{ OPT_FLAG, 0, "running-time", &o->running_time, NULL,
		  "how long events that are read (:S) were on" },
		{ OPT_CALL, 'k', "clockid", &p, "clock",
		  "clock of the times: mono, raw, boot, real, tai", prec_on_clock },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "Other records" },
		{ OPT_FLAG, 0, "switch-events", &o->switch_events, NULL, "context switches" },
		{ OPT_FLAG, 0, "namespaces", &o->namespaces, NULL, "namespaces of the tasks" },
		{ OPT_FLAG, 0, "all-cgroups", &o->all_cgroups, NULL, "cgroups" },
		{ OPT_CALL_FLAG, 0, "no-bpf-event", &p, NULL, "no BPF programs",
		  prec_on_bpf_event },
		{ OPT_CALL_FLAG, 0, "data-mmap", &p, NULL, "maps of data, too (-d does that)",
		  prec_on_data_mmap },
		{ OPT_CALL, 0, "synth", &p, "no|all|task|mmap|cgroup",
		  "what is told of tasks that ran before (all)", prec_on_synth },
		{ OPT_FLAG, 0, "tail-synthesize", &o->tail_synthesize, NULL,
		  "tell it at the end of the recording" },
		{ OPT_CALL, 0, "proc-map-timeout", &p, "ms",
		  "longest time for the maps of one process (500)", prec_on_map_timeout },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "When" },
		{ OPT_CALL, 'D', "delay", &p, "ms|ranges",
		  "start so late (-1: when told), or be on in 10-20,30-40 only", prec_on_delay },
		{ OPT_CALL, 0, "control", &p, "fd:ctl[,ack]|fifo:ctl[,ack]",
		  "take commands: enable, disable, stop, ping ...", prec_on_control },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "Buffers" },
		{ OPT_CALL, 'm', "mmap-pages", &p, "pages[,pages]",
		  "ring of each CPU, in pages or with B, K, M, G", prec_on_mmap_pages },
		{ OPT_CALL, 0, "mmap-flush", &p, "n", "leave less than n bytes in a ring for later",
		  prec_on_mmap_flush },
		{ OPT_FLAG, 0, "no-buffering", &o->no_buffering, NULL, "wake up for every sample" },
		{ OPT_CALL, 'r', "realtime", &p, "n", "SCHED_FIFO priority", prec_on_realtime },
		{ OPT_FLAG, 0, "overwrite", &o->overwrite, NULL,
		  "keep the newest only; written at SIGUSR2 and at the end" },

		{ OPT_GROUP, 0, NULL, NULL, NULL, "Output" },
		{ OPT_STRING, 'o', "output", &o->output, "file",
		  "output (perf.data), - for a pipe" },
		{ OPT_CALL_OPT, 'z', "compression-level", &p, "n",
		  "compress, level 1 (fast) to 22; 0: never", prec_on_compress },
		{ OPT_CALL_OPT, 0, "switch-output", &p, "signal|size|time",
		  "a new file at SIGUSR2, or after 100M, or after 30s", prec_on_switch_output },
		{ OPT_CALL, 0, "switch-max-files", &p, "n", "keep n of them",
		  prec_on_switch_files },
		{ OPT_CALL, 0, "max-size", &p, "size", "stop at that size", prec_on_max_size },
		{ OPT_FLAG, 0, "timestamp-filename", &o->timestamp_filename, NULL,
		  "the time in the file's name" },
		{ OPT_FLAG, 0, "timestamp-boundary", &o->timestamp_boundary, NULL,
		  "time of the first and the last sample in the header" },
		{ OPT_FLAG, 'B', "no-buildid", &o->no_buildid, NULL, "no build-ids" },
		{ OPT_FLAG, 'N', "no-buildid-cache", &o->no_buildid_cache, NULL,
		  "the build-id cache stays as it is (always so)" },
		{ OPT_FLAG, 0, "buildid-all", &o->buildid_all, NULL,
		  "build-ids of all files mapped (default)" },
		{ OPT_FLAG, 0, "buildid-mmap", &o->buildid_mmap, NULL,
		  "build-ids in map records (default)" },
		{ OPT_FLAG, 'q', "quiet", &o->quiet, NULL, "say nothing" },
		{ OPT_COUNT, 'v', "verbose", &o->verbose, NULL, "say more; -vv: every attr" },
		{ OPT_FLAG, 0, "dry-run", &o->dry_run, NULL, "read the options only" },

#define IGNORED(opt_type, id) { opt_type, 0, id.name, &id, "n", NULL, prec_on_ignored, true }
#define REFUSED(letter, id)                                                           \
	{                                                                             \
		OPT_CALL_OPT, letter, id.name, &id, NULL, NULL, prec_on_refused, true \
	}
		IGNORED(OPT_CALL_OPT, aio),
		IGNORED(OPT_CALL, affinity),
		IGNORED(OPT_CALL, synth_threads),
		IGNORED(OPT_CALL_OPT, debuginfod),
		REFUSED(0, threads),
		REFUSED(0, kcore),
		REFUSED(0, off_cpu),
		REFUSED(0, off_cpu_thresh),
		REFUSED('S', snapshot),
		REFUSED(0, aux_sample),
		REFUSED(0, clang_path),
		REFUSED(0, clang_opt),
		REFUSED(0, vmlinux),
		REFUSED(0, pfm),
		REFUSED(0, switch_event),
		REFUSED(0, setup_filter),
		REFUSED(0, latency),
#undef IGNORED
#undef REFUSED
		{ OPT_END },
	};
	const struct opt_parser parser = {
		.prog = "prec",
		.usage = usage,
		.table = table,
		.stop_at_operand = true,
	};

	return parse(&p, &parser, argc, argv);
}
