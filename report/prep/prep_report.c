/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_report_priv.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "base/progress.h"
#include "base/screen/fit.h"
#include "count/counts.h"
#include "report/prep/hist_arrange.h"
#include "report/prep/hist_fit.h"
#include "report/prep/hist_hierarchy.h"
#include "report/prep/hist_lines.h"
#include "report/prep/hist_print.h"
#include "report/prep/prep_comments.h"
#include "report/prep/prep_data.h"
#include "profile/event_choice.h"
#include "report/prep/prep_stats.h"
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
	if (o->wall) {
		/* all is one table, and a thread that waits runs beside no other */
		r->latency = o->group = o->force_group = o->group_given = false;
		o->skip_empty = true;
	}
	r->room_for_signs = chains && o->chain.mode != CHAIN_NONE;
	r->chains = r->room_for_signs && o->table.mode != TABLE_BRANCH;
	o->chain.full_path = o->table.full_source_path;
	chain_option_settle(&o->chain, o->inverted, o->children);
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
	report_uncount(r);
	hist_layout_fini(&r->layout);
	session_free(r->session);
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
	err = report_count(&r, e);
	if (!r.stacks)
		goto out;
	if (show_tables(&r, err, e) && !err)
		err = e->code;
out:
	report_fini(&r);
	return err;
}
