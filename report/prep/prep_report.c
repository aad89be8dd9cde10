/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_report.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/screen/fit.h"
#include "count/counts.h"
#include "profile/object_order.h"
#include "report/prep/hist_arrange.h"
#include "report/prep/hist_fit.h"
#include "report/prep/hist_hierarchy.h"
#include "report/prep/hist_lines.h"
#include "report/prep/hist_print.h"
#include "report/prep/prep_comments.h"
#include "report/prep/prep_data.h"
#include "profile/event_choice.h"
#include "report/prep/prep_stats.h"
#include "report/table/wanted_rows.h"
#include "session/common_options.h"

struct report {
	const struct reader_command *rc;
	struct prep_options *opt;
	struct perfdata *pd;
	struct out *o;
	struct session *session;
	struct counts *counts;
	struct chain_frames frames; /* taken over by data */
	struct progress progress;   /* shown until something is printed */
	struct hist_data data;
	struct hist_layout layout;
	struct hist_stacks *stacks;
	struct chain_tree *tree;
	struct object_order *objects;
	/* by row: it passes the filters on threads and places; NULL: all rows do. See
	 * count_samples. */
	bool *wanted;
	u32 switch_on, switch_off; /* pd_event.idx + 1 */
	bool children, chains;
	bool latency; /* Latency columns are shown by default if enough samples ran in parallel */
};

/* Finds the events of --switch-on and --switch-off. */
static int find_switches(struct report *r, struct perr *e)
{
	const struct prep_options *o = r->opt;
	const struct pd_event *on, *off = NULL;
	int err = common_find_event(r->pd, o->switch_on, &on, e);

	if (!err)
		err = common_find_event(r->pd, o->switch_off, &off, e);
	r->switch_on = on ? on->idx + 1 : 0;
	r->switch_off = off ? off->idx + 1 : 0;
	return err;
}

static void settle(struct report *r)
{
	struct prep_options *o = r->opt;
	bool chains = prep_any_event(r->pd, PD_SAMPLE_CALLCHAIN);

	if (o->table.mode == TABLE_NORMAL && prep_has_branch_rows(o, r->pd))
		o->table.mode = TABLE_BRANCH;
	if (o->table.mode != TABLE_NORMAL || o->table.hierarchy)
		o->children = false;
	r->children = o->children && chains;
	r->latency = o->table.mode == TABLE_NORMAL && r->pd->format != TEXT_PERF_6_1 &&
		     r->pd->kind != PD_PIPE && prep_has_switches(r->pd);
	r->chains = chains && o->chain.mode != CHAIN_NONE && o->table.mode != TABLE_BRANCH;
	o->chain.full_path = o->table.full_source_path;
	chain_option_settle(&o->chain, o->inverted, o->children);
}

/*
 * The columns Latency, where no option names them, say nothing new of programs that hardly run in
 * parallel: as in perf they are not shown if 99 % of the samples ran alone.
 */
static void drop_latency(struct report *r)
{
	u64 samples = 0, alone = 0;

	for (size_t i = 0; i < r->counts->nr_events; i++) {
		samples += r->counts->events[i].samples + r->counts->events[i].filtered;
		alone += r->counts->events[i].alone;
	}
	if (r->latency && alone >= samples - samples / 100)
		hist_layout_hide_latency(&r->layout, &r->opt->table);
}

static bool filters_records(const struct prep_options *o)
{
	return o->filter.nr_times || o->filter.cpus.bits || o->switch_on || o->switch_off;
}

static u32 columns_of(const struct report *r)
{
	const struct prep_options *o = r->opt;
	u32 columns = r->layout.columns | COUNT_BIT(COUNT_COMM) | COUNT_BIT(COUNT_PID) |
		      COUNT_BIT(COUNT_TID) | COUNT_BIT(COUNT_CPUMODE);

	if (r->children || r->chains || r->layout.flags & KEY_PARENT || o->table.ignore_callees)
		columns |= COUNT_BIT(COUNT_STACK) | COUNT_BIT(COUNT_IP);
	if (o->table.symbol_filter || o->table.hide_unresolved || filter_needs_frame(&o->filter))
		columns |= COUNT_BIT(COUNT_IP);
	if (columns & COUNT_BIT(COUNT_STACK) && pd_has_stack_copies(r->pd))
		columns |= COUNT_BIT(COUNT_END);
	if (o->filter.parallelism.bits || r->latency)
		columns |= COUNT_BIT(COUNT_PARALLELISM);
	if (o->table.socket >= 0)
		columns |= COUNT_BIT(COUNT_CPU);
	if (o->table.mode == TABLE_MEMORY)
		columns |= COUNT_BIT(COUNT_WEIGHT);
	if (o->table.mode == TABLE_BRANCH)
		columns |= COUNT_BIT(COUNT_BRANCH_FROM) | COUNT_BIT(COUNT_BRANCH_TO) |
			   COUNT_BIT(COUNT_BRANCH_FLAGS);
	return columns;
}

static unsigned int nr_threads(const struct report *r)
{
	return r->opt->nr_threads ? (unsigned int)r->opt->nr_threads : parallel_nr_cpus();
}

/* Source lines are slow to read: only when chains or a key show them. */
static void find_inlined(void *ctx, const struct counts *c)
{
	struct report *r = ctx;
	struct chain_lines lines = {
		.wanted = (r->chains && r->opt->chain.key != CHAIN_KEY_FUNCTION) ||
			  (r->children && r->layout.flags & KEY_LINE),
		.full_path = r->opt->table.full_source_path,
	};

	chain_frames_init(&r->frames, c);
	if (r->opt->stacks.inlines && (r->children || r->chains))
		chain_frames_find_inlined(&r->frames, lines, nr_threads(r));
}

/* True if the tables tell no functions apart. */
static bool names_are_unseen(const struct report *r)
{
	return r->opt->table.mode == TABLE_NORMAL && !r->chains &&
	       !(r->layout.flags & (KEY_SYMBOL | KEY_LINE | KEY_ADDR | KEY_PARENT));
}

static int count_samples(struct report *r, struct verdict **ret_verdict, struct perr *e)
{
	struct prep_options *o = r->opt;
	struct filter records = { .cpus = o->filter.cpus,
				  .times = o->filter.times,
				  .nr_times = o->filter.nr_times };
	bool both =
		filters_rows(&o->filter) && (filters_records(o) || o->table.mode != TABLE_NORMAL);
	struct counts_config cfg = {
		.columns = columns_of(r),
		.threads = (unsigned int)o->nr_threads,
		.max_mem = o->max_mem,
		.max_stack = o->chain.order == CHAIN_CALLER ? UINT32_MAX : o->stacks.max_stack,
		.max_user_stack = o->stacks.max_user_stack,
		.no_join = !o->stacks.join,
		.resolve = true,
		.on_frames = find_inlined,
		.on_frames_ctx = r,
		.keep_inlines = o->stacks.inlines && (r->children || r->chains),
		.time_quantum_ns = o->time_quantum_ns,
		.branch_rows = o->table.mode == TABLE_BRANCH,
		.switch_on = r->switch_on,
		.switch_off = r->switch_off,
		.show_switches = o->show_on_off,
		.filter = both ? &records : &o->filter,
		.progress = &r->progress,
	};
	struct verdict_input judged = { .input = o->input, .session = r->session, .config = &cfg };
	int err;

	progress_init_ahead(&r->progress, r->rc->prog, r->pd->file_size, r->rc->messages);
	err = counts_run(r->session, &cfg, &r->counts, e);
	pd_forget_all(r->pd);
	if (!r->counts)
		return err;
	if (both)
		r->wanted = wanted_rows(&o->filter, r->session, r->counts);
	judged.counts = r->counts;
	judged.wanted_rows = r->wanted;
	judged.names_unseen = names_are_unseen(r);
	*ret_verdict = reader_judge(r->rc, &judged);
	return err;
}

static const struct count_totals *totals_of(const struct report *r, u32 event)
{
	static const struct count_totals none;

	return event < r->counts->nr_events ? &r->counts->events[event] : &none;
}

/* "# Samples: 11K of event 'cycles'" and "# Event count (approx.): N" */
static void print_event(const struct report *r, const struct event_tables *tables,
			const struct hist *h)
{
	static const char units[] = " KMGTPE";
	const struct pd_event *ev = r->pd->events[h->events[0]];
	/* stock perf makes a group of all events, then shows its members alone */
	bool all = r->opt->group_given && !h->events[0] && r->pd->nr_events > 1;
	bool group = ev->nr_members > 1 || h->nr_events > 1 || (all && !events_have_groups(r->pd));
	u64 samples = 0, period = 0;
	struct out o;
	int unit = 0;

	out_init_mem(&o);
	out_escape_like(&o, r->o);
	for (size_t i = 0; i < h->nr_events; i++) {
		samples += h->totals[i].samples;
		period += h->totals[i].period;
	}
	while (samples >= 1000 && unit < 6) {
		samples /= 1000;
		unit++;
	}
	out_printf(&o, "# Samples: %llu%c of event%s '", (unsigned long long)samples, units[unit],
		   group ? "s" : "");
	event_table_put_name(tables, h->events, h->nr_events, &o);
	out_char(&o, '\'');
	if (r->opt->time)
		out_printf(&o, " (time slices: %s)", r->opt->time);
	if (r->opt->table.mode == TABLE_MEMORY)
		out_printf(&o, "\n# Total weight : %llu\n# Sort order   : %s",
			   (unsigned long long)period, r->layout.sort_text);
	else
		out_printf(&o, "\n# Event count (approx.): %llu", (unsigned long long)period);
	if (r->opt->table.socket >= 0)
		out_printf(&o, "\n# Processor Socket: %d", (int)r->opt->table.socket);
	out_str(&o, "\n#\n");
	fit_comments(r->o, o.buf, o.len);
	out_fini(&o);
}

/* The periods of the leader's samples that filters left out of its totals. */
static u64 left_out(const struct report *r, const struct hist *h, const struct count_totals *t)
{
	u64 sum = 0;

	if (!filters_rows(&r->opt->filter))
		return 0;
	if (!r->wanted)
		return t->filtered_period;
	for (size_t i = 0; r->opt->relative && i < r->counts->nr_rows; i++)
		if (r->counts->rows[i].event == h->events[0] && !r->wanted[i])
			sum += hist_period(&r->data, &r->counts->rows[i]);
	return sum;
}

static void add_filtered(const struct report *r, struct hist *h)
{
	bool absolute = !r->opt->relative && filters_rows(&r->opt->filter) && !r->wanted;

	for (size_t i = 0; i < h->nr_events; i++) {
		const struct count_totals *t = totals_of(r, h->events[i]);

		/* of branches the totals count the branches; where filters leave none, no sample */
		if (r->opt->table.mode == TABLE_BRANCH && h->totals[i].samples)
			h->totals[i].samples = t->samples;
		if (!i)
			h->whole = h->totals[i].period + left_out(r, h, t);
		if (absolute) {
			h->totals[i].samples += t->filtered;
			h->totals[i].period += t->filtered_period;
			h->totals[i].latency += t->filtered_latency;
		}
	}
}

/* The columns that lines are fitted to; 0: none, or the user wants widths of his own. */
static unsigned int columns_to_fit(const struct report *r)
{
	return r->opt->table.widths || r->opt->separator ? 0 : r->o->columns;
}

static void print_hist(struct report *r, const struct event_tables *tables, const u32 *events,
		       size_t nr)
{
	struct hist h = {
		.d = &r->data,
		.layout = &r->layout,
		.chain = r->chains ? &r->opt->chain : NULL,
		.order = r->opt->chain.order,
		.stacks = r->stacks,
		.events = events,
		.nr_events = nr,
		.children = r->children,
		.wanted = r->wanted,
		.relative = r->opt->relative,
	};
	struct hist_text text;

	progress_say(&r->progress, "listing what was counted", 0);
	hist_list(&h, nr_threads(r));
	add_filtered(r, &h);
	progress_say(&r->progress, "putting it in order", 0);
	hist_text_init(&text, &h, r->opt, r->tree);
	out_escape_like(&text.chain_text, r->o);
	text.columns = columns_to_fit(r);
	hist_arrange(&text, nr_threads(r));
	hist_fit_widths(&text);
	progress_end(&r->progress);
	if (!r->opt->quiet)
		print_event(r, tables, &h);
	if (r->opt->table.hierarchy) {
		hist_print_hierarchy(r->o, &text, !r->opt->quiet);
	} else {
		if (!r->opt->quiet)
			hist_print_titles(r->o, &text);
		hist_print_lines(r->o, &text, nr_threads(r));
	}
	out_str(r->o, "\n\n");
	hist_text_fini(&text);
	hist_fini(&h);
}

/* Whether -U hides all samples of an event. */
static bool is_hidden_event(const struct report *r, u32 event)
{
	if (!r->opt->table.hide_unresolved)
		return false;
	for (size_t i = 0; i < r->counts->nr_rows; i++)
		if (r->counts->rows[i].event == event && !hist_stack_own(r->stacks, (u32)i).hidden)
			return false;
	return true;
}

static bool is_empty_event(const void *report, u32 event)
{
	const struct report *r = report;
	const struct count_totals *t = totals_of(r, event);

	return is_hidden_event(r, event) ||
	       (!t->samples && !(filters_rows(&r->opt->filter) && !r->wanted && t->filtered));
}

static bool has_samples(const struct report *r)
{
	for (u32 i = 0; i < r->pd->nr_events; i++)
		if (!is_empty_event(r, i))
			return true;
	return false;
}

static void print_hists(struct report *r)
{
	const struct event_tables tables = { .pd = r->pd,
					     .group = r->opt->group,
					     .force_group = r->opt->force_group,
					     .skip_empty = r->opt->skip_empty,
					     .keep_leader = true,
					     .nr_events = r->pd->nr_events,
					     .is_empty = is_empty_event,
					     .arg = r };
	u32 *events = xcalloc(r->pd->nr_events + 1, sizeof(*events));

	for (size_t i = 0; i < r->pd->nr_events; i++) {
		size_t nr = event_table(&tables, i, events);

		if (nr)
			print_hist(r, &tables, events, nr);
	}
	free(events);
}

/* The tables of all events; false: there are no samples, and as from perf nothing is printed. */
static bool print_tables(struct report *r)
{
	const struct replay_stats *st = &r->counts->stats;

	if (!has_samples(r)) {
		progress_end(&r->progress);
		fprintf(r->rc->messages, "%s: no tables: %s has no samples%s\n", r->rc->prog,
			r->opt->input, r->counts->nr_rows ? " that the options let through" : "");
		return false;
	}
	if (!r->opt->quiet)
		out_printf(r->o, "#\n# Total Lost Samples: %llu\n#\n",
			   (unsigned long long)st->nr_lost_samples);
	print_hists(r);
	return true;
}

static void report_fini(struct report *r)
{
	progress_end(&r->progress);
	chain_tree_free(r->tree);
	object_order_free(r->objects);
	hist_stacks_free(r->stacks);
	hist_layout_fini(&r->layout);
	if (r->data.cfg)
		hist_data_fini(&r->data);
	counts_free(r->counts);
	session_free(r->session);
	free(r->wanted);
}

int prep_report(const struct reader_command *rc, struct prep_options *opt, struct perfdata *pd,
		struct out *o, struct verdict **ret_verdict, struct perr *e)
{
	const struct reader_config cfg = {
		.session = { .symbols = opt->symbols,
			     .keep_exited = true,
			     .unwinder = opt->stacks.unwinder },
	};
	struct report r = { .rc = rc, .opt = opt, .pd = pd, .o = o };
	int err;

	*ret_verdict = NULL;
	settle(&r);
	err = find_switches(&r, e);
	if (!err)
		err = hist_layout_init(
			&r.layout, &(struct hist_input){ &opt->table, pd, r.children, r.latency },
			e);
	if (!err)
		err = prep_check_switches(opt, pd, &r.layout, e);
	if (err)
		goto out;
	if (!opt->quiet && !opt->header)
		prep_print_hint(o);
	err = common_fit_filter(&opt->filter, opt->time, pd, e);
	if (err)
		goto out;
	if (!opt->quiet)
		prep_print_elided(o, &opt->filter, &r.layout);
	err = prep_check_data(opt, pd, r.layout.flags, e);
	if (err)
		goto out;
	err = reader_start(rc, pd, &cfg, &r.session, e);
	if (err)
		goto out;
	err = count_samples(&r, ret_verdict, e);
	if (!r.counts)
		goto out;
	drop_latency(&r);
	hist_data_init(&r.data, &opt->table, pd, r.session, r.counts, columns_of(&r), &r.frames);
	r.data.dso_is_key = r.layout.flags & KEY_DSO;
	r.data.symbol_is_key = r.layout.flags & KEY_SYMBOL;
	r.stacks = hist_stacks_new(&r.data, &r.layout, opt->chain.order, e);
	if (!r.stacks) {
		err = e->code;
		goto out;
	}
	if (r.chains) {
		r.tree = chain_tree_new(&opt->chain, chain_frame_of_frames, &r.data.frames);
		r.objects = object_order_new(pd);
		chain_tree_set_order(r.tree, r.objects);
	}
	if (print_tables(&r) && opt->thread_table && !err)
		err = prep_reads_print(o, pd, opt->raw_threads, e);
out:
	report_fini(&r);
	return err;
}
