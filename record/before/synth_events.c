/* SPDX-License-Identifier: MIT */
#include "record/before/synth_events.h"

#include <linux/perf_event.h>

#include "base/mem.h"
#include "fileformat/write/record_encode.h"

#define CPU_ANY (-1)

void synth_time_conv(struct wbuf *out, const void *time_page)
{
	const struct perf_event_mmap_page *page = time_page;
	struct pd_time_conv t;
	u32 seq;

	if (!page)
		return;
	do {
		seq = __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE);
		t = (struct pd_time_conv){
			.shift = page->time_shift,
			.mult = page->time_mult,
			.zero = page->time_zero,
			.has_cycles = true,
			.cycles = page->time_cycles,
			.mask = page->time_mask,
			.cap_user_time_zero = page->cap_user_time_zero,
			.cap_user_time_short = page->cap_user_time_short,
		};
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
	} while (__atomic_load_n(&page->lock, __ATOMIC_RELAXED) != seq || (seq & 1));
	if (t.cap_user_time_zero)
		pd_put_time_conv(out, &t);
}

/* Returns the number of rows in the matrix of an event's descriptors: one per CPU. */
static size_t nr_cpu_slots(const struct rec_target *t)
{
	return t->any_cpu || !t->cpus.nr ? 1 : t->cpus.nr;
}

static struct pd_id_index_entry index_entry(const struct rec_event *ev, size_t i,
					    const struct rec_target *t, size_t nr_threads)
{
	size_t cpu = i / nr_threads, thread = i % nr_threads;
	bool by_cpu = !t->any_cpu && cpu < t->cpus.nr;
	struct pd_id_index_entry e = { .id = ev->ids[i], .cpu = UINT64_MAX, .tid = UINT64_MAX };

	/*
	 * idx is the number of the ring: there is one per CPU, or one per thread if events are on
	 * any CPU
	 */
	e.idx = by_cpu ? cpu : thread;
	if (by_cpu)
		e.cpu = t->cpus.cpus[cpu];
	if (thread < t->nr_threads && !ev->whole_system)
		e.tid = (u64)(s64)t->threads[thread].tid;
	return e;
}

void synth_id_index(struct wbuf *out, const struct rec_evlist *l, const struct rec_target *t)
{
	struct pd_id_index_entry *entries = NULL;
	size_t nr = 0, cap = 0;

	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];
		size_t nr_threads = ev->nr_fds / nr_cpu_slots(t);

		for (size_t k = 0; nr_threads && ev->ids && k < ev->nr_fds; k++)
			if (ev->ids[k])
				vec_push(entries, nr, cap, index_entry(ev, k, t, nr_threads));
	}
	if (nr)
		pd_put_id_index(out, entries, nr);
	free(entries);
}

static u64 first_id(const struct rec_event *ev)
{
	for (size_t i = 0; ev->ids && i < ev->nr_fds; i++)
		if (ev->ids[i])
			return ev->ids[i];
	return 0;
}

static void put_own_cpus(struct wbuf *out, u64 id, const struct cpu_list *list)
{
	s32 *cpus = xcalloc(list->nr, sizeof(*cpus));

	for (size_t i = 0; i < list->nr; i++)
		cpus[i] = (s32)list->cpus[i];
	pd_put_event_cpus(out, id, cpus, list->nr);
	free(cpus);
}

void synth_event_updates(struct wbuf *out, const struct rec_evlist *l, bool names)
{
	for (size_t i = 0; i < l->nr; i++) {
		const struct rec_event *ev = l->events[i];
		u64 id = first_id(ev);

		if (!id)
			continue;
		if (ev->unit && ev->unit[0])
			pd_put_event_unit(out, id, ev->unit);
		if (ev->scale != 1.0 && ev->scale != 0.0)
			pd_put_event_scale(out, id, ev->scale);
		if (ev->pmu_cpus && ev->pmu_cpus->nr)
			put_own_cpus(out, id, ev->pmu_cpus);
		if (names)
			pd_put_event_name(out, id, ev->name);
	}
}

void synth_thread_map(struct wbuf *out, const struct rec_target *t)
{
	u64 *pids = xcalloc(t->nr_threads + 1, sizeof(*pids));
	char(*comms)[16] = xcalloc(t->nr_threads + 1, sizeof(*comms));

	for (size_t i = 0; i < t->nr_threads; i++) {
		pids[i] = (u64)(s64)t->threads[i].tid;
		memcpy(comms[i], t->threads[i].comm, sizeof(comms[i]));
		comms[i][15] = 0;
	}
	pd_put_thread_map(out, pids, comms, t->nr_threads);
	free(pids);
	free(comms);
}

void synth_cpu_map(struct wbuf *out, const struct rec_target *t)
{
	size_t nr = t->any_cpu ? 0 : t->cpus.nr;
	s32 *cpus = xcalloc(nr + 1, sizeof(*cpus));

	if (!nr)
		cpus[nr++] = CPU_ANY;
	else
		for (size_t i = 0; i < nr; i++)
			cpus[i] = (s32)t->cpus.cpus[i];
	pd_put_cpu_map(out, cpus, nr);
	free(cpus);
}
