/* SPDX-License-Identifier: MIT */
#include "report/charts/count_lanes.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/counted.h"
#include "count/counts.h"

struct lane_maker {
	struct time_lanes *t;
	struct idmap threads; /* (pid, tid) -> lane */
	size_t cap_lanes, cap_samples;
	u64 *comms; /* by lane: the command that the thread had last */
	size_t nr_comms, cap_comms;
};

static u32 lane_of(struct lane_maker *m, u32 pid, u32 tid)
{
	u32 lane = idmap_get(&m->threads, pid, tid);

	if (lane != IDMAP_NONE)
		return lane;
	lane = (u32)m->t->nr_lanes;
	idmap_put(&m->threads, pid, tid, lane);
	vec_push(m->t->lanes, m->t->nr_lanes, m->cap_lanes,
		 ((struct time_lane){ .pid = pid, .tid = tid }));
	vec_push(m->comms, m->nr_comms, m->cap_comms, 0);
	return lane;
}

static void add_row(struct lane_maker *m, const struct count_row *r)
{
	struct time_lanes *t = m->t;
	u64 time = count_value(r, COUNT_TIME);
	u32 lane = lane_of(m, (u32)count_value(r, COUNT_PID), (u32)count_value(r, COUNT_TID));

	if (!t->nr_samples || time < t->first)
		t->first = time;
	if (!t->nr_samples || time > t->last)
		t->last = time;
	vec_push(t->samples, t->nr_samples, m->cap_samples,
		 ((struct time_sample){ .time = time,
					.lane = lane,
					.count = r->samples < UINT32_MAX ? (u32)r->samples
									 : UINT32_MAX }));
	t->lanes[lane].samples += r->samples;
	m->comms[lane] = count_value(r, COUNT_COMM);
}

static int by_weight(const void *a, const void *b, void *ctx)
{
	const struct time_lanes *t = ctx;
	const struct time_lane *x = &t->lanes[*(const u32 *)a], *y = &t->lanes[*(const u32 *)b];

	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return x->tid != y->tid  ? (x->tid < y->tid ? -1 : 1)
	       : x->pid < y->pid ? -1
				 : x->pid > y->pid;
}

/* Puts the lanes of most samples first. */
static void sort_lanes(struct time_lanes *t)
{
	u32 *order = xcalloc(t->nr_lanes, sizeof(*order));
	u32 *place = xcalloc(t->nr_lanes, sizeof(*place));
	struct time_lane *lanes = xcalloc(t->nr_lanes, sizeof(*lanes));
	size_t i;

	for (i = 0; i < t->nr_lanes; i++)
		order[i] = (u32)i;
	qsort_r(order, t->nr_lanes, sizeof(*order), by_weight, t);
	for (i = 0; i < t->nr_lanes; i++) {
		lanes[i] = t->lanes[order[i]];
		place[order[i]] = (u32)i;
	}
	for (i = 0; i < t->nr_samples; i++)
		t->samples[i].lane = place[t->samples[i].lane];
	free(t->lanes);
	t->lanes = lanes;
	free(order);
	free(place);
}

static bool is_of(u32 event, const u32 *events, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (events[i] == event)
			return true;
	return false;
}

bool count_lanes(const struct counts *c, const struct session *s, const u32 *events, size_t nr,
		 struct time_lanes *ret)
{
	const struct machine *mc = s->machine;
	struct lane_maker m = { .t = ret };

	*ret = (struct time_lanes){ 0 };
	for (size_t i = 0; i < c->nr_rows; i++)
		if (is_of(c->rows[i].event, events, nr) && c->rows[i].samples)
			add_row(&m, &c->rows[i]);
	for (size_t i = 0; i < ret->nr_lanes; i++)
		ret->lanes[i].name = xstrdup(intern_text(
			&mc->strings, threads_first_comm(&mc->threads, (u32)m.comms[i])));
	if (ret->nr_samples)
		sort_lanes(ret);
	free(m.comms);
	idmap_fini(&m.threads);
	return ret->nr_samples;
}
