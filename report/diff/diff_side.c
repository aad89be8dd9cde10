/* SPDX-License-Identifier: MIT */
#include "report/diff/diff_side.h"

#include "base/mem.h"
#include "base/parallel.h"
#include "count/counts.h"
#include "report/table/wanted_rows.h"

static u32 columns_of(const struct diff_side *s, const struct diff_config *cfg)
{
	u32 columns = s->layout.columns | COUNT_BIT(COUNT_COMM) | COUNT_BIT(COUNT_PID) |
		      COUNT_BIT(COUNT_TID) | COUNT_BIT(COUNT_CPUMODE) | COUNT_BIT(COUNT_IP);

	if (cfg->squares)
		columns |= COUNT_BIT(COUNT_PERIOD_STEP);
	if (cfg->chain)
		columns |= COUNT_BIT(COUNT_STACK);
	if (cfg->chain && pd_has_stack_ends(s->pd))
		columns |= COUNT_BIT(COUNT_END);
	return columns;
}

static int count_samples(struct diff_side *s, const struct diff_config *cfg, struct perr *e)
{
	const bool from_root = cfg->chain && cfg->chain->order == CHAIN_CALLER;
	/* shares may be of all samples, so rows are filtered once they are counted */
	const struct filter records = { .cpus = cfg->filter->cpus,
					.times = cfg->filter->times,
					.nr_times = cfg->filter->nr_times };
	const struct counts_config counts_cfg = {
		.columns = columns_of(s, cfg),
		.threads = cfg->nr_threads,
		.max_mem = cfg->max_mem,
		.max_stack = from_root ? UINT32_MAX : cfg->stacks->max_stack,
		.max_user_stack = cfg->stacks->max_user_stack,
		.resolve = true,
		.time_quantum_ns = cfg->time_quantum_ns,
		.no_unwind = !cfg->chain,
		.no_join = !cfg->chain || !cfg->stacks->join,
		.filter = &records,
	};
	struct verdict_input judged = { .input = s->path,
					.session = s->session,
					.config = &counts_cfg };
	int err = reader_count(cfg->rc, s->session, &counts_cfg, &s->counts, e);

	if (!s->counts)
		return err;
	s->wanted = wanted_rows(cfg->filter, s->session, s->counts);
	judged.counts = s->counts;
	judged.wanted_rows = s->wanted;
	s->verdict = reader_judge(cfg->rc, &judged);
	return err;
}

/* Makes what histograms of this recording share. */
static int prepare(struct diff_side *s, const struct diff_config *cfg, struct perr *e)
{
	hist_data_init(&s->data, cfg->table, s->pd, s->session, s->counts, columns_of(s, cfg),
		       NULL);
	s->data.dso_is_key = s->layout.flags & KEY_DSO;
	s->data.symbol_is_key = s->layout.flags & KEY_SYMBOL;
	s->stacks = hist_stacks_new(&s->data, &s->layout,
				    cfg->chain ? cfg->chain->order : CHAIN_CALLEE, e);
	return s->stacks ? 0 : e->code;
}

static bool has_chains(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

int diff_side_read(struct diff_side *s, const struct diff_config *cfg, const char *path,
		   const char *time, struct perr *e)
{
	const struct reader_config reader_cfg = {
		.session = { .symbols = *cfg->symbols,
			     .keep_exited = true,
			     .unwinder = cfg->stacks->unwinder },
		.filter = cfg->filter,
		.time = time,
	};
	struct hist_input in = { .cfg = cfg->table };
	int err;

	s->path = path;
	err = reader_open(cfg->rc, path, &s->pd, e);
	if (err)
		return err;
	if (cfg->chain && !has_chains(s->pd))
		return perr_set(e, PERR_USAGE,
				"-g needs call chains, and the file has none: record with -g");
	in.pd = s->pd;
	err = hist_layout_init(&s->layout, &in, e);
	if (!err)
		err = reader_start(cfg->rc, s->pd, &reader_cfg, &s->session, e);
	if (!err)
		err = count_samples(s, cfg, e);
	pd_warn_unfinished(s->pd);
	return err ? err : prepare(s, cfg, e);
}

void diff_side_fini(struct diff_side *s)
{
	hist_stacks_free(s->stacks);
	if (s->data.cfg)
		hist_data_fini(&s->data);
	hist_layout_fini(&s->layout);
	free(s->wanted);
	counts_free(s->counts);
	session_free(s->session);
	pd_close(s->pd);
	*s = (struct diff_side){ 0 };
}

void diff_side_count(struct diff_side *s, struct hist *h, const u32 *event, bool relative,
		     unsigned int nr_threads)
{
	*h = (struct hist){
		.d = &s->data,
		.layout = &s->layout,
		.order = CHAIN_CALLEE,
		.stacks = s->stacks,
		.events = event,
		.nr_events = 1,
		.wanted = s->wanted,
		.relative = relative,
	};
	hist_list(h, nr_threads);
	hist_pick_shown(h);
	hist_count(h);
	hist_sort_found(h);
}
