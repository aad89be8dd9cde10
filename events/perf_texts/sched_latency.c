/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/sched_latency.h"

#include <stdlib.h>

#include "base/mem.h"

/* prev_state has a bit for each state in which a thread sleeps. Where none of these is set, the
 * thread could have gone on. */
#define SLEEP_BITS 0xff

#define NO_TID UINT32_MAX
#define MAX_CPUS 65536

void sched_latency_init(struct sched_latency *l)
{
	*l = (struct sched_latency){ 0 };
	task_ids_init(&l->tasks);
}

void sched_latency_fini(struct sched_latency *l)
{
	free(l->all);
	task_ids_fini(&l->tasks);
	free(l->current);
	*l = (struct sched_latency){ 0 };
}

static __attribute__((noinline)) void add_threads(struct sched_latency *l, u32 nr)
{
	while (l->nr <= nr)
		vec_push(l->all, l->nr, l->cap, ((struct latency_thread){ 0 }));
}

static inline struct latency_thread *thread_of(struct sched_latency *l, u32 tid)
{
	u32 i = task_ids_of(&l->tasks, tid);

	if (l->nr <= i)
		add_threads(l, i);
	return &l->all[i];
}

static void waits(struct latency_thread *th, u64 time)
{
	th->seen = true;
	th->state = LATENCY_WAITS;
	th->since = th->ready = time;
}

static void sleeps(struct latency_thread *th, u64 time)
{
	th->seen = true;
	th->state = LATENCY_ASLEEP;
	th->since = time;
}

static void runs(struct latency_thread *th, u64 time)
{
	u64 ns = time - th->ready;

	if (th->state != LATENCY_WAITS)
		return;
	th->state = LATENCY_RAN;
	if (time < th->ready)
		return;
	th->nr++;
	th->waited += ns;
	if (ns > th->max) {
		th->max = ns;
		th->max_from = th->ready;
		th->max_to = time;
	}
}

/* Compares a switch with the one before on its CPU. */
static void check_current(struct sched_latency *l, const struct latency_switch *sw)
{
	if (sw->cpu >= MAX_CPUS)
		return;
	while (l->nr_cpus <= sw->cpu)
		vec_push(l->current, l->nr_cpus, l->cap_cpus, NO_TID);
	if (l->current[sw->cpu] != NO_TID && l->current[sw->cpu] != sw->prev)
		l->nr_wrong_switches++;
	l->current[sw->cpu] = sw->next;
}

void sched_latency_switch(struct sched_latency *l, const struct latency_switch *sw)
{
	struct latency_thread *th;

	check_current(l, sw);
	th = thread_of(l, sw->prev);
	if (sw->prev_state & SLEEP_BITS)
		sleeps(th, sw->time);
	else
		waits(th, sw->time);
	th = thread_of(l, sw->next);
	if (!th->seen)
		waits(th, sw->time);
	runs(th, sw->time);
}

void sched_latency_runtime(struct sched_latency *l, u32 tid, u64 ns, u64 time)
{
	struct latency_thread *th = thread_of(l, tid);

	if (!th->seen)
		waits(th, time);
	th->runtime += ns;
}

void sched_latency_wake(struct sched_latency *l, u32 tid, u64 time)
{
	struct latency_thread *th = thread_of(l, tid);

	if (!th->seen)
		sleeps(th, time);
	if (th->state != LATENCY_ASLEEP)
		return;
	l->nr_wakings++;
	if (th->since > time) {
		l->nr_unordered++;
		return;
	}
	th->state = LATENCY_WAITS;
	th->ready = time;
}

/* --- rows
 * ----------------------------------------------------------------------------------------- */

struct row {
	struct latency_thread sums;
	u32 tid;
	const char *comm; /* NULL: no_comm */
	char no_comm[16]; /* ":1234" */
	u64 nr_threads;
	size_t place; /* for rows with the same keys */
	const struct latency_layout *how;
};

static int descending(u64 a, u64 b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

static const char *comm_of(const struct row *r)
{
	return r->comm ? r->comm : r->no_comm;
}

static int by_name(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int c = a->how->by_thread ? 0 : strcmp(comm_of(b), comm_of(a));

	c = c ? c : descending(a->tid, b->tid);
	return c ? c : descending(b->place, a->place);
}

static u64 average(const struct row *r)
{
	return r->sums.nr ? r->sums.waited / r->sums.nr : 0;
}

static int by_key(const struct row *a, const struct row *b, enum latency_key key)
{
	switch (key) {
	case LATENCY_BY_AVG: return descending(average(a), average(b));
	case LATENCY_BY_MAX: return descending(a->sums.max, b->sums.max);
	case LATENCY_BY_SWITCH: return descending(a->sums.nr, b->sums.nr);
	case LATENCY_BY_RUNTIME: return descending(a->sums.runtime, b->sums.runtime);
	case LATENCY_BY_PID: return descending(a->tid, b->tid);
	case NR_LATENCY_KEYS: break;
	}
	return 0;
}

static int by_keys(const void *x, const void *y)
{
	const struct row *a = x, *b = y;
	int c = 0;

	if (!a->how->nr_keys)
		for (enum latency_key k = LATENCY_BY_AVG; !c && k <= LATENCY_BY_RUNTIME; k++)
			c = by_key(a, b, k);
	for (size_t i = 0; !c && i < a->how->nr_keys; i++)
		c = by_key(a, b, a->how->keys[i]);
	return c ? c : descending(b->place, a->place);
}

static void add_row(struct row *sum, const struct row *r)
{
	sum->nr_threads++;
	sum->sums.runtime += r->sums.runtime;
	sum->sums.waited += r->sums.waited;
	sum->sums.nr += r->sums.nr;
	if (r->sums.max > sum->sums.max) {
		sum->sums.max = r->sums.max;
		sum->sums.max_from = r->sums.max_from;
		sum->sums.max_to = r->sums.max_to;
	}
}

/* Returns the number of rows, which are in the order of their names. */
static size_t make_rows(const struct sched_latency *l, const struct latency_layout *how,
			struct row *rows)
{
	size_t n = 0, nr = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct latency_thread *th = &l->all[i];
		struct row *r = &rows[n];

		if (!th->seen)
			continue;
		*r = (struct row){ .sums = *th,
				   .tid = l->tasks.all[i].tid,
				   .comm = l->tasks.all[i].comm,
				   .nr_threads = 1,
				   .place = n,
				   .how = how };
		snprintf(r->no_comm, sizeof(r->no_comm), ":%d", (int)r->tid);
		n++;
	}
	qsort(rows, n, sizeof(*rows), by_name);
	for (size_t i = 0; i < n; i++) {
		if (nr && !how->by_thread && !strcmp(comm_of(&rows[nr - 1]), comm_of(&rows[i])))
			add_row(&rows[nr - 1], &rows[i]);
		else
			rows[nr++] = rows[i];
		rows[nr - 1].place = nr - 1;
	}
	return nr;
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

#define NAME_COLUMNS 24

static void put_rule(struct out *o, size_t dashes)
{
	out_char(o, ' ');
	out_fill(o, '-', dashes);
	out_char(o, '\n');
}

static void put_time(struct out *o, const char *what, u64 ns)
{
	char buf[48];

	snprintf(buf, sizeof(buf), "%llu.%06llu", (unsigned long long)(ns / 1000000000),
		 (unsigned long long)(ns % 1000000000 / 1000));
	out_printf(o, " | max %s: %12s s", what, buf);
}

static void put_row(const struct row *r, struct out *o)
{
	char who[32];
	size_t n;

	if (r->nr_threads > 1)
		n = (size_t)snprintf(who, sizeof(who), ":(%llu) ",
				     (unsigned long long)r->nr_threads);
	else
		n = (size_t)snprintf(who, sizeof(who), ":%d ", (int)r->tid);
	n += 2 + strlen(comm_of(r));
	out_printf(o, "  ");
	out_text(o, comm_of(r), false);
	out_printf(o, "%s", who);
	if (n < NAME_COLUMNS)
		out_fill(o, ' ', NAME_COLUMNS - n);
	out_printf(o, "|%11.3f ms |%9llu | avg:%8.3f ms | max:%8.3f ms",
		   (double)r->sums.runtime / 1e6, (unsigned long long)r->sums.nr,
		   (double)average(r) / 1e6, (double)r->sums.max / 1e6);
	put_time(o, "start", r->sums.max_from);
	put_time(o, "end", r->sums.max_to);
	out_char(o, '\n');
}

static double percent(u64 part, u64 all)
{
	return all ? (double)part / (double)all * 100.0 : 0;
}

static void put_doubts(const struct sched_latency *l, u64 nr_records, struct out *o)
{
	if (l->nr_unordered)
		out_printf(o, "  INFO: %.3f%% unordered timestamps (%llu out of %llu)\n",
			   percent(l->nr_unordered, l->nr_wakings),
			   (unsigned long long)l->nr_unordered, (unsigned long long)l->nr_wakings);
	if (l->nr_lost)
		out_printf(o, "  INFO: %.3f%% lost events (%llu out of %llu, in %llu chunks)\n",
			   percent(l->nr_lost, nr_records), (unsigned long long)l->nr_lost,
			   (unsigned long long)nr_records, (unsigned long long)l->nr_losses);
	if (l->nr_wrong_switches && l->nr_wakings)
		out_printf(o, "  INFO: %.3f%% context switch bugs (%llu out of %llu)%s\n",
			   percent(l->nr_wrong_switches, l->nr_wakings),
			   (unsigned long long)l->nr_wrong_switches,
			   (unsigned long long)l->nr_wakings,
			   l->nr_lost ? " (due to lost events?)" : "");
}

void sched_latency_put(const struct sched_latency *l, const struct latency_layout *how,
		       struct out *o)
{
	struct row *rows = xcalloc(l->nr + 1, sizeof(*rows));
	size_t nr = make_rows(l, how, rows);
	u64 runtime = 0, count = 0;

	qsort(rows, nr, sizeof(*rows), by_keys);
	out_char(o, '\n');
	put_rule(o, 139);
	out_printf(o, "  Task                  |   Runtime ms  |  Count   | Avg delay ms    | "
		      "Max delay ms    | Max delay start           | Max delay end          |\n");
	put_rule(o, 139);
	for (size_t i = 0; i < nr; i++) {
		if (!rows[i].sums.nr || !strcmp(comm_of(&rows[i]), "swapper"))
			continue;
		put_row(&rows[i], o);
		runtime += rows[i].sums.runtime;
		count += rows[i].sums.nr;
	}
	put_rule(o, 113);
	out_printf(o, "  TOTAL:                |%11.3f ms |%9llu |\n", (double)runtime / 1e6,
		   (unsigned long long)count);
	put_rule(o, 51);
	put_doubts(l, how->nr_records, o);
	out_char(o, '\n');
	free(rows);
}
