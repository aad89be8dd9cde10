/* SPDX-License-Identifier: MIT */
#include "record/live/live_chains.h"

#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/pages.h"
#include "machine/jit.h"
#include "record/live/file_pages.h"
#include "record/live/lane_threads.h"
#include "record/live/late_samples.h"
#include "record/live/live_files.h"
#include "record/live/live_jits.h"
#include "record/live/live_notes.h"
#include "record/live/live_owners.h"

/* What was forgotten lies between what was not: how often free pages are looked for. */
#define TRIM_NS 1000000000u
/* Sweeps that follow each other soon after one that found a deep stack changed. */
#define EARLY_SWEEPS 125u

/*
 * Versions of maps after which addresses are forgotten: mostly they are of processes that have
 * ended, each of which made some six versions.
 */
#define MANY_VERSIONS 16384u

/* Samples that are unwound one after the other. */
struct lane {
	struct live_chains *all;
	size_t number;
	struct chainer *chainer;
	struct deep_stack deep;
	struct chain_job *jobs;
	struct mapset **maps; /* by job: a reference, or NULL */
	size_t nr_jobs, cap_jobs, cap_maps;
};

struct live_chains {
	struct machine *machine;
	struct live_files files;
	struct live_owners owners;
	struct live_jits *jits;
	struct lean_tasks *lean; /* NULL: not asked for */
	struct file_pages pages;
	u64 last;      /* time of the last record applied, ns */
	u32 rested_at; /* the machine's versions of maps when addresses were last forgotten */
	u64 trim_at;   /* when the heap is next given back, as now_ns() */
	struct code_opener opener;
	struct lane *lanes;
	size_t nr_lanes, lane; /* lane: of the next samples */
	struct lane_threads threads;
	bool has_threads; /* lanes have them; else the caller's thread does the work */
	struct pd_event **events;
	size_t nr_events, cap_events;
	struct live_notes notes;
	struct wbuf *whole; /* samples that lay in two parts, until they are unwound */
	size_t nr_whole, cap_whole, nr_made;
	struct late_samples late;
	bool news;               /* files are there that late samples may need */
	u64 nr_changed;          /* stacks whose memory had changed, in all sweeps */
	unsigned int early_left; /* sweeps that should still follow sooner */
	bool keep_copies;
};

/* Threads do not work in the order of time: then it is done before, see live_chains_put(). */
static void set_lean(struct lane *lane)
{
	chainer_set_lean(lane->chainer, lane->all->has_threads ? NULL : lane->all->lean);
}

static bool keep_late(void *ctx, const struct chain_job *j)
{
	return late_samples_keep(ctx, j);
}

static void lane_init(struct live_chains *l, size_t i)
{
	struct lane *lane = &l->lanes[i];

	lane->all = l;
	lane->number = i;
	lane->chainer = chainer_new(l->machine, NULL);
	deep_stack_init(&lane->deep, NULL, NULL);
	chainer_set_deep(lane->chainer, &lane->deep);
	set_lean(lane);
	chainer_set_keep(lane->chainer, keep_late, &l->late);
}

static void lane_fini(struct lane *lane)
{
	for (size_t i = 0; i < lane->nr_jobs; i++)
		mapset_put(lane->maps[i]);
	chainer_free(lane->chainer);
	deep_stack_fini(&lane->deep);
	free(lane->jobs);
	free(lane->maps);
}

struct live_chains *live_chains_new(const char *procfs, bool keep_copies, struct diag *diag)
{
	struct live_chains *l = xcalloc(1, sizeof(*l));
	struct machine_config cfg = { .only_unwinds = true, .diag = diag };

	l->opener = live_files_init(&l->files, procfs);
	cfg.symbols.opener = &l->opener;
	cfg.symbols.diag = diag;
	l->jits = live_jits_new(procfs);
	cfg.jit_source = live_jits_source(l->jits);
	l->machine = machine_new(&cfg);
	l->owners.machine = l->machine;
	l->owners.notes = &l->notes;
	l->files.owners = &l->owners;
	l->lanes = xcalloc(1, sizeof(*l->lanes));
	l->nr_lanes = 1;
	lane_init(l, 0);
	l->keep_copies = keep_copies;
	l->late.opener = l->files.opener;
	return l;
}

void live_chains_free(struct live_chains *l)
{
	if (!l)
		return;
	lane_threads_stop(&l->threads);
	late_samples_fini(&l->late);
	for (size_t i = 0; i < l->nr_lanes; i++)
		lane_fini(&l->lanes[i]);
	free(l->lanes);
	for (size_t i = 0; i < l->nr_made; i++)
		wb_fini(&l->whole[i]);
	free(l->whole);
	for (size_t i = 0; i < l->nr_events; i++)
		free(l->events[i]);
	free(l->events);
	machine_free(l->machine);
	live_files_fini(&l->files);
	live_jits_free(l->jits);
	live_notes_fini(&l->notes);
	free(l);
}

void live_chains_add_event(struct live_chains *l, const struct pd_attr *opened)
{
	struct pd_event *ev = xcalloc(1, sizeof(*ev));

	ev->attr = *opened;
	ev->idx = (u32)l->nr_events;
	pd_event_prepare(ev);
	if (pd_attr_has(opened, PD_ATTR_USE_CLOCKID) && opened->clockid == CLOCK_MONOTONIC)
		l->machine->cfg.clock_is_monotonic = true;
	vec_push(l->events, l->nr_events, l->cap_events, ev);
}

static void rest(struct live_chains *l)
{
	for (size_t i = 0; i < l->nr_lanes; i++)
		chainer_rest(l->lanes[i].chainer);
}

static struct pd_record record_of(const u8 *p, u32 size)
{
	return (struct pd_record){
		.type = get_u32(p, false), .misc = get_u16(p + 4, false), .size = size, .data = p
	};
}

/* --- side-band -------------------------------------------------------------------------------- */

static void apply(struct live_chains *l, const struct pd_record *r)
{
	live_owners_note(&l->owners, r);
	machine_apply(l->machine, r);
}

void live_chains_apply(struct live_chains *l, const u8 *record, u32 size)
{
	const struct pd_record r = record_of(record, size);

	apply(l, &r);
}

void live_chains_note(struct live_chains *l, const u8 *record, u32 size, u64 time)
{
	live_notes_add(&l->notes, record, size, time);
}

/* --- samples ---------------------------------------------------------------------------------- */

/* Does the jobs of a lane. Any thread, one for a lane at a time. */
static void lane_work(struct lane *lane)
{
	struct live_process processes[CHAINER_JOBS];
	struct live_files *files = &lane->all->files;

	for (size_t at = 0; at < lane->nr_jobs; at += CHAINER_JOBS) {
		const struct chain_job *jobs = lane->jobs + at;
		size_t n = lane->nr_jobs - at;

		if (n > CHAINER_JOBS)
			n = CHAINER_JOBS;
		for (size_t i = 0; i < n; i++)
			processes[i] = (struct live_process){ jobs[i].sample.pid, jobs[i].maps };
		live_files_set(files, lane->number, processes, n);
		chainer_do(lane->chainer, jobs, n);
	}
	live_files_set(files, lane->number, NULL, 0);
}

static void work_of_lane(void *ctx, size_t lane)
{
	struct live_chains *l = ctx;

	lane_work(&l->lanes[lane]);
}

static bool lane_has_work(const void *ctx, size_t lane)
{
	const struct live_chains *l = ctx;

	return l->lanes[lane].nr_jobs != 0;
}

int live_chains_add_threads(struct live_chains *l, size_t nr, void (*begin)(void *ctx, size_t lane),
			    void *ctx, struct perr *e)
{
	lane_fini(&l->lanes[0]);
	free(l->lanes);
	l->lanes = xcalloc(nr, sizeof(*l->lanes));
	l->nr_lanes = nr;
	l->has_threads = true;
	l->threads = (struct lane_threads){
		.begin = begin, .begin_ctx = ctx, .work = work_of_lane, .work_ctx = l
	};
	live_files_set_slots(&l->files, nr);
	for (size_t i = 0; i < nr; i++)
		lane_init(l, i);
	return lane_threads_start(&l->threads, nr, e);
}

void live_chains_set_lane(struct live_chains *l, size_t lane)
{
	l->lane = l->has_threads ? lane : 0;
}

/* Does what waits to be done. Records in two parts keep their room. */
static void unwind_all(struct live_chains *l)
{
	if (l->has_threads)
		lane_threads_run(&l->threads, lane_has_work);
	else
		lane_work(&l->lanes[0]);
	for (size_t k = 0; k < l->nr_lanes; k++) {
		struct lane *lane = &l->lanes[k];

		for (size_t i = 0; i < lane->nr_jobs; i++)
			mapset_put(lane->maps[i]);
		lane->nr_jobs = 0;
	}
}

void live_chains_flush(struct live_chains *l)
{
	unwind_all(l);
	l->nr_whole = 0;
}

/* Nothing may wait to be unwound. */
static void read_jits(struct live_chains *l)
{
	live_jits_read(l->jits);
	if (machine_jits_renew(l->machine, l->last))
		rest(l);
}

static void advance_jits(struct live_chains *l, u64 time)
{
	l->last = time;
	if (time >= l->machine->next_jit_time)
		machine_jit_advance(l->machine, time);
}

/* The oldest first, before those of this sweep. */
static void do_late(struct live_chains *l)
{
	struct late_samples late = l->late;
	struct lane *lane = &l->lanes[0];

	late_samples_begin(&l->late, l->news);
	for (size_t i = 0, nr; i < late.nr; i++) {
		nr = lane->nr_jobs;
		vec_push(lane->jobs, lane->nr_jobs, lane->cap_jobs, late.jobs[i]);
		vec_push(lane->maps, nr, lane->cap_maps,
			 (struct mapset *)(uintptr_t)late.jobs[i].maps);
	}
	unwind_all(l);
	late_samples_end(&l->late, &late);
}

void live_chains_notes_end(struct live_chains *l)
{
	live_notes_sort(&l->notes);
	/* all code that the sweep's samples ran in was made before now */
	read_jits(l);
	if (late_samples_are_due(&l->late, l->news))
		do_late(l);
	l->news = false;
}

bool live_chains_hold(const struct live_chains *l)
{
	return l->late.nr > 0;
}

void live_chains_set_hold(struct live_chains *l, bool may_hold)
{
	l->late.keeps = may_hold && !l->has_threads && !l->lean;
	if (!may_hold && l->late.nr) {
		late_samples_wait(&l->late);
		rest(l);
	}
}

void live_chains_advance(struct live_chains *l, u64 time)
{
	struct pd_record r;
	u64 at;

	while (live_notes_next(&l->notes, time, &r, &at)) {
		advance_jits(l, at);
		apply(l, &r);
		if (live_jits_has_new(l->jits)) {
			unwind_all(l);
			read_jits(l);
		}
	}
	advance_jits(l, time);
}

void live_chains_set_hurry(struct live_chains *l, struct live_hurry hurry)
{
	live_opener_set_hurry(l->files.opener, hurry);
}

void live_chains_set_lean(struct live_chains *l, struct lean_tasks *lean)
{
	l->lean = lean;
	for (size_t i = 0; i < l->nr_lanes; i++)
		set_lean(&l->lanes[i]);
}

void live_chains_before_lean(struct live_chains *l)
{
	if (!l->has_threads && l->lanes[0].nr_jobs)
		unwind_all(l);
}

u8 *live_chains_room(struct live_chains *l, u32 size)
{
	struct wbuf *b;

	if (l->nr_whole == l->nr_made) {
		vec_push(l->whole, l->nr_made, l->cap_whole, (struct wbuf){ 0 });
	}
	b = &l->whole[l->nr_whole++];
	b->n = 0;
	return wb_add(b, size);
}

int live_chains_put(struct live_chains *l, u32 event, const u8 *record, u32 size, u64 time,
		    struct wbuf *out, struct perr *e)
{
	struct chain_job j = { .ev = l->events[event],
			       .rec = record_of(record, size),
			       .out = out,
			       .keep_copy = l->keep_copies };
	struct lane *lane = &l->lanes[l->lane];
	struct mapset *maps = NULL;
	size_t nr;
	int err;

	err = pd_read_sample(j.ev, &j.rec, false, &j.sample, e);
	if (err)
		return err;
	live_chains_advance(l, time);
	if (l->lean && l->has_threads)
		lean_tasks_need(l->lean, j.sample.pid, j.sample.tid, time, NULL, 0, out);
	/* others are written as they are: exited tasks must not come to life again */
	if (machine_stacks_wants(j.ev, &j.sample)) {
		struct thread *th = machine_thread(l->machine, j.sample.pid, j.sample.tid);

		maps = mapset_get(machine_task(l->machine, th).user_maps);
	}
	j.maps = maps;
	nr = lane->nr_jobs;
	vec_push(lane->jobs, lane->nr_jobs, lane->cap_jobs, j);
	vec_push(lane->maps, nr, lane->cap_maps, maps);
	if (!l->has_threads && lane->nr_jobs == CHAINER_JOBS)
		live_chains_flush(l);
	return 0;
}

void live_chains_set_level(struct live_chains *l, enum overload_level level)
{
	for (size_t i = 0; i < l->nr_lanes; i++)
		chainer_set_level(l->lanes[i].chainer, level);
}

/* Stacks are deep in phases of a program, so the next ones may be deep as well. */
static void note_changed_stacks(struct live_chains *l)
{
	u64 nr = 0;

	for (size_t i = 0; i < l->nr_lanes; i++)
		nr += l->lanes[i].deep.nr_changed;
	if (nr > l->nr_changed)
		l->early_left = EARLY_SWEEPS;
	else if (l->early_left)
		l->early_left--;
	l->nr_changed = nr;
}

bool live_chains_need_early_sweeps(const struct live_chains *l)
{
	return l->early_left > 0;
}

void live_chains_end_sweep(struct live_chains *l)
{
	/* what samples that wait need is not forgotten */
	bool forgot = !l->late.nr && machine_forget(l->machine);
	bool late = live_files_has_news(&l->files);
	u64 now = now_ns();

	l->news |= late;
	note_changed_stacks(l);
	live_notes_drop(&l->notes);
	if (file_pages_are_many(&l->pages, now, "/proc/self/statm"))
		machine_modules_give_pages_back(l->machine->modules);
	/* addresses are known by thread, also those whose file was not there */
	if (forgot || late || l->machine->maker.next_set_id - l->rested_at >= MANY_VERSIONS) {
		l->rested_at = l->machine->maker.next_set_id;
		rest(l);
	}
	if (forgot && now >= l->trim_at) {
		l->trim_at = now + TRIM_NS;
		pages_trim_heap();
	}
}

void live_chains_begin_file(struct live_chains *l)
{
	for (size_t i = 0; i < l->nr_lanes; i++)
		chainer_begin_file(l->lanes[i].chainer);
}

struct chainer_counts live_chains_counts(const struct live_chains *l, u32 event)
{
	struct chainer_counts all = { 0 };

	for (size_t i = 0; i < l->nr_lanes; i++) {
		struct chainer_counts n = chainer_counts_of(l->lanes[i].chainer, event);

		chainer_counts_add(&all, &n);
	}
	return all;
}
