/* SPDX-License-Identifier: MIT */
#include "report/pscript/script_workers.h"

#include <pthread.h>

#include "base/mem.h"

#define JOB_ITEMS \
	256 /* ~0.2 ms of work: enough to make hand-over cheap, short enough to wait for */
#define MAX_THREADS 64

enum job_state { JOB_FILLING, JOB_QUEUED, JOB_TAKEN, JOB_DONE };

struct item {
	struct replay_event ev;
	struct task_view task;
};

struct job {
	enum job_state state;
	size_t nr;
	struct item items[JOB_ITEMS];
	struct out text;
};

struct worker {
	struct script_workers *w;
	struct sample_text *text;
	pthread_t thread;
};

/* A ring of jobs: the caller fills them at head, workers take them at next. */
struct script_workers {
	struct out *out;
	struct job **ring;
	unsigned int nr_jobs, nr_workers;
	u64 head;   /* job being filled */
	u64 oldest; /* the first job whose text is not written */
	u64 next;   /* the first job that no worker has taken; under lock */
	bool ending;
	const struct job *awaited; /* under lock: the worker that finishes it wakes the caller */
	/* Signal with the lock released, or the woken thread blocks on it at once. */
	pthread_mutex_t lock;
	pthread_cond_t queued, done;
	struct worker workers[];
};

static struct job *job_at(struct script_workers *w, u64 i)
{
	return w->ring[i % w->nr_jobs];
}

static void *work(void *arg)
{
	struct worker *me = arg;
	struct script_workers *w = me->w;
	struct job *j;
	size_t i;

	pthread_mutex_lock(&w->lock);
	for (;;) {
		while (!w->ending && job_at(w, w->next)->state != JOB_QUEUED)
			pthread_cond_wait(&w->queued, &w->lock);
		j = job_at(w, w->next);
		if (j->state != JOB_QUEUED)
			break;
		j->state = JOB_TAKEN;
		w->next++;
		pthread_mutex_unlock(&w->lock);
		for (i = 0; i < j->nr; i++)
			sample_text_print(me->text, &j->text, &j->items[i].ev, &j->items[i].task);
		pthread_mutex_lock(&w->lock);
		j->state = JOB_DONE;
		if (w->awaited == j) {
			pthread_mutex_unlock(&w->lock);
			pthread_cond_signal(&w->done);
			pthread_mutex_lock(&w->lock);
		}
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

struct script_workers *script_workers_new(struct session *s, struct tracetext *trace,
					  const struct sample_text_config *cfg, struct out *out,
					  unsigned int nr_threads)
{
	struct script_workers *w;
	unsigned int i;

	if (nr_threads > MAX_THREADS)
		nr_threads = MAX_THREADS;
	w = xcalloc(1, sizeof(*w) + nr_threads * sizeof(*w->workers));
	w->out = out;
	w->nr_jobs = nr_threads * 2 + 2;
	w->ring = xcalloc(w->nr_jobs, sizeof(*w->ring));
	for (i = 0; i < w->nr_jobs; i++) {
		w->ring[i] = xmalloc(sizeof(*w->ring[i]));
		w->ring[i]->state = JOB_FILLING;
		w->ring[i]->nr = 0;
		out_init_mem(&w->ring[i]->text);
		out_escape_like(&w->ring[i]->text, out);
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->queued, NULL);
	pthread_cond_init(&w->done, NULL);
	for (i = 0; i < nr_threads; i++) {
		struct worker *me = &w->workers[i];

		me->w = w;
		me->text = sample_text_new(s, trace, cfg, nr_threads);
		if (pthread_create(&me->thread, NULL, work, me)) {
			sample_text_free(me->text);
			break;
		}
		w->nr_workers++;
	}
	return w;
}

/* Call it with the lock held. */
static void await(struct script_workers *w, const struct job *j)
{
	w->awaited = j;
	while (j->state != JOB_DONE)
		pthread_cond_wait(&w->done, &w->lock);
	w->awaited = NULL;
}

/* Waits for the oldest unwritten job, writes its text, and releases what its samples hold. */
static void write_oldest(struct script_workers *w)
{
	struct job *j = job_at(w, w->oldest);
	size_t i;

	pthread_mutex_lock(&w->lock);
	await(w, j);
	j->state = JOB_FILLING;
	pthread_mutex_unlock(&w->lock);
	out_long(w->out, j->text.buf, j->text.len);
	j->text.len = 0;
	for (i = 0; i < j->nr; i++) {
		pd_block_put(j->items[i].ev.rec.block);
		mapset_put(j->items[i].task.user_maps);
		mapset_put(j->items[i].task.kernel_maps);
	}
	j->nr = 0;
	w->oldest++;
}

/* Hands the filled job to the workers and makes room for the next one. */
static void submit(struct script_workers *w)
{
	struct job *j = job_at(w, w->head);

	pthread_mutex_lock(&w->lock);
	j->state = JOB_QUEUED;
	pthread_mutex_unlock(&w->lock);
	pthread_cond_signal(&w->queued);
	w->head++;
	if (w->head - w->oldest < w->nr_jobs)
		return;
	/* write several jobs at once, so that the caller rarely sleeps */
	pthread_mutex_lock(&w->lock);
	await(w, job_at(w, w->oldest + w->nr_jobs / 2 - 1));
	pthread_mutex_unlock(&w->lock);
	for (unsigned int i = 0; i < w->nr_jobs / 2; i++)
		write_oldest(w);
}

void script_workers_add(struct script_workers *w, const struct replay_event *ev,
			const struct task_view *task)
{
	struct job *j = job_at(w, w->head);
	struct item *it = &j->items[j->nr++];

	it->ev = *ev;
	it->task = *task;
	pd_block_get(it->ev.rec.block);
	mapset_get(it->task.user_maps);
	mapset_get(it->task.kernel_maps);
	if (j->nr == JOB_ITEMS)
		submit(w);
}

void script_workers_flush(struct script_workers *w)
{
	if (job_at(w, w->head)->nr)
		submit(w);
	while (w->oldest < w->head)
		write_oldest(w);
}

void script_workers_free(struct script_workers *w)
{
	unsigned int i;

	if (!w)
		return;
	if (w->nr_workers)
		script_workers_flush(w);
	pthread_mutex_lock(&w->lock);
	w->ending = true;
	pthread_cond_broadcast(&w->queued);
	pthread_mutex_unlock(&w->lock);
	for (i = 0; i < w->nr_workers; i++) {
		pthread_join(w->workers[i].thread, NULL);
		sample_text_free(w->workers[i].text);
	}
	for (i = 0; i < w->nr_jobs; i++) {
		out_fini(&w->ring[i]->text);
		free(w->ring[i]);
	}
	free(w->ring);
	pthread_cond_destroy(&w->done);
	pthread_cond_destroy(&w->queued);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

bool script_workers_can(const struct perfdata *pd, const struct sample_text_config *cfg)
{
	/* these columns depend only on the sample, its task's maps, and symbols */
	const u64 apart = FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(PID) | FIELD_BIT(TIME) |
			  FIELD_BIT(CPU) | FIELD_BIT(EVENT) | FIELD_BIT(IP) | FIELD_BIT(SYM) |
			  FIELD_BIT(DSO) | FIELD_BIT(DSOFF) | FIELD_BIT(ADDR) | FIELD_BIT(SYMOFF) |
			  FIELD_BIT(PERIOD) | FIELD_BIT(IREGS) | FIELD_BIT(UREGS) |
			  FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF) |
			  FIELD_BIT(WEIGHT) | FIELD_BIT(PHYS_ADDR) | FIELD_BIT(MISC) |
			  FIELD_BIT(DATA_PAGE_SIZE) | FIELD_BIT(CODE_PAGE_SIZE) |
			  FIELD_BIT(INS_LAT) | FIELD_BIT(RETIRE_LAT) | FIELD_BIT(BPF_OUTPUT);
	size_t i;

	/* a pipe's events may still change while its samples are printed */
	if (pd->kind == PD_PIPE || cfg->reltime || cfg->deltatime || cfg->show_kernel_path)
		return false;
	for (i = 0; i < pd->nr_events; i++)
		if (cfg->fields->type[fields_type_of(pd->events[i]->attr.type)].fields & ~apart)
			return false;
	return true;
}
