/* SPDX-License-Identifier: MIT */
#include "report/text/stat_text.h"

#include <inttypes.h>

#include "base/mem.h"
#include "fileformat/record_user.h"

void stat_text_fini(struct stat_text *t)
{
	free(t->pids);
	free(t->counters);
	idmap_fini(&t->index);
	*t = (struct stat_text){ 0 };
}

static void take_threads(struct stat_text *t, const struct pd_record *r, bool swap)
{
	struct pd_thread_map m;
	u64 i;

	if (pd_read_thread_map(r, swap, &m, NULL))
		return;
	t->nr_pids = 0;
	for (i = 0; i < m.nr; i++)
		vec_push(t->pids, t->nr_pids, t->cap_pids, pd_thread_map_get(&m, i, swap).pid);
}

/* perf 6.1 prints totals, also of recordings with an interval. */
static void take_config(struct stat_text *t, const struct perfdata *pd, const struct pd_record *r)
{
	struct pd_stat_config cfg;
	u64 i;

	if (pd->format == TEXT_PERF_6_1 || pd_read_stat_config(r, pd->swap, &cfg, NULL))
		return;
	for (i = 0; i < cfg.nr; i++)
		if (span_u64(cfg.entries, i * 2, pd->swap) == PD_STAT_INTERVAL)
			t->interval = span_u64(cfg.entries, i * 2 + 1, pd->swap) != 0;
}

static void take_counter(struct stat_text *t, const struct perfdata *pd, const struct pd_record *r)
{
	const struct pd_event *ev;
	struct stat_counter *c;
	struct pd_stat s;
	u64 key;
	u32 i;

	if (pd_read_stat(r, pd->swap, &s, NULL))
		return;
	ev = pd_event_by_id(pd, s.id);
	if (!ev || s.thread >= t->nr_pids)
		return;
	key = (u64)ev->idx << 32 | s.thread;
	i = idmap_get(&t->index, key, s.cpu);
	if (i == IDMAP_NONE) {
		i = (u32)t->nr;
		idmap_put(&t->index, key, s.cpu, i);
		vec_push(t->counters, t->nr, t->cap,
			 ((struct stat_counter){
				 .event = ev->idx, .thread = s.thread, .cpu = (s32)s.cpu }));
	}
	c = &t->counters[i];
	c->val = s.val;
	c->ena = s.ena;
	c->run = s.run;
}

static int in_print_order(const void *a, const void *b)
{
	const struct stat_counter *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	if (x->thread != y->thread)
		return x->thread < y->thread ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

static void print_round(struct stat_text *t, struct out *o, const struct perfdata *pd,
			const struct pd_record *r)
{
	struct pd_stat_round round;
	size_t i;

	if (pd_read_stat_round(r, pd->swap, &round, NULL))
		return;
	if (!t->header_printed)
		out_printf(o, "%3s %8s %15s %15s %15s %15s %s\n", "CPU", "THREAD", "VAL", "ENA",
			   "RUN", "TIME", "EVENT");
	t->header_printed = true;
	if (t->nr) /* qsort takes no NULL */
		qsort(t->counters, t->nr, sizeof(*t->counters), in_print_order);
	idmap_clear(&t->index);
	for (i = 0; i < t->nr; i++) {
		struct stat_counter *c = &t->counters[i];

		idmap_put(&t->index, (u64)c->event << 32 | c->thread, (u32)c->cpu, (u32)i);
		out_printf(o,
			   "%3d %8d %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %15" PRIu64 " %s\n",
			   c->cpu, c->thread < t->nr_pids ? (s32)t->pids[c->thread] : -1,
			   c->val - c->last_val, c->ena - c->last_ena, c->run - c->last_run,
			   round.time, pd->events[c->event]->name);
		if (!t->interval)
			continue;
		c->last_val = c->val;
		c->last_ena = c->ena;
		c->last_run = c->run;
	}
}

void stat_text_record(struct stat_text *t, struct out *o, const struct perfdata *pd,
		      const struct pd_record *r)
{
	switch (r->type) {
	case PD_RECORD_THREAD_MAP: take_threads(t, r, pd->swap); break;
	case PD_RECORD_STAT_CONFIG: take_config(t, pd, r); break;
	case PD_RECORD_STAT: take_counter(t, pd, r); break;
	case PD_RECORD_STAT_ROUND: print_round(t, o, pd, r); break;
	}
}
