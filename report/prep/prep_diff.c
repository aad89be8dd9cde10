/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_diff.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "report/diff/diff_order.h"
#include "report/diff/diff_print.h"

struct diff {
	struct prep_diff *in;
	const struct prep_diff_options *opt;
	struct table_config table; /* the options' one with the keys of -s and -F */
	char *sort;
	struct diff_side *sides; /* by file */
	size_t nr;
	struct diff_columns columns;
	unsigned int nr_threads;
};

/* The keys that tell rows apart: those of -s and those of -F. */
static char *keys_of(const struct prep_options *opt)
{
	char *of_fields = diff_columns_keys_of(opt->table.fields), *keys;
	const char *sort = opt->table.sort;

	if (!*of_fields)
		keys = sort ? xstrdup(sort) : NULL;
	else if (sort || *opt->table.fields == '+')
		keys = xasprintf("%s,%s", sort ? sort : "+", of_fields);
	else
		keys = xstrdup(of_fields);
	free(of_fields);
	return keys;
}

char *prep_diff_time_of(const char *time, size_t file)
{
	size_t len;

	if (!time)
		return NULL;
	for (len = strcspn(time, ":"); file && time[len]; file--) {
		time += len + 1;
		len = strcspn(time, ":");
	}
	return xasprintf("%.*s", (int)len, time);
}

/* Without -g there are no call chains, as in perf diff. */
static const struct chain_option *chain_of(const struct prep_options *o)
{
	return o->chain.asked && o->chain.mode != CHAIN_NONE ? &o->chain : NULL;
}

static int read_side(struct diff *d, size_t i, struct perr *e)
{
	struct prep_options *o = d->in->opt;
	const struct diff_config cfg = {
		.rc = d->in->rc,
		.table = &d->table,
		.symbols = &o->symbols,
		.filter = &o->filter,
		.stacks = &o->stacks,
		.chain = chain_of(o),
		.nr_threads = (unsigned int)o->nr_threads,
		.max_mem = o->max_mem,
		.time_quantum_ns = o->time_quantum_ns,
		.squares = diff_columns_need_squares(&d->opt->columns),
	};
	char *time = prep_diff_time_of(o->time, i);
	int err;

	d->in->file = d->opt->files[i];
	err = diff_side_read(&d->sides[i], &cfg, d->in->file, time, e);
	d->in->verdicts[i] = d->sides[i].verdict;
	free(time);
	/* trace fields are those of a recording's own events */
	if (!err && d->sides[i].layout.nr_keys != d->sides[0].layout.nr_keys)
		err = perr_set(e, PERR_USAGE,
			       "its events have not the fields of -s that those of "
			       "%s have",
			       d->opt->files[0]);
	return err;
}

static void print_files(const struct diff *d, struct out *o)
{
	out_str(o, "# Data files:\n");
	for (size_t i = 0; i < d->nr; i++)
		out_printf(o, "#  [%zu] %s %s\n", i, d->opt->files[i], i ? "" : "(Baseline)");
	out_str(o, "#\n");
}

/* What the intervals are made from. Unequal periods make samples count for less. */
static void print_samples(const struct diff_table *t, struct out *o)
{
	out_str(o, "# Samples: ");
	for (size_t i = 0; i < t->nr_sides; i++) {
		const struct diff_sums total = { (double)t->totals[i].period,
						 t->totals[i].squares };
		double effective = diff_effective_samples(&total);

		out_printf(o, "%s%llu", i ? ", " : "", (unsigned long long)t->totals[i].samples);
		if (effective < 0.99 * (double)t->totals[i].samples)
			out_printf(o, " (worth %.0f of equal periods)", effective);
	}
	out_str(o, ". Noise: the 95 % interval contains zero\n#\n");
}

static void print_event(struct diff *d, struct out *o, u32 event)
{
	const struct prep_options *opt = d->in->opt;
	struct diff_table t;
	struct diff_text text = { .table = &t,
				  .columns = &d->columns,
				  .separator = opt->separator,
				  .may_leave_out = !d->opt->columns.chosen,
				  .titles = !opt->quiet,
				  .color = opt->color };

	diff_table_init(&t, &d->opt->rows, d->sides, d->nr, event, d->nr_threads);
	diff_order_rows(&t);
	if (!opt->quiet) {
		out_printf(o, event ? "\n# Event '%s'\n#\n" : "# Event '%s'\n#\n",
			   d->sides[0].pd->events[event]->name);
		if (d->nr > 2 || opt->table.verbose)
			print_files(d, o);
		if (d->opt->columns.interval)
			print_samples(&t, o);
	}
	if (chain_of(opt))
		text.chains = diff_chains_new(&t, &opt->chain);
	diff_print(o, &text);
	diff_chains_free(text.chains);
	diff_table_fini(&t);
}

int prep_diff_print(struct prep_diff *in, struct out *o, struct perr *e)
{
	const struct prep_diff_options *opt = &in->opt->diff_of;
	struct diff d = { .in = in, .opt = opt, .nr = opt->nr_files, .table = in->opt->table };
	int err = 0;

	chain_option_settle(&in->opt->chain, in->opt->inverted, false);
	d.sort = keys_of(in->opt);
	d.table.sort = d.sort;
	d.table.fields = NULL;
	d.nr_threads = in->opt->nr_threads ? (unsigned int)in->opt->nr_threads : parallel_nr_cpus();
	d.sides = xcalloc(d.nr, sizeof(*d.sides));
	in->verdicts = xcalloc(d.nr, sizeof(struct verdict *));
	for (size_t i = 0; !err && i < d.nr; i++)
		err = read_side(&d, i, e);
	if (!err) {
		diff_columns_init(&d.columns, &opt->columns, &d.sides[0].layout, d.nr);
		for (size_t i = 0; i < d.sides[0].pd->nr_events; i++)
			print_event(&d, o, (u32)i);
		diff_columns_fini(&d.columns);
	}
	for (size_t i = 0; i < d.nr; i++)
		diff_side_fini(&d.sides[i]);
	free(d.sides);
	free(d.sort);
	return err;
}
