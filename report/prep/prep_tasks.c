/* SPDX-License-Identifier: MIT */
/* --tasks and --mmaps: the recorded tasks as a tree, and what they have mapped. */
#include <sys/mman.h>

#include "base/mem.h"
#include "base/progress.h"
#include "fileformat/feature_build_id.h"
#include "fileformat/record.h"
#include "report/prep/prep_stats.h"
#include "session/sample_sink.h"

#define NO_TASK ((u32)-1)
#define MAX_LEVELS 4096 /* limit for damaged files, where a task may be its own ancestor */

struct task {
	const struct thread *th;
	struct task *parent; /* NULL: a root */
	u32 level;           /* 0: swapper, 1: tasks without a parent */
};

struct tasks {
	struct sample_sink sink;
	bool maps; /* --mmaps */
	struct session *s;
	struct task *items;
	size_t nr;
	struct idmap by_tid;
	struct idmap told; /* tids that COMM, FORK, EXIT records name; others are only in samples */
	/*
	 * (hash of a file's name, start of the map or ~ its end or 0) -> index in inode_numbers of
	 * the first such record's inode. A later map may cover one end of an earlier map, so either
	 * end finds it.
	 */
	struct idmap inodes;
	u64 *inode_numbers;
	size_t nr_inodes, cap_inodes;
	struct idmap unsized; /* hashes of names whose build-ids the file gives without a size */
};

/* The parent's id of a task; (u32)-1 if it is not known, as in perf. */
static s32 ppid_of(const struct thread *th)
{
	return (s32)th->ppid;
}

static void find_levels(struct tasks *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct task *task = &t->items[i], *up;
		u32 at;

		task->level = task->th->tid && (s32)task->th->tid > 0;
		if (!task->level || ppid_of(task->th) <= 0)
			continue;
		at = idmap_get(&t->by_tid, task->th->ppid, 0);
		if (at == IDMAP_NONE || at == i)
			task->level = 0;
		else
			task->parent = &t->items[at];
		for (up = task->parent; up && up->level < MAX_LEVELS && task->level < MAX_LEVELS;
		     up = up->parent)
			task->level++;
	}
	/* compute levels again: the first time not all parents were known */
	for (size_t i = 0; i < t->nr; i++) {
		struct task *task = &t->items[i];
		u32 level = 0;

		for (struct task *up = task; up && level < MAX_LEVELS; up = up->parent)
			level++;
		if (task->parent)
			task->level = level;
	}
}

/* Returns the ancestor of a task at a level. */
static const struct task *at_level(const struct task *t, u32 level)
{
	for (u32 n = t->level; n > level && t->parent; n--)
		t = t->parent;
	return t;
}

static int by_tid(const struct task *a, const struct task *b)
{
	if (ppid_of(a->th) != ppid_of(b->th))
		return ppid_of(a->th) < ppid_of(b->th) ? -1 : 1;
	return (s32)a->th->tid < (s32)b->th->tid ? -1 : a->th->tid != b->th->tid;
}

/* Sorts tasks as a tree: children by their ids, each followed by its own children. */
static int in_tree_order(const void *a, const void *b)
{
	const struct task *x = *(struct task *const *)a, *y = *(struct task *const *)b;
	u32 level = x->level < y->level ? x->level : y->level;
	const struct task *p = at_level(x, level), *q = at_level(y, level);

	if (p == q)
		return x->level < y->level ? -1 : x->level > y->level;
	while (p->parent && q->parent && p->parent != q->parent) {
		p = p->parent;
		q = q->parent;
	}
	return by_tid(p, q);
}

static u64 hash_of_name(const char *name, size_t n)
{
	return hash_bytes(name, n);
}

static void put_inode(struct tasks *t, u64 name, u64 start, u64 ino)
{
	if (idmap_get(&t->inodes, name, start) != IDMAP_NONE)
		return;
	idmap_put(&t->inodes, name, start, (u32)t->nr_inodes);
	vec_push(t->inode_numbers, t->nr_inodes, t->cap_inodes, ino);
}

static void note_inode(struct tasks *t, const struct pd_record *r)
{
	struct pd_mmap m;
	u64 name;

	if (pd_read_mmap(r, t->s->pd->swap, &m, NULL) || !m.is_mmap2 || m.has_build_id)
		return;
	name = hash_of_name((const char *)m.filename.p, m.filename.n);
	put_inode(t, name, m.start, m.ino);
	put_inode(t, name, ~(m.start + m.len), m.ino);
	put_inode(t, name, 0, m.ino);
}

/* The index of a map's inode; IDMAP_NONE: its records give none. */
static u32 find_inode(const struct tasks *t, const struct map *m)
{
	u64 name = hash_of_name(m->dso_name, strlen(m->dso_name));
	u32 at = idmap_get(&t->inodes, name, m->start);

	if (at == IDMAP_NONE)
		at = idmap_get(&t->inodes, name, ~m->end);
	return at == IDMAP_NONE ? idmap_get(&t->inodes, name, 0) : at;
}

static void note_sizes(struct tasks *t)
{
	const struct pd_feature *f = pd_feature_get(t->s->pd, PD_FEAT_BUILD_ID);
	struct pd_build_id_entry b;
	struct pd_build_ids it;

	if (!f)
		return;
	it = pd_build_ids_open(f->data, t->s->pd->swap);
	/* damage was reported when the session began */
	while (pd_build_ids_next(&it, &b, NULL) == 1)
		if (!(b.misc & PD_MISC_BUILD_ID_SIZE))
			idmap_put(&t->unsized,
				  hash_of_name((const char *)b.filename.p, b.filename.n), 0, 1);
}

static void print_build_id(const struct tasks *t, struct out *o, const struct map *m)
{
	const struct dso_desc *d = dso_get_desc(m->dso);
	u64 name = hash_of_name(m->dso_name, strlen(m->dso_name));
	bool whole = idmap_get(&t->unsized, name, 0) != IDMAP_NONE;
	u8 size = whole && d->build_id_size ? sizeof(d->build_id) : d->build_id_size;

	for (u8 i = 0; i < size; i++)
		out_printf(o, "%02x", i < d->build_id_size ? d->build_id[i] : 0);
}

static void note_thread(struct tasks *t, u32 pid, u32 tid)
{
	idmap_put(&t->told, pid, 0, 1);
	idmap_put(&t->told, tid, 0, 1);
}

static void note_tasks(struct tasks *t, const struct pd_record *r, bool maps)
{
	bool swap = t->s->pd->swap;
	struct pd_comm comm;
	struct pd_task task;
	struct pd_mmap m;

	if (r->type == PD_RECORD_COMM && !pd_read_comm(r, swap, &comm, NULL)) {
		note_thread(t, comm.pid, comm.tid);
	} else if (r->type == PD_RECORD_FORK && !pd_read_task(r, swap, &task, NULL)) {
		note_thread(t, task.pid, task.tid);
		note_thread(t, task.ppid, task.ptid);
	} else if (maps && (r->type == PD_RECORD_MMAP || r->type == PD_RECORD_MMAP2)) {
		note_inode(t, r);
		if (!pd_read_mmap(r, swap, &m, NULL))
			note_thread(t, m.pid, m.tid);
	}
}

static void print_map(const struct tasks *t, struct out *o, const struct map *m, u32 level)
{
	const struct dso_desc *d = dso_get_desc(m->dso);
	u32 at = find_inode(t, m);
	/* the memory of JIT code, which goes by another name */
	bool nameless = d->kind == DSO_JIT && t->nr_inodes;

	out_printf(o, "%*s%llx-%llx %c%c%c%c %08llx ", (int)level + 32, "",
		   (unsigned long long)m->start, (unsigned long long)m->end,
		   m->prot & PROT_READ ? 'r' : '-', m->prot & PROT_WRITE ? 'w' : '-',
		   m->prot & PROT_EXEC ? 'x' : '-', m->flags ? 's' : 'p',
		   (unsigned long long)m->pgoff);
	if (d->kind != DSO_VDSO && (nameless || at != IDMAP_NONE))
		out_printf(o, "%llu",
			   at == IDMAP_NONE ? 0ull : (unsigned long long)t->inode_numbers[at]);
	else
		print_build_id(t, o, m);
	out_printf(o, " %s\n", m->dso_name);
}

static void print_task(const struct tasks *t, struct out *o, const struct task *task, bool maps)
{
	const struct thread *th = task->th;
	const struct mapset *set = th->process->maps;

	out_printf(o, "%10d %8d %8d |%*s%s\n", (int)th->pid, (int)th->tid, (int)ppid_of(th),
		   (int)task->level, "", machine_comm(t->s->machine, th));
	for (size_t i = 0; maps && i < set->nr; i++)
		print_map(t, o, set->maps[i], task->level);
}

static void print_tasks(struct tasks *t, struct out *o, bool maps)
{
	const struct threads *all = &t->s->machine->threads;
	struct task **sorted;
	size_t i;

	t->items = xcalloc(all->nr + 1, sizeof(*t->items));
	for (i = 0; i < all->nr; i++) {
		if (!all->slots[i] || all->slots[i]->tid == NO_TASK ||
		    idmap_get(&t->told, all->slots[i]->tid, 0) == IDMAP_NONE)
			continue;
		idmap_put(&t->by_tid, all->slots[i]->tid, 0, (u32)t->nr);
		t->items[t->nr++].th = all->slots[i];
	}
	find_levels(t);
	sorted = xcalloc(t->nr + 1, sizeof(*sorted));
	for (i = 0; i < t->nr; i++)
		sorted[i] = &t->items[i];
	qsort(sorted, t->nr, sizeof(*sorted), in_tree_order);
	out_printf(o, "# %8s %8s %8s  %s\n", "pid", "tid", "ppid", "comm");
	for (i = 0; i < t->nr; i++)
		print_task(t, o, sorted[i], maps);
	free(sorted);
	free(t->items);
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	struct tasks *t = CONTAINER_OF(k, struct tasks, sink);

	(void)e;
	note_tasks(t, &ev->rec, t->maps);
	return 0;
}

static int skip_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	(void)k;
	(void)v;
	(void)e;
	return 0;
}

int prep_tasks_print(struct out *o, struct perfdata *pd, const struct symbols_config *symbols,
		     bool maps, struct diag *diag, struct perr *e)
{
	struct session_config cfg = { .symbols = *symbols,
				      .no_jitdumps = true,
				      .keep_exited = true };
	struct tasks t = {
		.s = session_new(pd, &cfg, diag),
		.sink = { .flags = SINK_RECORDS | SINK_LATE_KERNEL | SINK_DEFERRED_APART,
			  .sample = skip_sample,
			  .record = take_record },
		.maps = maps,
	};
	struct progress progress;
	const struct sample_query q = { .pass = "listing tasks", .progress = &progress };
	int got;

	(void)machine_thread(t.s->machine, 0, 0);
	note_thread(&t, 0, 0);
	if (maps)
		note_sizes(&t);
	progress_init_ahead(&progress, "prep", pd->file_size, stderr);
	got = session_run(t.s, &q, &t.sink, e);
	progress_end(&progress);
	print_tasks(&t, o, maps);
	idmap_fini(&t.by_tid);
	idmap_fini(&t.told);
	idmap_fini(&t.inodes);
	idmap_fini(&t.unsized);
	free(t.inode_numbers);
	session_free(t.s);
	return got;
}
