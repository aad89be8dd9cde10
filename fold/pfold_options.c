/* SPDX-License-Identifier: MIT */
#include "fold/pfold_options.h"

#include <stdio.h>

#include "session/common_options.h"

#define MAX_THREADS 256

/* One of a list of words; its place in the list. */
struct choice {
	const char *option;
	const char *const *words;
	size_t nr;
	int *ret;
};

/* "512M" */
static int opt_size(void *ctx, const char *arg, bool unset)
{
	static const char units[] = "KMGT";
	const char *unit;
	char number[24];
	size_t n;
	u64 v = 0;

	if (unset) {
		*(u64 *)ctx = 0;
		return 0;
	}
	n = strspn(arg, "0123456789");
	unit = arg[n] ? strchr(units, arg[n] & ~0x20) : NULL;
	snprintf(number, sizeof(number), "%.*s", (int)(n < 20 ? n : 20), arg);
	if (parse_u64(number, 10, 1, UINT64_MAX >> 40, &v) || (arg[n] && (!unit || arg[n + 1]))) {
		fprintf(stderr, "pfold: --max-mem takes a size such as 512M or 4G, not '%s'\n",
			arg);
		return -1;
	}
	*(u64 *)ctx = unit ? v << (10 * (unit - units + 1)) : v;
	return 0;
}

static int opt_choice(void *ctx, const char *arg, bool unset)
{
	const struct choice *c = ctx;
	size_t i;

	if (unset) {
		*c->ret = 0;
		return 0;
	}
	for (i = 0; i < c->nr; i++) {
		if (!strcmp(c->words[i], arg)) {
			*c->ret = (int)i;
			return 0;
		}
	}
	fprintf(stderr, "pfold: --%s is one of", c->option);
	for (i = 0; i < c->nr; i++)
		fprintf(stderr, "%s %s", i ? "," : "", c->words[i]);
	fprintf(stderr, "; not '%s'\n", arg);
	return -1;
}

/* The recordings: -i FILE, FILE, or with --diff A B. */
static int take_inputs(struct pfold_options *o, const char *input, int nr, char **argv)
{
	if (o->diff) {
		if (nr != 2 || input) {
			fprintf(stderr, "pfold: --diff takes two recordings: pfold --diff A B\n");
			return -1;
		}
		if (!strcmp(argv[1], "-") && !strcmp(argv[2], "-")) {
			fprintf(stderr, "pfold: only one recording can be standard input\n");
			return -1;
		}
		o->inputs[0] = argv[1];
		o->inputs[1] = argv[2];
		return 0;
	}
	if (nr > 1 || (nr && input)) {
		fprintf(stderr,
			"pfold: one recording at a time (two with --diff), but there is "
			"also '%s'\n",
			argv[nr]);
		return -1;
	}
	o->inputs[0] = nr ? argv[1] : input ? input : common_input();
	return 0;
}

int pfold_options_parse(struct pfold_options *o, struct diag *diag, int argc, char **argv)
{
	static const char *const roots[] = { "comm", "pid", "tid", "none" };
	static const char *const weights[] = { "period", "samples" };
	static const char *const names[] = { "noargs", "full", "short", "raw" };
	int root = 0, weight = 0, naming = 0, quality = VERDICT_TEXT, nr, ret;
	struct choice root_choice = { "root", roots, ARRAY_SIZE(roots), &root };
	struct choice weight_choice = { "weight", weights, ARRAY_SIZE(weights), &weight };
	struct choice names_choice = { "names", names, ARRAY_SIZE(names), &naming };
	bool demangle = true, ignored = false;
	const char *input = NULL;
	u64 threads = 0;
	struct perr e;
	const struct opt table[] = {
		{ OPT_STRING, 'i', "input", &input, "file",
		  "input file name, - for standard input" },
		{ OPT_STRING, 'o', "output", &o->output, "file", "write the stacks to this file" },
		{ OPT_STRING, 'e', "event", &o->event, "event",
		  "fold this event, by its name in pevlist" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Lines" },
		{ OPT_CALL, 0, "weight", &weight_choice, "what",
		  "count period (default) or samples", opt_choice },
		{ OPT_CALL, 0, "root", &root_choice, "what",
		  "begin lines with comm (default), pid (comm-PID), tid (comm-PID/TID) or none",
		  opt_choice },
		{ OPT_CALL, 0, "names", &names_choice, "how",
		  "noargs (default), full (parameters as well), short (no template arguments, "
		  "clones, hashes), raw (not demangled)",
		  opt_choice },
		{ OPT_FLAG, 0, "kernel", &o->folded.names.mark_kernel, NULL,
		  "_[k] behind the names of kernel functions" },
		{ OPT_FLAG, 0, "jit", &o->folded.names.mark_jit, NULL,
		  "_[j] behind the names of functions made at run time" },
		COMMON_STACK_OPTIONS(&o->stacks),
		{ OPT_FLAG, 0, "marks", &o->folded.marks, NULL,
		  "put stacks that do not reach the start of their thread under a frame that says "
		  "why (default; of stack copies only: of recorded chains it is not known)" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Comparing" },
		{ OPT_FLAG, 0, "diff", &o->diff, NULL,
		  "two recordings, two counts on each line: pfold --diff A B" },
		{ OPT_FLAG, 0, "normalize", &o->normalize, NULL,
		  "with --diff: scale A to the weight of B (default)" },
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Which samples" },
		COMMON_FILTER_OPTIONS(&o->filter, &o->time, 'd'),
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Symbols" },
		COMMON_SYMBOL_OPTIONS(&o->symbols, &demangle,
				      "readable symbol names (default); --no-demangle is "
				      "--names=raw",
				      &o->why),
		{ OPT_GROUP, 0, NULL, NULL, NULL, "Work" },
		{ OPT_U64, 0, "threads", &threads, "n", "threads (one per CPU)" },
		{ OPT_CALL, 0, "max-mem", &o->max_mem, "size",
		  "give up rather than use more than this for stacks: 512M, 4G", opt_size },
		{ OPT_PARSE, 0, "quality", &quality, "form",
		  "how far to trust the stacks, on standard error: text (default), json, none",
		  .parse = verdict_form_option },
		PAGER_OPTION(&o->pager),
		{ OPT_FLAG, 'f', "force", &ignored, NULL,
		  "taken for compatibility: files of any owner are read" },
		{ OPT_END },
	};
	const struct opt_parser parser = { "pfold", "pfold [<options>] [<file>|-]", table, false };

	o->normalize = true;
	o->stacks = STACK_OPTIONS_DEFAULT;
	o->folded.marks = true;
	o->symbols.diag = diag;
	o->symbols.prog = "pfold";
	o->symbols.talk = stderr;
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (take_inputs(o, input, nr, argv))
		return OPT_STATUS_USAGE;
	if (common_check_symbols(&o->symbols, &e)) {
		fprintf(stderr, "pfold: %s\n", e.text);
		return 1;
	}
	o->folded.threads = threads < MAX_THREADS ? (unsigned int)threads : MAX_THREADS;
	o->folded.names.inlines = o->stacks.inlines;
	o->folded.root = (enum fold_root)root;
	o->folded.weight = (enum fold_weight)weight;
	o->folded.names.names = demangle ? (enum fold_names)naming : FOLD_NAMES_RAW;
	o->symbols.no_demangle = o->folded.names.names == FOLD_NAMES_RAW;
	o->quality = (enum verdict_form)quality;
	return -1;
}

void pfold_options_fini(struct pfold_options *o)
{
	filter_fini(&o->filter);
}
