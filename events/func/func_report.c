/* SPDX-License-Identifier: MIT */
#include "events/func/func_report.h"

#include <inttypes.h>

#include "base/mem.h"
#include "events/power_text.h"

struct report {
	struct out *o;
	const struct func_options *opt;
	const struct func_source *src;
	struct func_table *t;
	u32 *order;
	size_t nr;
	bool no_return; /* some row has calls that did not */
};

static u64 sort_value(const struct report *r, u32 row)
{
	const struct func_row *f = &r->t->rows[row];

	switch (r->opt->sort) {
	case FUNC_SORT_SELF: return f->self;
	case FUNC_SORT_CALLS: return f->calls;
	case FUNC_SORT_MAX: return f->times.max;
	case FUNC_SORT_TOTAL: break;
	}
	return f->total;
}

static int row_order(const void *x, const void *y, void *arg)
{
	const struct report *r = arg;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u64 va = sort_value(r, a), vb = sort_value(r, b);

	if (va == vb) {
		va = r->t->rows[a].calls;
		vb = r->t->rows[b].calls;
	}
	if (va != vb)
		return va > vb ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void sort_rows(struct report *r)
{
	const struct func_table *t = r->t;

	r->order = xcalloc(t->keys.nr + 1, sizeof(*r->order));
	for (u32 i = 0; i < t->keys.nr; i++) {
		/* after -I, rows of which there is nothing in this interval */
		if (!t->rows[i].calls && !t->rows[i].times.n && !t->rows[i].no_return)
			continue;
		r->order[r->nr++] = i;
		r->no_return |= t->rows[i].no_return;
	}
	qsort_r(r->order, r->nr, sizeof(*r->order), row_order, r);
}

static void put_time(const struct report *r, u64 ns, u64 unit, int width)
{
	if (r->opt->ns) {
		out_dec(r->o, ns, width);
		return;
	}
	out_dec(r->o, ns / unit, width - 4);
	out_char(r->o, '.');
	out_dec0(r->o, ns % unit / (unit / 1000), 3);
}

static void put_name(const struct report *r, u32 row)
{
	const u64 *key = tuple_table_get(&r->t->keys, row);

	func_table_put_name(r->t, r->o, (u32)key[0]);
	switch (r->opt->by) {
	case FUNC_BY_FUNCTION: return;
	case FUNC_BY_COMM: out_str(r->o, "  "); break;
	case FUNC_BY_PID:
	case FUNC_BY_TID: out_printf(r->o, "  %" PRIu64 " ", key[1]); break;
	}
	out_str(r->o, r->t->rows[row].comm);
}

static void put_row(const struct report *r, u32 row)
{
	static const u32 quantiles[] = { 500000, 950000, 990000 };
	const struct func_row *f = &r->t->rows[row];
	const struct distribution *d = &f->times;

	out_dec(r->o, f->calls, 12);
	if (r->no_return)
		out_dec(r->o, f->no_return, 11);
	put_time(r, f->total, 1000000, 14);
	put_time(r, f->self, 1000000, 14);
	put_time(r, d->n ? d->sum / d->n : 0, 1000, 12);
	for (size_t i = 0; i < ARRAY_SIZE(quantiles); i++) {
		put_time(r, distribution_quantile(d, quantiles[i]), 1000, 12);
		out_char(r->o, distribution_is_last(d, quantiles[i]) ? '*' : ' ');
	}
	put_time(r, d->max, 1000, 12);
	out_str(r->o, "  ");
	put_name(r, row);
	out_char(r->o, '\n');
}

static void put_head(const struct report *r)
{
	static const char *const by[] = { "function", "function, thread name", "function, process",
					  "function, thread" };
	const char *sum = r->opt->ns ? "ns" : "ms", *one = r->opt->ns ? "ns" : "us";
	u64 calls = 0;

	for (size_t i = 0; i < r->nr; i++)
		calls += r->t->rows[r->order[i]].calls;
	out_printf(r->o, "# %" PRIu64 " calls, by %s\n#      calls%s", calls, by[r->opt->by],
		   r->no_return ? "  no return" : "");
	out_printf(r->o, "      total %s       self %s      avg %s      p50 %s       p95 %s ", sum,
		   sum, one, one, one);
	out_printf(r->o, "      p99 %s       max %s  %s\n", one, one, by[r->opt->by]);
}

static void put_hists(const struct report *r, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct distribution *d = &r->t->rows[r->order[i]].times;

		if (!d->n)
			continue;
		out_str(r->o, "\n# ns of ");
		put_name(r, r->order[i]);
		out_char(r->o, '\n');
		power_text_put(r->o, d);
	}
}

static void put_tree(const struct report *r)
{
	out_printf(r->o,
		   "\n# callers and what they call\n#      calls      total %s       self %s"
		   "  function\n",
		   r->opt->ns ? "ns" : "us", r->opt->ns ? "ns" : "us");
	func_nodes_put(&r->t->nodes, r->t->tree, r->o, r->opt->ns, func_table_put_name, r->t);
	if (r->t->nodes.nr_left_out)
		out_printf(r->o, "# calls left out of the tree, which is full: %" PRIu64 "\n",
			   r->t->nodes.nr_left_out);
}

static void put_stacks(const struct report *r)
{
	out_printf(
		r->o,
		"\n# call stacks; callers without probes have 0 calls\n#      calls      total %s"
		"       self %s  function\n",
		r->opt->ns ? "ns" : "us", r->opt->ns ? "ns" : "us");
	func_stacks_put(r->t->stacks, r->o, r->opt->ns, func_table_put_name, r->t);
	if (r->t->stacks->nr_without)
		out_printf(r->o, "# calls without a recorded stack (prec -g): %" PRIu64 "\n",
			   r->t->stacks->nr_without);
}

static bool counts_only(const struct func_table *t)
{
	for (size_t i = 0; i < t->nr_functions; i++)
		if (t->functions[i].has_return)
			return false;
	return true;
}

/* What the times do not say. */
static void put_notes(const struct report *r)
{
	const struct func_calls *c = &r->src->calls;
	struct out *o = r->o;

	if (counts_only(r->t)) {
		out_str(o, "# the recording has no returns of these functions: no times\n");
	} else {
		out_printf(o,
			   "# returns %" PRIu64 ", without entry %" PRIu64
			   "; calls without return: stack cut (longjmp, exec) %" PRIu64
			   ", deeper than the kernel follows (%d) %" PRIu64 ", still open %" PRIu64
			   "\n",
			   c->nr_returns + c->nr_no_entry, c->nr_no_entry, c->nr_ends[FUNC_UNWOUND],
			   FUNC_KERNEL_DEPTH, c->nr_ends[FUNC_TOO_DEEP], c->nr_ends[FUNC_OPEN]);
		if (r->src->nr_no_sp)
			out_str(o,
				"# without stack pointers (prec --user-regs=sp) a return is that "
				"of the innermost call of its function\n");
		if (r->src->nr_no_g)
			out_str(o,
				"# without the register r14 (prec --user-regs=sp,r14) calls in Go "
				"programs are those of threads, which goroutines change\n");
	}
	if (r->src->losses.nr)
		out_printf(o,
			   "# lost: %" PRIu64 " records in %" PRIu64 " gaps; calls across gaps, "
			   "without their times: %" PRIu64 "; returns without entry after gaps: "
			   "%" PRIu64 "\n",
			   r->src->losses.events, r->src->losses.nr, c->nr_broken,
			   c->nr_no_entry_lost);
	losses_put_without_time(&r->src->losses, o);
	if (r->opt->than)
		out_printf(o, "# calls in no other one that took longer than --than: %" PRIu64 "\n",
			   r->t->nr_slow);
}

u32 *func_report_order(const struct func_options *opt, const struct func_table *t, size_t *ret_nr)
{
	struct report r = { .opt = opt, .t = (struct func_table *)(uintptr_t)t };

	sort_rows(&r);
	*ret_nr = opt->top && opt->top < r.nr ? (size_t)opt->top : r.nr;
	return r.order;
}

void func_report_put(struct out *o, const struct func_options *opt, const struct func_source *src)
{
	struct report r = { .o = o, .opt = opt, .src = src, .t = src->table };
	size_t shown;

	sort_rows(&r);
	shown = opt->top && opt->top < r.nr ? (size_t)opt->top : r.nr;
	put_head(&r);
	for (size_t i = 0; i < shown; i++)
		put_row(&r, r.order[i]);
	if (opt->hist)
		put_hists(&r, shown);
	if (opt->tree)
		put_tree(&r);
	if (opt->stacks)
		put_stacks(&r);
	put_notes(&r);
	free(r.order);
}

void func_report_put_time(struct out *o, u64 time)
{
	out_printf(o, "# until %" PRIu64 ".%09" PRIu64 " s\n", time / 1000000000,
		   time % 1000000000);
}

void func_report_put_slow(struct out *o, const struct func_options *opt, struct func_table *t,
			  const struct func_slow *s)
{
	out_printf(o, "%5" PRIu64 ".%09" PRIu64 " %s/%u\n", s->start / 1000000000,
		   s->start % 1000000000, s->comm ? s->comm : "", s->tid);
	func_nodes_put(&t->nodes, s->list, o, opt->ns, func_table_put_name, t);
}
