/* SPDX-License-Identifier: MIT */
#include "events/when/when_watch.h"

#include "base/mem.h"

#define MAX_CPUS 65536

static struct when_cpu *cpu_of(struct when_watch *w, u32 cpu)
{
	const struct when_cpu fresh = { 0 };

	cpu = cpu < MAX_CPUS ? cpu : 0;
	while (w->nr_cpus <= cpu)
		vec_push(w->cpus, w->nr_cpus, w->cap_cpus, fresh);
	if (!w->cpus[cpu].is_seen) {
		w->cpus[cpu].is_seen = true;
		tuple_table_init(&w->cpus[cpu].groups, WHEN_GROUP_WORDS, 1);
	}
	return &w->cpus[cpu];
}

static void hit(struct when_watch *w, const struct when_hit *h)
{
	w->nr_hits++;
	w->found(w->ctx, h);
}

/* A window of a CPU is over. is_whole: else only part of it was recorded. */
static void end_window(struct when_watch *w, u32 i, u64 to, bool is_whole)
{
	struct when_cpu *c = &w->cpus[i];
	u64 value = c->sum;

	/* a sample stands for the time before it, which may reach out of the window */
	if (w->cond->kind == WHEN_SHARE)
		value = c->sum < w->window
				? (u64)((double)c->sum / (double)w->window * WHEN_WHOLE + 0.5)
				: WHEN_WHOLE;
	w->nr_windows++;
	if ((c->lost || !is_whole) &&
	    !(when_cond_grows(w->cond) && when_cond_holds(w->cond, value)))
		w->nr_unknown++;
	else if (when_cond_holds(w->cond, value))
		hit(w, &(struct when_hit){ .cpu = i,
					   .from = w->start,
					   .to = to,
					   .value = value,
					   .lost = c->lost,
					   .groups = &c->groups });
	c->lost = false;
	c->sum = 0;
	if (!c->groups.nr)
		return;
	tuple_table_fini(&c->groups);
	tuple_table_init(&c->groups, WHEN_GROUP_WORDS, 1);
}

static void end_windows(struct when_watch *w, u64 to, bool is_whole)
{
	for (u32 i = 0; i < w->nr_cpus; i++)
		if (w->cpus[i].is_seen)
			end_window(w, i, to, is_whole);
}

/* Ends the windows before a time. Those without any event, one after the other, are one. covered:
 * the time before it that the first event stands for. */
static void go_to(struct when_watch *w, u64 time, u64 covered)
{
	u64 empty;

	if (!w->start)
		w->start = time > covered ? time - covered : time;
	if (time < w->start || time - w->start < w->window)
		return;
	end_windows(w, w->start + w->window, true);
	w->start += w->window;
	empty = (time - w->start) / w->window;
	if (!empty)
		return;
	end_windows(w, w->start + empty * w->window, true);
	w->start += empty * w->window;
}

static void take_gap(struct when_watch *w, struct when_cpu *c, const struct when_event *e)
{
	u64 gap = c->last && e->time > c->last ? e->time - c->last : 0;

	if (gap && c->lost)
		w->nr_unknown += when_cond_holds(w->cond, gap);
	else if (gap && when_cond_holds(w->cond, gap))
		hit(w, &(struct when_hit){ .cpu = e->cpu,
					   .from = c->last,
					   .to = e->time,
					   .value = gap,
					   .at_event = true });
	c->lost = false;
	c->last = e->time;
}

void when_watch_take(struct when_watch *w, const struct when_event *e)
{
	struct when_cpu *c = cpu_of(w, e->cpu);
	const u64 key[WHEN_GROUP_WORDS] = { [WHEN_STACK] = e->stack, [WHEN_COMM] = e->comm };
	u32 id;

	if (w->cond->kind == WHEN_GAP) {
		if (e->is_about)
			take_gap(w, c, e);
		return;
	}
	go_to(w, e->time, w->cond->kind == WHEN_SHARE && e->is_about ? e->weight : 0);
	if (!e->is_about)
		return;
	c->sum += e->weight;
	id = tuple_table_id(&c->groups, key);
	tuple_table_entry(&c->groups, id)[WHEN_GROUP_WORDS] += e->weight;
}

void when_watch_lost(struct when_watch *w, u32 cpu)
{
	if (cpu < MAX_CPUS) {
		cpu_of(w, cpu)->lost = true;
		return;
	}
	for (size_t i = 0; i < w->nr_cpus; i++)
		w->cpus[i].lost = true;
}

void when_watch_end(struct when_watch *w, u64 time)
{
	if (w->cond->kind != WHEN_GAP) {
		if (!w->start)
			return;
		go_to(w, time, 0);
		if (time > w->start)
			end_windows(w, time, false);
		return;
	}
	/* gaps that last until the end */
	for (u32 i = 0; i < w->nr_cpus; i++) {
		const struct when_cpu *c = &w->cpus[i];
		u64 gap = c->last && time > c->last ? time - c->last : 0;

		if (gap && !c->lost && when_cond_holds(w->cond, gap))
			hit(w, &(struct when_hit){
				       .cpu = i, .from = c->last, .to = time, .value = gap });
	}
}

void when_watch_fini(struct when_watch *w)
{
	for (size_t i = 0; i < w->nr_cpus; i++)
		if (w->cpus[i].is_seen)
			tuple_table_fini(&w->cpus[i].groups);
	free(w->cpus);
}
