/* SPDX-License-Identifier: MIT */
#include "count/counting.h"

#include "base/mem.h"
#include "count/count_result.h"
#include "count/counts_priv.h"

#define USUAL_MAX_STACK 127
#define USUAL_QUANTUM 100000000ull /* ns */
#define USUAL_KERNEL_NAMES_FROM ((u64)32 << 20)
#define FIRST_COLUMNS (1u << COUNT_PID | 1u << COUNT_TID)
#define BRANCH_COLUMNS (1u << COUNT_BRANCH_FROM | 1u << COUNT_BRANCH_TO | 1u << COUNT_BRANCH_FLAGS)

struct counts_config counts_config_with_defaults(const struct counts_config *cfg)
{
	struct counts_config c = *cfg;

	if (cfg->filter && !filter_has_conditions(cfg->filter))
		c.filter = NULL;
	/* only rows of branches have values in the columns of branches */
	if (!cfg->branch_rows)
		c.columns &= ~BRANCH_COLUMNS;
	c.first_only &= cfg->branch_rows ? 0 : c.columns & FIRST_COLUMNS;
	if (!c.max_stack)
		c.max_stack = USUAL_MAX_STACK;
	if (!c.max_user_stack)
		c.max_user_stack = COUNT_USUAL_MAX_USER_STACK;
	if (!c.kernel_names_from)
		c.kernel_names_from = USUAL_KERNEL_NAMES_FROM;
	if (!c.time_quantum_ns)
		c.time_quantum_ns = USUAL_QUANTUM;
	return c;
}

struct machine_stacks *counts_new_unwinder(struct session *s, const struct counts_config *cfg)
{
	/* the records of a stream say which events it has: one with stack copies may still come */
	bool unwinds = !cfg->no_unwind && cfg->columns >> COUNT_STACK & 1 &&
		       (s->pd->kind == PD_PIPE || pd_has_stack_copies(s->pd));

	return unwinds ? machine_stacks_new(s->machine, cfg->max_user_stack) : NULL;
}

struct counting {
	struct counts_config cfg;
	struct counter counter;
};

struct counting *counting_new(struct session *s, const struct counts_config *cfg)
{
	struct counting *g = xcalloc(1, sizeof(*g));

	g->cfg = counts_config_with_defaults(cfg);
	g->cfg.no_join = true;
	g->cfg.only_joins = false;
	counter_init(&g->counter, &g->cfg, false, s->pd->format == TEXT_PERF_6_1,
		     counts_new_unwinder(s, &g->cfg));
	return g;
}

void counting_free(struct counting *g)
{
	if (!g)
		return;
	counter_fini(&g->counter);
	free(g);
}

void counting_add(struct counting *g, const struct sample_view *v)
{
	const struct thread *th = v->thread;
	const struct count_task task = { .comm = th->comm,
					 .pid = th->pid,
					 .tid = th->tid,
					 .user_maps = th->process->maps,
					 .kernel_maps = v->task.kernel_maps,
					 .cgroup_ns = th->cgroup_ns };

	counter_add(&g->counter, v->ev->ev, &v->ev->sample, &task, v->nr);
}

struct counts *counts_take(struct counting *g)
{
	static const struct count_order as_they_are;
	struct counts *c = xcalloc(1, sizeof(*c));

	c->priv = xcalloc(1, sizeof(*c->priv));
	c->priv->nr_threads = 1;
	c->priv->by_symbol = g->cfg.by_symbol;
	c->columns = g->cfg.columns;
	count_result_frames(c, &g->counter, NULL);
	count_result_rows(c, &g->counter, &as_they_are);
	counter_take_window(&g->counter, c);
	return c;
}
