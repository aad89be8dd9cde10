/* SPDX-License-Identifier: MIT */
#include "events/state/state_table.h"

#include <inttypes.h>

#include "base/hash.h"
#include "base/mem.h"

enum row_word { ROW_NAME, ROW_STATE, ROW_TID };
enum stack_word { STACK_OUT, STACK_WAKER, STACK_NAME, STACK_STATE, STACK_WORDS };

#define STACK_INDENT 12

void state_table_init(struct state_table *t, const struct state_options *opt, struct out *o,
		      struct stack_texts *stacks)
{
	*t = (struct state_table){ .opt = opt, .o = o, .stacks = stacks };
	rows_init(&t->rows);
	tuple_table_init(&t->stack_keys, STACK_WORDS, 0);
}

void state_table_fini(struct state_table *t)
{
	rows_fini(&t->rows);
	tuple_table_fini(&t->stack_keys);
	free(t->stack_times);
}

size_t state_table_bytes(const struct state_table *t)
{
	return rows_bytes(&t->rows) + t->stack_keys.cap * sizeof(u64) +
	       (t->stack_keys.mask + 1) * sizeof(u64) + t->cap_stacks * sizeof(*t->stack_times);
}

void state_table_restart(struct state_table *t)
{
	struct state_table old = *t;

	state_table_init(t, old.opt, old.o, old.stacks);
	state_table_fini(&old);
}

/* The number of a stack; UINT32_MAX: it is new, and there is no memory for it. */
static u32 stack_number(struct state_table *t, const struct thread_times *th, u64 name, u64 state)
{
	const u64 key[STACK_WORDS] = { th->stack, t->opt->wakers ? th->waker_stack : 0, name,
				       state };
	u32 id;

	if (t->full && tuple_table_find(&t->stack_keys, key) == UINT32_MAX)
		return UINT32_MAX;
	id = tuple_table_id(&t->stack_keys, key);
	if (id == t->nr_stacks)
		vec_push(t->stack_times, t->nr_stacks, t->cap_stacks, (struct stack_time){ 0 });
	return id;
}

static void add_to_stack(struct stack_time *st, u64 ns)
{
	st->n++;
	st->sum += ns;
	if (ns > st->max)
		st->max = ns;
}

/* ---- numbers ---- */

/* A time in a column, with three digits of fraction in units of `ns`. */
static void put_time(const struct state_table *t, u64 v, u64 ns, int width)
{
	if (t->opt->ns) {
		out_dec(t->o, v, width);
		return;
	}
	out_dec(t->o, v / ns, width - 4);
	out_char(t->o, '.');
	out_dec0(t->o, v % ns / (ns / 1000), 3);
}

static const char *unit_name(const struct state_table *t, u64 ns)
{
	return t->opt->ns ? "ns" : ns == 1000 ? "us" : "ms";
}

static void put_interval(struct state_table *t, const struct state_interval *i)
{
	const struct thread_times *th = i->thread;

	out_printf(t->o, "%5" PRIu64 ".%09" PRIu64 " ", i->from / 1000000000, i->from % 1000000000);
	put_time(t, i->to - i->from, 1000000, 12);
	out_printf(t->o, " %s  %-9s  %7d  ", unit_name(t, 1000000), task_state_name(i->state),
		   (int)th->tid);
	out_str(t->o, th->comm ? th->comm : "");
	out_char(t->o, '\n');
	if (t->stacks && th->stack)
		stack_texts_put(t->stacks, t->o, th->stack, STACK_INDENT);
	if (t->stacks && t->opt->wakers && th->waker_stack) {
		out_fill(t->o, ' ', STACK_INDENT);
		out_str(t->o, "-- woken by\n");
		stack_texts_put(t->stacks, t->o, th->waker_stack, STACK_INDENT);
	}
}

/* Where a time counts that is not among the recent ones: *recent gets it, unless there was no room.
 */
static void add_time(struct state_table *t, const struct state_interval *i,
		     struct recent_time *recent)
{
	const char *comm = i->thread->comm ? i->thread->comm : "";
	const u64 key[MAX_PARTS] = { [ROW_NAME] =
					     rows_text_id(&t->rows, span_of(comm, strlen(comm))),
				     [ROW_STATE] = i->state,
				     [ROW_TID] = t->opt->by_thread ? i->thread->tid : 0 };
	const struct distribution *row;
	u64 ns = i->to - i->from;
	u32 stack = UINT32_MAX;

	rows_add(&t->rows, key, ns, !t->full);
	row = rows_recent(&t->rows, key);
	if (recent->has_stack) {
		stack = stack_number(t, i->thread, key[ROW_NAME], i->state);
		add_to_stack(stack == UINT32_MAX ? &t->other_stacks : &t->stack_times[stack], ns);
	}
	if (!row || (recent->has_stack && stack == UINT32_MAX))
		return;
	recent->row_plus_1 = (u32)(row - t->rows.items) + 1;
	recent->stack = stack;
}

static struct recent_time *recent_place(struct state_table *t, const struct recent_time *r)
{
	u64 mix = ((uintptr_t)r->comm ^ r->tid ^ (u64)r->state << 40 ^ r->stacks << 20) *
		  0x9e3779b97f4a7c15ull;

	return &t->recent[mix >> 56];
}

void state_table_add(struct state_table *t, const struct state_interval *i)
{
	const struct thread_times *th = i->thread;
	struct recent_time *recent, wanted = { .comm = th->comm,
					       .tid = t->opt->by_thread ? th->tid : 0,
					       .state = (u8)i->state };
	u64 ns = i->to - i->from;

	if (!(t->opt->wanted & 1u << i->state) || !state_options_want(t->opt, th))
		return;
	wanted.has_stack = t->stacks && i->state != TASK_RUNNING;
	if (wanted.has_stack)
		wanted.stacks = th->stack | (t->opt->wakers ? (u64)th->waker_stack << 32 : 0);
	recent = recent_place(t, &wanted);
	if (recent->row_plus_1 && recent->comm == wanted.comm && recent->tid == wanted.tid &&
	    recent->state == wanted.state && recent->stacks == wanted.stacks) {
		rows_add_to(&t->rows, &t->rows.items[recent->row_plus_1 - 1], ns);
		if (recent->has_stack)
			add_to_stack(&t->stack_times[recent->stack], ns);
	} else {
		*recent = wanted;
		add_time(t, i, recent);
	}
	if (t->opt->than && ns > t->opt->than)
		put_interval(t, i);
}

/* ---- the sums of threads ---- */

/* States that have a column; all others are in the column "other". */
static const enum task_state columns[] = { TASK_RUNNING, TASK_PREEMPTED, TASK_WOKEN,
					   TASK_SLEEP,   TASK_DISK,      TASK_WAITING };

static u64 sum_of_others(const struct thread_times *th)
{
	u64 sum = thread_times_observed(th) - th->sum[TASK_UNKNOWN];

	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		sum -= th->sum[columns[i]];
	return sum;
}

static int thread_order(const void *x, const void *y)
{
	const struct thread_times *a = *(const struct thread_times *const *)x;
	const struct thread_times *b = *(const struct thread_times *const *)y;

	if (a->sum[TASK_RUNNING] != b->sum[TASK_RUNNING])
		return a->sum[TASK_RUNNING] > b->sum[TASK_RUNNING] ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void put_thread(struct state_table *t, const struct thread_times *th)
{
	put_time(t, thread_times_observed(th), 1000000, 13);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		put_time(t, th->sum[columns[i]], 1000000, 13);
	put_time(t, sum_of_others(th), 1000000, 13);
	put_time(t, th->sum[TASK_UNKNOWN], 1000000, 13);
	out_printf(t->o, " %9" PRIu64 " %9" PRIu64 "  %7d  ", th->nr_switches, th->nr_migrations,
		   (int)th->tid);
	out_str(t->o, th->comm ? th->comm : "");
	out_char(t->o, '\n');
}

static void put_threads(struct state_table *t, const struct thread_states *states)
{
	const struct thread_times **order = xcalloc(states->nr + 1, sizeof(*order));
	size_t nr = 0, shown;

	for (size_t i = 0; i < states->nr; i++)
		if (state_options_want(t->opt, &states->all[i]) &&
		    (!t->opt->interval_ms || thread_times_observed(&states->all[i])))
			order[nr++] = &states->all[i];
	qsort(order, nr, sizeof(*order), thread_order);
	out_printf(t->o, "# time of threads by state, %s\n#   observed", unit_name(t, 1000000));
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		out_str_width(t->o, task_state_name(columns[i]), 13);
	out_str(t->o, "        other      unknown  switches migration      tid  comm\n");
	shown = t->opt->top && t->opt->top < nr ? (size_t)t->opt->top : nr;
	for (size_t i = 0; i < shown; i++)
		put_thread(t, order[i]);
	free(order);
}

/* ---- the distributions ---- */

static int row_order(const void *x, const void *y, void *arg)
{
	const struct state_table *t = arg;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u64 va = t->rows.items[a].sum, vb = t->rows.items[b].sum;

	if (va != vb)
		return va > vb ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* tid 0: none */
static void put_row(struct state_table *t, const struct distribution *d, const char *state, u32 tid,
		    const char *name)
{
	static const u32 quantiles[] = { 500000, 950000, 990000 };

	out_dec(t->o, d->n, 12);
	put_time(t, d->sum, 1000000, 14);
	put_time(t, d->min, 1000, 12);
	put_time(t, d->sum / d->n, 1000, 12);
	for (size_t k = 0; k < ARRAY_SIZE(quantiles); k++) {
		put_time(t, distribution_quantile(d, quantiles[k]), 1000, 13);
		out_char(t->o, distribution_is_last(d, quantiles[k]) ? '*' : ' ');
	}
	put_time(t, d->max, 1000, 13);
	out_printf(t->o, "  %-9s  ", state);
	if (t->opt->by_thread)
		out_printf(t->o, "%7d  ", (int)tid);
	out_str(t->o, name);
	out_char(t->o, '\n');
}

static void put_rows(struct state_table *t)
{
	u32 *order = xcalloc(t->rows.nr + 1, sizeof(*order));
	size_t nr = t->rows.nr;
	const char *us = unit_name(t, 1000);

	for (size_t i = 0; i < nr; i++)
		order[i] = (u32)i;
	qsort_r(order, nr, sizeof(*order), row_order, t);
	if (t->opt->top && t->opt->top < nr)
		nr = (size_t)t->opt->top;
	out_printf(t->o,
		   "#          n      total %s      min %s      avg %s       p50 %s        p95 %s"
		   "        p99 %s        max %s  state    %s  comm\n",
		   unit_name(t, 1000000), us, us, us, us, us, us,
		   t->opt->by_thread ? "      tid" : "");
	for (size_t i = 0; i < nr; i++) {
		const u64 *key = rows_key(&t->rows, order[i]);

		put_row(t, &t->rows.items[order[i]],
			task_state_name((enum task_state)key[ROW_STATE]), (u32)key[ROW_TID],
			rows_text(&t->rows, key[ROW_NAME]));
	}
	if (t->rows.other.n)
		put_row(t, &t->rows.other, "any", 0, "(other rows, for which there was no room)");
	free(order);
}

/* ---- stacks ---- */

static int stack_order(const void *x, const void *y, void *arg)
{
	const struct state_table *t = arg;
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u64 va = t->stack_times[a].sum, vb = t->stack_times[b].sum;

	if (va != vb)
		return va > vb ? -1 : 1;
	return a < b ? -1 : a > b;
}

static u32 *sort_stacks(struct state_table *t)
{
	u32 *order = xcalloc(t->nr_stacks + 1, sizeof(*order));

	for (size_t i = 0; i < t->nr_stacks; i++)
		order[i] = (u32)i;
	qsort_r(order, t->nr_stacks, sizeof(*order), stack_order, t);
	return order;
}

static void put_stacks(struct state_table *t)
{
	u32 *order = sort_stacks(t);
	size_t nr = t->nr_stacks;
	u64 all = 0;

	for (size_t i = 0; i < nr; i++)
		all += t->stack_times[i].sum;
	all += t->other_stacks.sum;
	if (t->opt->top && t->opt->top < nr)
		nr = (size_t)t->opt->top;
	out_printf(t->o, "\n# where threads left the CPU: times, total and longest in %s\n",
		   unit_name(t, 1000000));
	for (size_t i = 0; i < nr; i++) {
		const u64 *key = tuple_table_get(&t->stack_keys, order[i]);
		const struct stack_time *st = &t->stack_times[order[i]];

		const char *name = rows_text(&t->rows, key[STACK_NAME]);

		out_dec(t->o, st->n, 12);
		put_time(t, st->sum, 1000000, 14);
		out_printf(t->o, " %6.2f%%", all ? 100.0 * (double)st->sum / (double)all : 0.0);
		put_time(t, st->max, 1000000, 12);
		out_printf(t->o, "  %-9s  ", task_state_name((enum task_state)key[STACK_STATE]));
		out_str(t->o, name);
		out_char(t->o, '\n');
		stack_texts_put(t->stacks, t->o, (u32)key[STACK_OUT], STACK_INDENT);
		if (!key[STACK_WAKER])
			continue;
		out_fill(t->o, ' ', STACK_INDENT);
		out_str(t->o, "-- woken by\n");
		stack_texts_put(t->stacks, t->o, (u32)key[STACK_WAKER], STACK_INDENT);
	}
	free(order);
}

void state_table_put_folded(struct state_table *t, struct out *o, u64 unit_ns)
{
	u32 *order = sort_stacks(t);

	for (size_t i = 0; i < t->nr_stacks; i++) {
		const u64 *key = tuple_table_get(&t->stack_keys, order[i]);
		u64 units = t->stack_times[order[i]].sum / unit_ns;

		if (!units)
			continue;
		for (const char *c = rows_text(&t->rows, key[STACK_NAME]); *c; c++)
			out_mem(o, *c == ';' ? ":" : *c == '\n' ? " " : c, 1);
		out_char(o, ';');
		stack_texts_put_folded(t->stacks, o, (u32)key[STACK_OUT]);
		out_printf(o, ";[%s] %" PRIu64 "\n",
			   task_state_name((enum task_state)key[STACK_STATE]), units);
	}
	free(order);
}

/* ---- what is uncertain ---- */

static void put_notes(struct state_table *t, const struct thread_states *states,
		      const struct state_source *src)
{
	out_printf(t->o,
		   "# threads: %zu; switches missing: %" PRIu64
		   "; events before the one that precedes them: %" PRIu64 "\n",
		   states->nr, states->nr_missed, states->nr_negative);
	if (!src->has_states)
		out_str(t->o, "# not recorded: how threads sleep (sched_switch with its fields has "
			      "it)\n");
	if (!src->has_wakings)
		out_str(t->o, "# not recorded: wakings; the wait for a CPU is part of the sleep\n");
	if (states->nr_forgotten)
		out_printf(
			t->o,
			"# ended, and not among the threads since others needed the room: %" PRIu64
			" threads\n",
			states->nr_forgotten);
	if (states->nr_dropped)
		out_printf(t->o,
			   "# not followed, since there were more than --max-keys threads or "
			   "--max-mem: %" PRIu64 " events\n",
			   states->nr_dropped);
	if (t->other_stacks.n)
		out_printf(t->o,
			   "# without their stacks, since there was more than --max-mem: %" PRIu64
			   " times, %" PRIu64 " ns\n",
			   t->other_stacks.n, t->other_stacks.sum);
	switch_gaps_put(&src->gaps, t->o);
	out_printf(t->o, "# losses: %" PRIu64, src->losses.nr);
	if (src->losses.nr)
		out_printf(t->o, " (%" PRIu64 " records)", src->losses.events);
	out_printf(t->o, "; times across a loss: %" PRIu64 ", unknown\n", states->nr_broken);
	losses_put_without_time(&src->losses, t->o);
}

void state_table_put(struct state_table *t, const struct thread_states *states,
		     const struct state_source *src)
{
	if (t->opt->report == REPORT_STATES && t->opt->by_thread) {
		put_threads(t, states);
		out_char(t->o, '\n');
	}
	put_rows(t);
	if (t->stacks && !t->opt->than)
		put_stacks(t);
	put_notes(t, states, src);
}
