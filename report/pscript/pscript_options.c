/* SPDX-License-Identifier: MIT */
#include "report/pscript/pscript_options.h"

#include <stdio.h>
#include <unistd.h>

#include "session/common_options.h"

/* What the callbacks work on. */
struct parse_ctx {
	struct pscript_options *o;
	struct diag *diag;
};

static int told(const struct perr *e)
{
	fprintf(stderr, "pscript: %s\n", e->text);
	return -1;
}

static int opt_fields(void *ctx, const char *arg, bool unset)
{
	struct parse_ctx *c = ctx;
	struct perr e;

	(void)unset;
	return fields_parse(&c->o->fields, arg, c->diag, &e) ? told(&e) : 0;
}

static int opt_format(void *ctx, const char *arg, bool unset)
{
	enum text_format *f = ctx;

	(void)unset;
	if (!strcmp(arg, "perf-6.1")) {
		*f = TEXT_PERF_6_1;
	} else if (!strcmp(arg, "perf-7.2")) {
		*f = TEXT_PERF_7_2;
	} else {
		fprintf(stderr,
			"pscript: --format knows perf-7.2 (default) and perf-6.1, not '%s'\n", arg);
		return -1;
	}
	return 0;
}

static u64 default_threads(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n > 4 ? 4 : (u64)n;
}

int pscript_options_parse(struct pscript_options *o, struct diag *diag, int argc, char **argv)
{
	struct parse_ctx ctx = { o, diag };
	struct stack_options stacks = STACK_OPTIONS_DEFAULT;
	bool demangle = true, merge = true, ignored = false;
	int quality = VERDICT_FORMS; /* not given */
	const char *addr_range = NULL;
	struct perr e;
	const struct opt table[] = {
		{ OPT_STRING, 'i', "input", &o->input, "file",
		  "input file name, - for standard input" },
		{ OPT_CALL, 'F', "fields", &ctx, "str",
		  "[type:]field,...: print these; +field adds, -field removes; types: "
		  "hw,sw,trace,raw,break,synth",
		  opt_fields },
		{ OPT_FLAG, 'G', "hide-call-graph", &o->text.hide_call_graph, NULL,
		  "print the sample's own place only, not its call chain" },
		{ OPT_PARSE, 0, "stop-bt", &o->filter.stop_bt, "symbol[,symbol...]",
		  "end a printed call chain at these symbols", .parse = common_names },
		COMMON_STACK_OPTIONS(&stacks),
		{ OPT_PARSE, 0, "debug-unwind", &o->debug_unwind, "time",
		  "tell step by step how the stack of the first sample at this time is unwound",
		  .parse = debug_unwind_parse },
		{ OPT_FLAG, 0, "merge-callchains", &merge, NULL,
		  "join deferred user call chains to their samples (default)" },
		{ OPT_FLAG, 0, "ns", &o->text.ns, NULL, "9 decimal places of time" },
		{ OPT_FLAG, 0, "reltime", &o->text.reltime, NULL,
		  "times relative to the first one printed" },
		{ OPT_FLAG, 0, "deltatime", &o->text.deltatime, NULL,
		  "times relative to the event before" },
		{ OPT_FLAG, 'L', "Latency", &o->text.latency, NULL, "latency trace columns" },
		{ OPT_CALL, 0, "format", &o->text.format, "version",
		  "text of perf-7.2 (default) or perf-6.1", opt_format },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Which samples" },
		COMMON_FILTER_OPTIONS(&o->filter, &o->time, 0),
		{ OPT_STRING, 0, "addr-range", &addr_range, "n",
		  "with -S 0xADDR: samples up to n bytes behind it" },
		{ OPT_STRING, 0, "switch-on", &o->switch_on, "event",
		  "nothing before this event occurs" },
		{ OPT_STRING, 0, "switch-off", &o->switch_off, "event",
		  "nothing after this event occurs" },
		{ OPT_FLAG, 0, "show-on-off-events", &o->show_on_off, NULL,
		  "print the events that switch, too" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Other records" },
		{ OPT_FLAG, 0, "show-task-events", &o->show_task, NULL,
		  "fork, comm and exit records" },
		{ OPT_FLAG, 0, "show-mmap-events", &o->show_mmap, NULL, "mmap records" },
		{ OPT_FLAG, 0, "show-switch-events", &o->show_switch, NULL,
		  "context switch records" },
		{ OPT_FLAG, 0, "show-namespace-events", &o->show_namespace, NULL,
		  "namespace records" },
		{ OPT_FLAG, 0, "show-lost-events", &o->show_lost, NULL, "lost records" },
		{ OPT_FLAG, 0, "show-round-events", &o->show_round, NULL,
		  "finished-round records" },
		{ OPT_FLAG, 0, "show-bpf-events", &o->show_bpf, NULL, "BPF and ksymbol records" },
		{ OPT_FLAG, 0, "show-cgroup-events", &o->show_cgroup, NULL, "cgroup records" },
		{ OPT_FLAG, 0, "show-text-poke-events", &o->show_text_poke, NULL,
		  "text poke records" },
		{ OPT_FLAG, 'D', "dump-raw-trace", &o->dump_raw, NULL,
		  "every record: its bytes and what they mean" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Header and files" },
		{ OPT_FLAG, 0, "header", &o->header, NULL, "the file's header first" },
		{ OPT_FLAG, 0, "header-only", &o->header_only, NULL, "nothing but the header" },
		{ OPT_FLAG, 'I', "show-info", &o->show_info, NULL,
		  "the header with topology sections" },
		{ OPT_FLAG, 0, "per-event-dump", &o->per_event_dump, NULL,
		  "one file per event: INPUT.EVENT.dump" },
		{ OPT_U64, 0, "threads", &o->nr_threads, "n",
		  "threads that format text (one per CPU, at most 4)" },
		{ OPT_PARSE, 0, "quality", &quality, "form",
		  "how far to trust the samples, on standard error: text, json, none; without "
		  "it losses only",
		  .parse = verdict_form_option },
		PAGER_OPTION(&o->pager),
		{ OPT_COUNT, 'v', "verbose", &o->verbose, NULL, "say more on stderr" },
		{ OPT_FLAG, 'f', "force", &ignored, NULL,
		  "taken for compatibility: files of any owner are read" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Symbols" },
		COMMON_SYMBOL_OPTIONS(&o->symbols, &demangle, "readable symbol names (default)",
				      &o->why),
		{ OPT_FLAG, 0, "show-kernel-path", &o->text.show_kernel_path, NULL,
		  "the file that kernel symbols came from" },
		{ OPT_FLAG, 0, "full-source-path", &o->text.full_source_path, NULL,
		  "full paths of source lines" },
		{ OPT_FLAG, 'd', "debug-mode", &o->check_order, NULL,
		  "print no samples, tell on stderr how many come before their time" },
		{ OPT_FLAG, 0, "stitch-lbr", &ignored, NULL,
		  "join LBR call stacks of neighbouring samples", NULL, true },
		{ OPT_STRING, 0, "graph-function", &o->graph_function, "symbol[,symbol...]",
		  "calls that a trace decoder saw within these: no samples", NULL, true },
		{ OPT_CALL, 0, "addr2line", NULL, "path",
		  "taken for compatibility: no child process is ever used", common_nothing, true },
		{ OPT_END },
	};
	const struct opt_parser parser = { "pscript", "pscript [<options>]", table, false };
	int nr, ret;

	o->input = common_input();
	o->nr_threads = default_threads();
	o->text.fields = &o->fields;
	o->text.stop_bt = &o->filter.stop_bt;
	o->symbols.diag = diag;
	o->symbols.prog = "pscript";
	o->symbols.talk = stderr;
	fields_init(&o->fields);
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (nr) {
		fprintf(stderr,
			"pscript: '%s': perf script's subcommands and scripts are not part of "
			"pscript; a file is given with -i\n",
			argv[1]);
		return OPT_STATUS_USAGE;
	}
	if (addr_range && parse_u64(addr_range, 0, 1, UINT64_MAX, &o->filter.addr_range)) {
		fprintf(stderr, "pscript: --addr-range takes a number, not '%s'\n", addr_range);
		return OPT_STATUS_USAGE;
	}
	if (o->text.reltime && o->text.deltatime) {
		fprintf(stderr, "reltime and deltatime - the two don't get along well. "
				"Please limit to --reltime or --deltatime.\n");
		return 1;
	}
	if (common_check_symbols(&o->symbols, &e)) {
		(void)told(&e);
		return 1;
	}
	o->wants_quality = quality != VERDICT_FORMS;
	if (o->wants_quality)
		o->quality = (enum verdict_form)quality;
	o->symbols.no_demangle = !demangle;
	o->no_join = !stacks.join;
	o->text.max_stack = stacks.max_stack;
	o->text.max_user_stack = stacks.max_user_stack;
	o->text.no_inlines = !stacks.inlines;
	o->unwinder = stacks.unwinder;
	/* its lines tell of the call chain what there is to tell */
	o->text.hide_call_graph |= o->debug_unwind.given;
	o->symbols.format = o->text.format;
	o->no_merge = !merge;
	return -1;
}

void pscript_options_fini(struct pscript_options *o)
{
	filter_fini(&o->filter);
}
