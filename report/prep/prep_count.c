/* SPDX-License-Identifier: MIT */
/* The samples of a report counted: what all of its tables are made from. */
#include "base/mem.h"
#include "count/counts.h"
#include "report/charts/count_lanes.h"
#include "report/prep/prep_data.h"
#include "report/prep/prep_report_priv.h"
#include "report/table/wanted_rows.h"
#include "symbols/symbols.h"

#define NS_IN_S 1000000000ull

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
	if (columns & COUNT_BIT(COUNT_STACK) && pd_has_stack_ends(r->pd))
		columns |= COUNT_BIT(COUNT_END);
	if (o->filter.parallelism.bits || r->latency)
		columns |= COUNT_BIT(COUNT_PARALLELISM);
	if (o->wall)
		columns |= COUNT_BIT(COUNT_OFFCPU) | COUNT_BIT(COUNT_IP);
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

/* True if the tables show no run-time address of what has a name. */
static bool shows_file_addresses(const struct report *r)
{
	const struct prep_options *o = r->opt;

	return o->table.mode == TABLE_NORMAL && !o->table.verbose &&
	       !(r->layout.flags & KEY_ADDR) && !(columns_of(r) & COUNT_BIT(COUNT_ADDR)) &&
	       !(r->chains && o->chain.key == CHAIN_KEY_ADDRESS);
}

/* The columns of tasks that tell no rows apart: widths and order go by those of first samples. */
static u32 first_columns(const struct report *r)
{
	const struct filter *f = &r->opt->filter;

	if (r->opt->table.mode != TABLE_NORMAL || f->pids.nr || f->tids.nr)
		return 0;
	return (COUNT_BIT(COUNT_PID) | COUNT_BIT(COUNT_TID)) & ~r->layout.columns;
}

/* --wall: what was counted becomes one event, the clock. */
static int join_waits(struct report *r, struct perr *e)
{
	bool *wanted = xcalloc(r->counts->nr_events + 1, sizeof(*wanted));
	int err = event_choose_wall(r->pd, r->counts, wanted, e);

	for (u32 i = 0; !err && i < r->counts->nr_events; i++)
		if (wanted[i] && !pd_is_offcpu_event(r->pd->events[i]))
			r->wall = i + 1;
	if (!err)
		counts_join_waits(r->counts, r->wall - 1);
	free(wanted);
	return err;
}

static int count_samples(struct report *r, struct perr *e)
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
		.first_only = first_columns(r),
		.waits = o->wall,
		.by_file_address = shows_file_addresses(r),
		.branch_rows = o->table.mode == TABLE_BRANCH,
		.switch_on = r->switch_on,
		.switch_off = r->switch_off,
		.show_switches = o->show_on_off,
		.filter = both ? &records : &o->filter,
		.pass_flags = r->again ? SESSION_QUIET : 0,
		.progress = r->again ? NULL : &r->progress,
	};
	struct verdict_input judged = { .input = o->input, .session = r->session, .config = &cfg };
	int err;

	if (!r->again)
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
	if (r->verdict)
		*r->verdict = reader_judge(r->rc, &judged);
	return err;
}

static void find_cycles(struct report *r)
{
	const struct machine *m = r->session->machine;
	const struct annot_code_config cfg = { .arch = m->arch,
					       .symbols = symbols_get_config(m->symbols) };

	function_cycles_init(&r->cycles, r->session, r->counts, &r->opt->filter, &cfg);
	r->data.ipc = r->cycles.ipc;
	r->data.coverage = r->cycles.coverage;
}

/* The data of the tables' keys and the call chains of rows. */
static int make_data(struct report *r, struct perr *e)
{
	struct prep_options *o = r->opt;

	hist_data_init(&r->data, &o->table, r->pd, r->session, r->counts, columns_of(r),
		       &r->frames);
	r->data.dso_is_key = r->layout.flags & KEY_DSO;
	r->data.symbol_is_key = r->layout.flags & KEY_SYMBOL;
	if (r->layout.flags & KEY_CYCLES)
		find_cycles(r);
	r->stacks = hist_stacks_new(&r->data, &r->layout, o->chain.order, e);
	if (!r->stacks)
		return e->code;
	if (r->chains) {
		r->tree = chain_tree_new(&o->chain, chain_frame_of_frames, &r->data.frames);
		r->objects = object_order_new(r->pd);
		chain_tree_set_order(r->tree, r->objects);
	}
	return 0;
}

int report_count(struct report *r, struct perr *e)
{
	int err = count_samples(r, e), bad;

	if (!r->counts)
		return err;
	if (r->opt->wall && join_waits(r, e))
		return e->code;
	if (!r->again)
		drop_latency(r);
	bad = make_data(r, e);
	return bad ? bad : err;
}

void report_uncount(struct report *r)
{
	chain_tree_free(r->tree);
	object_order_free(r->objects);
	hist_stacks_free(r->stacks);
	if (r->data.cfg)
		hist_data_fini(&r->data);
	else
		chain_frames_fini(&r->frames);
	function_cycles_fini(&r->cycles);
	counts_free(r->counts);
	free(r->wanted);
}

/* ---- counted again */

int report_count_times(struct report *r, struct counts **ret, struct perr *e)
{
	const struct prep_options *o = r->opt;
	const struct counts_config cfg = {
		.pass = "finding the times of samples",
		.pass_flags = SESSION_QUIET,
		.columns = LANES_COLUMNS,
		.threads = (unsigned int)o->nr_threads,
		.max_mem = o->max_mem,
		.no_unwind = true,
		.no_join = true,
		.time_quantum_ns = 1,
		.switch_on = r->switch_on,
		.switch_off = r->switch_off,
		.show_switches = o->show_on_off,
		.filter = &o->filter,
	};
	int err;

	*ret = NULL;
	if (!prep_any_event(r->pd, PD_SAMPLE_TIME))
		return perr_set(e, PERR_NOTFOUND, "the samples have no times");
	err = counts_run(r->session, &cfg, ret, e);
	pd_forget_all(r->pd);
	/* of a damaged recording, the samples before the damage are shown, as in the tables */
	return *ret ? 0 : err;
}

/* A part of a report, which has options of its own. */
struct report_part {
	struct report report;
	struct prep_options opt;
	char *time; /* of opt */
};

/* What is left of the times that were wanted before; false: nothing. */
static bool cut_times(struct filter *f, const struct filter *before, u64 from, u64 to)
{
	const struct time_range all = { from, to };

	f->times = NULL;
	f->nr_times = f->cap_times = 0;
	if (!before->nr_times)
		vec_push(f->times, f->nr_times, f->cap_times, all);
	for (size_t i = 0; i < before->nr_times; i++) {
		struct time_range r = before->times[i];

		r.start = r.start > from ? r.start : from;
		r.end = r.end < to ? r.end : to;
		if (r.start <= r.end)
			vec_push(f->times, f->nr_times, f->cap_times, r);
	}
	return f->nr_times;
}

int report_count_part(const struct report *r, u64 from, u64 to, struct report **ret, struct perr *e)
{
	struct report_part *p = xcalloc(1, sizeof(*p));
	struct report *part = &p->report;
	int err;

	*ret = NULL;
	p->opt = *r->opt;
	if (!cut_times(&p->opt.filter, &r->opt->filter, from, to)) {
		free(p);
		return 0;
	}
	p->time = xasprintf("%llu.%09llu,%llu.%09llu", (unsigned long long)(from / NS_IN_S),
			    (unsigned long long)(from % NS_IN_S),
			    (unsigned long long)(to / NS_IN_S), (unsigned long long)(to % NS_IN_S));
	p->opt.time = p->time;
	*part = (struct report){ .rc = r->rc,
				 .opt = &p->opt,
				 .pd = r->pd,
				 .o = r->o,
				 .session = r->session,
				 .layout = r->layout,
				 .again = true,
				 .switch_on = r->switch_on,
				 .switch_off = r->switch_off,
				 .children = r->children,
				 .chains = r->chains,
				 .latency = r->latency };
	err = report_count(part, e);
	if (part->stacks && report_has_samples(part)) {
		*ret = part;
		return 0;
	}
	if (part->stacks)
		err = 0;
	report_free_part(part);
	return err;
}

void report_free_part(struct report *part)
{
	struct report_part *p = (struct report_part *)(uintptr_t)part;

	report_uncount(part);
	free(p->opt.filter.times);
	free(p->time);
	free(p);
}
