/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_diff_options.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

bool prep_diff_is_given(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (!strcmp(argv[i], "--diff"))
			return true;
	return false;
}

void prep_diff_take_letters(struct opt *rows, size_t nr)
{
	static const struct {
		char letter;
		const char *name;
	} letters[] = {
		{ 'b', "baseline-only" }, { 'c', "compute" }, { 'C', "comms" }, { 'p', "period" }
	};

	for (size_t l = 0; l < ARRAY_SIZE(letters); l++)
		for (size_t i = 0; i < nr; i++) {
			bool has = rows[i].long_name && !strcmp(rows[i].long_name, letters[l].name);

			if (has)
				rows[i].short_name = letters[l].letter;
			else if (rows[i].short_name == letters[l].letter)
				rows[i].short_name = 0;
		}
}

/* Options that say nothing about a comparison: they are refused rather than ignored. */
static const char *without_diff(const struct prep_options *o)
{
	const struct {
		bool given;
		const char *name;
	} options[] = {
		{ o->table.hierarchy, "--hierarchy" },
		{ o->mem_mode, "--mem-mode" },
		{ o->branch_stack == 1, "--branch-stack" },
		{ o->chain.mode != CHAIN_GRAPH && o->chain.mode != CHAIN_NONE,
		  "-g fractal, flat and folded" },
		{ o->chain.key != CHAIN_KEY_FUNCTION, "-g address and srcline" },
		{ o->chain.value != CHAIN_PERCENT, "-g period and count" },
		{ o->table.ignore_callees, "--ignore-callees" },
		{ o->table.parent, "--parent" },
		{ o->table.exclude_other, "--exclude-other" },
		{ o->table.widths, "--column-widths" },
		{ o->table.show_cpu_modes, "--show-cpu-utilization" },
		{ o->switch_on || o->switch_off, "--switch-on and --switch-off" },
		{ o->force_group || o->group_sort_idx != UINT64_MAX, "--group" },
		{ o->why, "--why" },
		{ o->header || o->header_only, "--header" },
		{ o->stats, "--stats" },
		{ o->wall, "--wall" },
		{ o->tasks || o->mmaps, "--tasks" },
		{ o->thread_table, "--thread-table" },
		{ o->dump_raw, "--dump-raw-trace" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].given)
			return options[i].name;
	return NULL;
}

static void add_diff_file(struct prep_diff_options *d, const char *path)
{
	vec_push(d->files, d->nr_files, d->cap_files, path);
}

bool prep_diff_settle(struct prep_options *o, int nr, char **argv)
{
	struct prep_diff_options *d = &o->diff_of;
	const char *refused = without_diff(o);

	if (refused) {
		fprintf(stderr, "prep: --diff: %s does not apply to a comparison\n", refused);
		return false;
	}
	/* as perf diff: without a baseline it is the recording before */
	if (nr < 2)
		add_diff_file(d, "perf.data.old");
	if (!nr)
		add_diff_file(d, "perf.data");
	for (int i = 1; i <= nr; i++)
		add_diff_file(d, argv[i]);
	if (d->rows.order >= d->nr_files) {
		fprintf(stderr, "prep: -o: there is no file %llu; the files are 0 to %zu\n",
			(unsigned long long)d->rows.order, d->nr_files - 1);
		return false;
	}
	d->rows.relative = o->relative;
	d->rows.percent_limit = o->percent_limit;
	d->columns.method = d->rows.compute.method;
	d->columns.fields = o->table.fields;
	d->columns.samples = o->table.show_samples;
	d->columns.period |= o->table.show_period;
	d->columns.chosen = d->interval != -1 || d->columns.fields;
	d->columns.interval = d->interval == -1 ? isatty(STDOUT_FILENO) : d->interval;
	return true;
}
