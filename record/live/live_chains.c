/* SPDX-License-Identifier: MIT */
#include "record/live/live_chains.h"

#include "base/mem.h"
#include "machine/machine.h"
#include "record/live/live_files.h"

/* A side-band record that waits for its time. */
struct note {
	u64 time, nr; /* nr: in the order of arrival */
	size_t at;    /* in live_chains.bytes */
	u32 size;
};

struct live_chains {
	struct machine *machine;
	struct live_files files;
	struct code_opener opener;
	struct chainer *chainer;
	struct deep_stack deep;
	struct pd_event **events;
	size_t nr_events, cap_events;
	struct note
		*notes; /* from first_note on, by time once live_chains_notes_end() was called */
	size_t first_note, nr_notes, cap_notes;
	u64 next_nr;
	struct wbuf bytes; /* of the notes */
	struct chain_job jobs[CHAINER_JOBS];
	struct mapset *maps[CHAINER_JOBS];
	struct wbuf whole[CHAINER_JOBS]; /* samples that lay in two parts */
	size_t nr_jobs;
	bool keep_copies;
};

struct live_chains *live_chains_new(const char *procfs, bool keep_copies, struct diag *diag)
{
	struct live_chains *l = xcalloc(1, sizeof(*l));
	struct machine_config cfg = { .only_unwinds = true, .no_jitdumps = true, .diag = diag };

	l->opener = live_files_init(&l->files, procfs);
	cfg.symbols.opener = &l->opener;
	cfg.symbols.diag = diag;
	l->machine = machine_new(&cfg);
	l->chainer = chainer_new(l->machine, NULL);
	deep_stack_init(&l->deep, NULL, NULL);
	chainer_set_deep(l->chainer, &l->deep);
	l->keep_copies = keep_copies;
	return l;
}

void live_chains_free(struct live_chains *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->nr_jobs; i++)
		mapset_put(l->maps[i]);
	for (size_t i = 0; i < CHAINER_JOBS; i++)
		wb_fini(&l->whole[i]);
	for (size_t i = 0; i < l->nr_events; i++)
		free(l->events[i]);
	free(l->events);
	chainer_free(l->chainer);
	machine_free(l->machine);
	live_files_fini(&l->files);
	deep_stack_fini(&l->deep);
	free(l->notes);
	wb_fini(&l->bytes);
	free(l);
}

void live_chains_add_event(struct live_chains *l, const struct pd_attr *opened)
{
	struct pd_event *ev = xcalloc(1, sizeof(*ev));

	ev->attr = *opened;
	ev->idx = (u32)l->nr_events;
	pd_event_prepare(ev);
	vec_push(l->events, l->nr_events, l->cap_events, ev);
}

static struct pd_record record_of(const u8 *p, u32 size)
{
	return (struct pd_record){
		.type = get_u32(p, false), .misc = get_u16(p + 4, false), .size = size, .data = p
	};
}

/* --- side-band -------------------------------------------------------------------------------- */

void live_chains_apply(struct live_chains *l, const u8 *record, u32 size)
{
	const struct pd_record r = record_of(record, size);

	machine_apply(l->machine, &r);
}

void live_chains_note(struct live_chains *l, const u8 *record, u32 size, u64 time)
{
	struct note n = { .time = time, .nr = l->next_nr++, .at = l->bytes.n, .size = size };

	wb_mem(&l->bytes, record, size);
	vec_push(l->notes, l->nr_notes, l->cap_notes, n);
}

static int by_time(const void *va, const void *vb)
{
	const struct note *a = va, *b = vb;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

void live_chains_notes_end(struct live_chains *l)
{
	if (l->nr_notes > l->first_note)
		qsort(l->notes + l->first_note, l->nr_notes - l->first_note, sizeof(*l->notes),
		      by_time);
}

void live_chains_advance(struct live_chains *l, u64 time)
{
	while (l->first_note < l->nr_notes && l->notes[l->first_note].time <= time) {
		const struct note *n = &l->notes[l->first_note++];

		live_chains_apply(l, l->bytes.p + n->at, n->size);
	}
}

/* Moves the notes that still wait to the front. */
static void drop_applied(struct live_chains *l)
{
	struct wbuf bytes = { 0 };
	size_t nr = 0;

	if (!l->first_note)
		return;
	for (size_t i = l->first_note; i < l->nr_notes; i++) {
		struct note n = l->notes[i];

		wb_mem(&bytes, l->bytes.p + n.at, n.size);
		n.at = bytes.n - n.size;
		l->notes[nr++] = n;
	}
	if (nr) {
		wb_fini(&l->bytes);
		l->bytes = bytes;
	}
	l->bytes.n = bytes.n;
	l->nr_notes = nr;
	l->first_note = 0;
}

/* --- samples ---------------------------------------------------------------------------------- */

void live_chains_flush(struct live_chains *l)
{
	if (!l->nr_jobs)
		return;
	l->files.nr = l->nr_jobs;
	for (size_t i = 0; i < l->nr_jobs; i++)
		l->files.processes[i] =
			(struct live_process){ l->jobs[i].sample.pid, l->jobs[i].maps };
	chainer_do(l->chainer, l->jobs, l->nr_jobs);
	for (size_t i = 0; i < l->nr_jobs; i++)
		mapset_put(l->maps[i]);
	l->nr_jobs = 0;
}

u8 *live_chains_room(struct live_chains *l, u32 size)
{
	struct wbuf *b = &l->whole[l->nr_jobs];

	b->n = 0;
	return wb_add(b, size);
}

int live_chains_put(struct live_chains *l, u32 event, const u8 *record, u32 size, u64 time,
		    struct wbuf *out, struct perr *e)
{
	struct chain_job *j = &l->jobs[l->nr_jobs];
	int err;

	*j = (struct chain_job){ .ev = l->events[event],
				 .rec = record_of(record, size),
				 .out = out,
				 .keep_copy = l->keep_copies };
	err = pd_read_sample(j->ev, &j->rec, false, &j->sample, e);
	if (err)
		return err;
	live_chains_advance(l, time);
	l->maps[l->nr_jobs] = NULL;
	/* others are written as they are: exited tasks must not come to life again */
	if (machine_stacks_wants(j->ev, &j->sample)) {
		struct thread *th = machine_thread(l->machine, j->sample.pid, j->sample.tid);

		l->maps[l->nr_jobs] = mapset_get(machine_task(l->machine, th).user_maps);
	}
	j->maps = l->maps[l->nr_jobs];
	if (++l->nr_jobs == CHAINER_JOBS)
		live_chains_flush(l);
	return 0;
}

void live_chains_set_level(struct live_chains *l, enum overload_level level)
{
	chainer_set_level(l->chainer, level);
}

void live_chains_end_sweep(struct live_chains *l)
{
	drop_applied(l);
	if (machine_forget(l->machine))
		chainer_rest(l->chainer);
}

void live_chains_begin_file(struct live_chains *l)
{
	chainer_begin_file(l->chainer);
}

struct chainer_counts live_chains_counts(const struct live_chains *l, u32 event)
{
	return chainer_counts_of(l->chainer, event);
}
