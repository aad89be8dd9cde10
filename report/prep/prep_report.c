/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_report_priv.h"

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
		chain_frames_find_inlined(&r->frames, lines, report_nr_threads(r));
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

/* The columns that lines are fitted to; 0: none, or the user wants widths of his own. */
static unsigned int columns_to_fit(const struct report *r)
{
	return r->opt->table.widths || r->opt->separator ? 0 : r->o->columns;
}

static void print_hist(struct report *r, const struct event_tables *tables, const u32 *events,
		       size_t nr)
{
	struct hist h;
	struct hist_text text;

	progress_say(&r->progress, "listing what was counted", 0);
	report_list_hist(r, &h, events, nr);
	progress_say(&r->progress, "putting it in order", 0);
	hist_text_init(&text, &h, r->opt, r->tree);
	out_escape_like(&text.chain_text, r->o);
	text.columns = columns_to_fit(r);
	hist_arrange(&text, report_nr_threads(r));
	hist_fit_widths(&text);
	progress_end(&r->progress);
	if (!r->opt->quiet)
		report_print_event(r, tables, &h);
	if (r->opt->table.hierarchy) {
		hist_print_hierarchy(r->o, &text, !r->opt->quiet);
	} else {
		if (!r->opt->quiet)
			hist_print_titles(r->o, &text);
		hist_print_lines(r->o, &text, report_nr_threads(r));
	}
	out_str(r->o, "\n\n");
	hist_text_fini(&text);
	hist_fini(&h);
}

static void print_hists(struct report *r)
{
	const struct event_tables tables = report_event_tables(r);
	u32 *events = xcalloc(r->pd->nr_events + 1, sizeof(*events));

	for (size_t i = 0; i < r->pd->nr_events; i++) {
		size_t nr = event_table(&tables, i, events);

		if (nr)
			print_hist(r, &tables, events, nr);
	}
	free(events);
}

/* False: there are no samples, and as from perf nothing is printed. */
static bool has_tables(struct report *r)
{
	if (report_has_samples(r))
		return true;
	progress_end(&r->progress);
	fprintf(r->rc->messages, "%s: no tables: %s has no samples%s\n", r->rc->prog, r->opt->input,
		r->counts->nr_rows ? " that the options let through" : "");
	return false;
}

/* The tables of all events. */
static void print_tables(struct report *r)
{
	const struct replay_stats *st = &r->counts->stats;

	if (!r->opt->quiet)
		out_printf(r->o, "#\n# Total Lost Samples: %llu\n#\n",
			   (unsigned long long)st->nr_lost_samples);
	print_hists(r);
}

/* damaged: only a part of the recording was counted, which the caller says. */
static int show_tables(struct report *r, bool damaged, struct perr *e)
{
	struct perr ignored;

	if (!has_tables(r))
		return 0;
	if (r->opt->ui.shown)
		return report_view(r, damaged ? &ignored : e);
	print_tables(r);
	return r->opt->thread_table && !damaged
		       ? prep_reads_print(r->o, r->pd, r->opt->raw_threads, e)
		       : 0;
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
	struct report r = { .rc = rc, .opt = opt, .pd = pd, .o = o, .verdict = ret_verdict };
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
	if (!opt->quiet && !opt->header && !opt->ui.shown)
		prep_print_hint(o);
	err = common_fit_filter(&opt->filter, opt->time, pd, e);
	if (err)
		goto out;
	if (!opt->quiet && !opt->ui.shown)
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
	if (show_tables(&r, err, e) && !err)
		err = e->code;
out:
	report_fini(&r);
	return err;
}
