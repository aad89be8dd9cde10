/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/as_options.h"

#include "base/screen/message.h"
#include "events/text_list.h"

/* Which text of perf's; there is one. */
static int parse_text(void *has_text, const char *arg, struct perr *e)
{
	static const char *const words[] = { "sched-latency" };
	int choice, err = parse_choice(words, ARRAY_SIZE(words), arg, &choice, e);

	*(bool *)has_text = !err;
	return err;
}

/* "runtime,max" */
static int parse_sort(void *latency, const char *arg, struct perr *e)
{
	static const char *const words[] = { [LATENCY_BY_AVG] = "avg",
					     [LATENCY_BY_MAX] = "max",
					     [LATENCY_BY_SWITCH] = "switch",
					     [LATENCY_BY_RUNTIME] = "runtime",
					     [LATENCY_BY_PID] = "pid" };
	struct latency_layout *how = latency;
	struct span rest = span_of(arg ? arg : "", arg ? strlen(arg) : 0), item;

	how->nr_keys = 0;
	while (text_list_next(&rest, ',', false, &item)) {
		size_t k = 0;

		while (k < NR_LATENCY_KEYS &&
		       (item.n != strlen(words[k]) || memcmp(item.p, words[k], item.n) != 0))
			k++;
		if (k == NR_LATENCY_KEYS)
			return perr_set(e, PERR_USAGE,
					"'%.*s' is no key; there are avg, max, switch, runtime "
					"and pid",
					(int)(item.n < 40 ? item.n : 40), (const char *)item.p);
		if (how->nr_keys == NR_LATENCY_KEYS)
			return perr_set(e, PERR_USAGE, "at most %d keys", NR_LATENCY_KEYS);
		how->keys[how->nr_keys++] = (enum latency_key)k;
	}
	return 0;
}

#define AT(member) OPT_AT(struct as_options, member)

/* clang-format off */
static const struct opt table[] = {
	{ OPT_PARSE, 0, "as", AT(has_text), "sched-latency", "the command of perf to print as",
	  .parse = parse_text },
	COMMON_INPUT_OPTION(struct as_options),
	{ OPT_PARSE, 's', "sort", AT(latency), "key[,key...]",
	  "order of the rows, highest first: avg, max, switch, runtime, pid "
	  "(avg,max,switch,runtime)", .parse = parse_sort },
	{ OPT_FLAG, 'p', "pids", AT(latency.by_thread), NULL,
	  "one row for each thread, not for all threads of a name" },
	{ OPT_FLAG, 0, "print-record", AT(print_record), NULL,
	  "print the command that records what is needed" },
	COMMON_PAGER_OPTION(struct as_options),
	COMMON_FORCE_OPTION(struct as_options, symbols.force),
	{ OPT_END },
};
/* clang-format on */

#undef AT

static int print_record(void)
{
	struct out o;

	out_init(&o, stdout);
	out_printf(&o, "prec -a -e sched:sched_switch,sched:sched_stat_runtime,"
		       "sched:sched_wakeup_new,sched:sched_waking\n");
	if (!out_fini(&o))
		return 0;
	message(stderr, "plat: cannot write\n");
	return 1;
}

int as_options_parse(struct as_options *o, struct diag *diag, int argc, char **argv)
{
	struct opt_parser parser = { .prog = "plat",
				     .usage = "plat --as=sched-latency [<options>] [<file>|-]",
				     .table = table,
				     .values = o };
	int nr, ret;

	o->symbols.diag = diag;
	o->symbols.prog = "plat";
	o->symbols.talk = stderr;
	ret = opt_parse(&parser, argc, argv, &nr);
	if (ret)
		return ret > 0 ? 0 : OPT_STATUS_USAGE;
	if (nr > 1 || (nr && o->input) || !o->has_text) {
		message(stderr, !o->has_text ? "plat: what to print: --as=sched-latency\n"
					     : "plat: one recording: -i FILE, or FILE\n");
		opt_usage(&parser);
		return OPT_STATUS_USAGE;
	}
	if (o->print_record)
		return print_record();
	o->input = nr ? argv[1] : o->input ? o->input : common_input();
	return -1;
}
