/* SPDX-License-Identifier: MIT */
#include "record/live/live_owners.h"

#include <string.h>

/* Processes of each kind. */
#define MAX_NOTED 8
#define MAX_MAPPED 8
#define MAX_PARENTS 4 /* of one process */
/* Records that are looked at: those of a few hundred processes. */
#define MAX_NOTES 8192

struct found {
	struct live_owner *v;
	size_t nr;
};

static void add(struct found *f, u32 pid, u64 start, u64 end)
{
	if (!pid || pid == (u32)-1 || f->nr == LIVE_OWNERS_MAX)
		return;
	for (size_t i = 0; i < f->nr; i++)
		if (f->v[i].pid == pid && (f->v[i].start == start || !start))
			return;
	f->v[f->nr++] = (struct live_owner){ pid, start, end };
}

static bool is_of(const struct pd_mmap *m, const struct dso_desc *d)
{
	if (m->filename.n != strlen(d->name) || memcmp(m->filename.p, d->name, m->filename.n) != 0)
		return false;
	if (m->has_build_id)
		return m->build_id.size == d->build_id_size &&
		       !memcmp(m->build_id.data, d->build_id, d->build_id_size);
	return !d->build_id_size && m->ino == d->ino && m->maj == d->dev_maj &&
	       m->min == d->dev_min;
}

static void add_noted(struct found *f, const struct live_notes *notes, const struct dso_desc *d)
{
	struct pd_record r;
	struct pd_mmap m;
	struct perr e;

	for (size_t i = 0; i < MAX_NOTES && f->nr < MAX_NOTED; i++) {
		if (!live_notes_newest(notes, i, &r))
			return;
		if (r.type == PD_RECORD_MMAP2 && !pd_read_mmap(&r, false, &m, &e) && is_of(&m, d))
			add(f, m.pid, m.start, m.start + m.len);
	}
}

static const struct map *map_of(const struct mapset *maps, const struct dso *dso)
{
	for (size_t i = 0; maps && i < maps->nr; i++)
		if (maps->maps[i]->dso == dso)
			return maps->maps[i];
	return NULL;
}

static void add_mapped(struct found *f, const struct threads *t, const struct dso *dso)
{
	size_t end = f->nr + MAX_MAPPED;

	/* threads that were made last stand at the end, mostly */
	for (size_t i = t->nr; i-- && f->nr < end;) {
		const struct thread *th = t->slots[i];
		const struct map *m =
			th && th->pid == th->tid ? map_of(th->process->maps, dso) : NULL;

		if (m)
			add(f, th->pid, m->start, m->end);
	}
}

void live_owners_note(struct live_owners *o, const struct pd_record *r)
{
	struct pd_task t;
	struct perr e;

	if (r->type == PD_RECORD_FORK && !pd_read_task(r, false, &t, &e) && t.pid != t.ppid)
		o->parents[t.pid % LIVE_OWNERS_PARENTS] = (struct live_parent){ t.pid, t.ppid };
}

static u32 parent_of(const struct live_owners *o, u32 pid)
{
	const struct live_parent *p = &o->parents[pid % LIVE_OWNERS_PARENTS];
	const struct thread *th;

	if (p->pid == pid)
		return p->ppid;
	th = threads_find(&o->machine->threads, pid, pid);
	/* of a thread of the parent */
	th = th && th->ppid != (u32)-1 ? threads_find(&o->machine->threads, (u32)-1, th->ppid)
				       : NULL;
	return th ? th->pid : 0;
}

static void add_parents(struct found *f, const struct live_owners *o, u32 pid)
{
	for (int i = 0; i < MAX_PARENTS && pid; i++) {
		pid = parent_of(o, pid);
		add(f, pid, 0, 0);
	}
}

size_t live_owners_find(const struct live_owners *o, const struct dso *dso, const u32 *pids,
			size_t nr, struct live_owner *ret)
{
	struct found f = { .v = ret };
	size_t mapped;

	add_noted(&f, o->notes, dso_get_desc(dso));
	add_mapped(&f, &o->machine->threads, dso);
	mapped = f.nr;
	for (size_t i = 0; i < nr; i++)
		add_parents(&f, o, pids[i]);
	for (size_t i = 0; i < mapped; i++)
		add_parents(&f, o, ret[i].pid);
	return f.nr;
}
