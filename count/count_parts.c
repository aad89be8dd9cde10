/* SPDX-License-Identifier: MIT */
#include "count/count_parts.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/progress.h"
#include "count/count_passage.h"
#include "session/part_samples.h"

#define SAMPLES_AHEAD 8 /* how many samples before its turn a record is prefetched */
#define BYTES_PER_THREAD ((u64)1 << 20) /* a thread is started for so many bytes of a recording */

/* What all threads share. */
struct parts_run {
	const struct count_parts *p;
	struct perfdata *pd;
	struct parts *parts;
	u64 nr_samples; /* before the part whose turn it is */
};

/* One thread. */
struct parts_thread {
	struct parts_run *run;
	struct counter *counter;
	struct part_scanner scanner;
	struct part_samples samples;
	/* of the part at hand: the tasks of its samples, with references to their user maps */
	struct count_task *tasks;
	size_t nr_tasks, cap_tasks;
	u64 first_rank;
	size_t next; /* sample to be counted */
	struct count_passage passage;
	struct kept_maps kept;
	pthread_t thread;
};

bool count_parts_can(struct session *s, const struct counts_config *cfg, bool unwinds)
{
	struct perfdata *pd = s->pd;

	if (cfg->filter || cfg->switch_on || cfg->switch_off || cfg->max_mem ||
	    cfg->columns & (1u << COUNT_PARALLELISM | 1u << COUNT_ADDR))
		return false;
	/* a COMPRESSED record holds few stack copies, and each would be a piece of its own */
	if (unwinds && pd_is_compressed(pd))
		return false;
	for (size_t i = 0; i < pd->nr_events; i++)
		if (!replay_is_plain(pd->events[i]))
			return false;
	return parts_can(pd);
}

static void on_task(void *ctx, const struct thread *th, bool in_kernel)
{
	struct parts_thread *t = ctx;
	const struct count_parts *p = t->run->p;
	struct machine *mc = p->session->machine;
	bool waits = p->late && in_kernel;
	struct mapset *kernel_maps;

	if (in_kernel && !p->late)
		machine_settle_kernel_now(mc);
	kernel_maps = mc->kernel_maps;
	late_kernel_note(p->kernel, kernel_maps, waits ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER);
	vec_push(t->tasks, t->nr_tasks, t->cap_tasks,
		 ((struct count_task){ .comm = th->comm,
				       .pid = th->pid,
				       .tid = th->tid,
				       .user_maps = mapset_get(th->process->maps),
				       .kernel_maps = kernel_maps, /* p->kernel has a reference */
				       .cgroup_ns = th->cgroup_ns }));
}

/* Drops the tasks' maps, or keeps them where samples wait for their callers. */
static void drop_tasks(struct parts_thread *t, bool keep)
{
	for (size_t i = 0; i < t->nr_tasks; i++) {
		if (keep)
			kept_maps_add(&t->kept, t->tasks[i].user_maps);
		else
			mapset_put(t->tasks[i].user_maps);
	}
	t->nr_tasks = 0;
}

static void take_turn(struct parts_thread *t, const struct part *part)
{
	struct parts_run *r = t->run;
	const struct part_turn turn = { .s = r->p->session,
					.stats = r->p->stats,
					.merge_deferred = !r->p->cfg->keep_deferred_apart,
					.on_task = on_task,
					.ctx = t };

	t->first_rank = r->nr_samples;
	r->nr_samples += t->samples.nr;
	part_samples_replay(&t->samples, &turn, part);
	if (r->p->cfg->progress)
		progress_update(r->p->cfg->progress, part->off);
}

static void count_unwanted(struct parts_thread *t, const struct pd_event *ev,
			   const struct pd_record *rec, u64 rank)
{
	struct pd_sample s;
	struct perr e;

	if (pd_read_sample(ev, rec, t->run->pd->swap, &s, &e))
		counter_add_broken(t->counter, rec, &e, rank);
	else
		counter_add_filtered(t->counter, ev, &s, 0);
}

/* What next_of_part() goes through. */
struct part_at {
	struct parts_thread *t;
	const struct part *part;
	const struct part_piece *piece; /* of the last sample; NULL before the first one */
};

static struct pd_record record_at(struct part_at *at, const u8 *data)
{
	const struct part_piece *p = at->piece;

	if (!p || (uintptr_t)data - (uintptr_t)p->run.p >= p->run.n)
		p = at->piece = part_piece_of(at->part, data);
	return pd_record_in_run(at->t->run->pd, &p->run, data);
}

/* Most samples are not longer than two cache lines. */
static void prefetch_record(const u8 *data)
{
	__builtin_prefetch(data);
	__builtin_prefetch(data + 64);
}

static bool next_of_part(void *ctx, struct count_passing *ret)
{
	struct part_at *at = ctx;
	struct parts_thread *t = at->t;
	const struct perfdata *pd = t->run->pd;

	while (t->next < t->samples.nr) {
		const struct part_sample *s = &t->samples.v[t->next];
		u64 rank = t->first_rank + t->next++;

		if (t->next + SAMPLES_AHEAD < t->samples.nr)
			prefetch_record(s[1 + SAMPLES_AHEAD].data);
		ret->rec = record_at(at, s->data);
		ret->ev = pd->events[s->event];
		ret->rank = rank;
		if (s->task != PART_NO_TASK) {
			ret->task = &t->tasks[s->task];
			__builtin_prefetch(ret->task->user_maps);
			return true;
		}
		count_unwanted(t, ret->ev, &ret->rec, rank);
	}
	return false;
}

static void count_part(struct parts_thread *t, const struct part *part)
{
	struct parts_run *r = t->run;
	struct part_at at = { .t = t, .part = part };
	size_t pending = t->counter->pending.nr;

	t->next = 0;
	counter_begin_batch(t->counter, r->p->batches, (u32)part->number);
	count_passage_run(&t->passage, t->counter, r->pd->swap, next_of_part, &at);
	counter_end_batch(t->counter, r->p->batches);
	drop_tasks(t, t->counter->pending.nr > pending);
}

static void *count(void *arg)
{
	struct parts_thread *t = arg;
	struct parts_run *r = t->run;
	struct part *part;

	while ((part = parts_take(r->parts, &t->scanner))) {
		part_samples_find(&t->samples, r->pd, r->p->cfg->wanted_events, part);
		parts_wait_turn(r->parts, part);
		take_turn(t, part);
		parts_pass_turn(r->parts);
		count_part(t, part);
		parts_done(r->parts, part);
	}
	return NULL;
}

static void thread_init(struct parts_thread *t, struct parts_run *r, struct counter *c)
{
	t->run = r;
	t->counter = c;
	count_passage_init(&t->passage, c);
}

static void thread_fini(struct parts_thread *t)
{
	free(t->tasks);
	count_passage_fini(&t->passage);
	part_scanner_fini(&t->scanner);
	part_samples_fini(&t->samples);
}

int count_parts_run(const struct count_parts *p, struct perr *e)
{
	struct perfdata *pd = p->session->pd;
	struct parts_run r = { .p = p, .pd = pd, .parts = parts_new(pd) };
	u64 most = 1 + pd_data_bytes(pd) / BYTES_PER_THREAD;
	unsigned int nr = p->nr < most ? p->nr : (unsigned int)most, started = 1, i;
	struct parts_thread *threads = xcalloc(nr, sizeof(*threads));
	int err;

	for (i = 0; i < nr; i++)
		thread_init(&threads[i], &r, &p->counters[i]);
	while (started < nr &&
	       !pthread_create(&threads[started].thread, NULL, count, &threads[started]))
		started++;
	count(&threads[0]);
	for (i = 1; i < started; i++)
		pthread_join(threads[i].thread, NULL);
	for (i = 0; i < nr; i++) {
		kept_maps_move(p->kept, &threads[i].kept);
		thread_fini(&threads[i]);
	}
	free(threads);
	err = parts_error(r.parts, e);
	parts_free(r.parts);
	return err;
}
