/* SPDX-License-Identifier: MIT */
#include "record/live/live_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

/* Of short-lived processes, the file of one that is gone may be that of the next one as well. */
#define MAX_FAILURES 16

/* Where a file may be found. */
struct places {
	struct open_place *v;
	size_t nr, cap;
};

static void add_place(struct places *p, char *path, const char *root)
{
	vec_push(p->v, p->nr, p->cap, ((struct open_place){ path, root ? xstrdup(root) : NULL }));
}

static void add_mapped(struct places *to, const struct live_files *f, const struct live_process *p,
		       const struct dso *dso)
{
	for (size_t i = 0; p->maps && i < p->maps->nr; i++) {
		const struct map *m = p->maps->maps[i];

		if (m->dso == dso)
			add_place(to,
				  xasprintf("%s/%u/map_files/%" PRIx64 "-%" PRIx64, f->procfs,
					    p->pid, m->start, m->end),
				  NULL);
	}
}

static void add_in_root(struct places *to, const struct live_files *f, u32 pid, const char *name)
{
	char *root = xasprintf("%s/%u/root", f->procfs, pid);

	add_place(to, xasprintf("%s%s", root, name), root);
	free(root);
}

static bool has_mapped(const struct live_process *p, const struct dso *dso)
{
	for (size_t i = 0; p->maps && i < p->maps->nr; i++)
		if (p->maps->maps[i]->dso == dso)
			return true;
	return false;
}

static struct places places_of(const struct live_files *f, const struct dso *dso)
{
	const char *name = dso_get_desc(dso)->name;
	struct places p = { 0 };

	for (size_t k = 0; k < f->nr_slots; k++)
		for (size_t i = 0; i < f->slots[k].nr; i++)
			add_mapped(&p, f, &f->slots[k].processes[i], dso);
	if (name[0] != '/' || recorded_path_check(name) != FILE_FINE)
		return p;
	for (size_t k = 0; k < f->nr_slots; k++)
		for (size_t i = 0; i < f->slots[k].nr; i++)
			if (has_mapped(&f->slots[k].processes[i], dso))
				add_in_root(&p, f, f->slots[k].processes[i].pid, name);
	add_place(&p, xstrdup(name), NULL);
	return p;
}

static enum open_state ask(struct live_files *f, const struct dso *dso, struct object **ret)
{
	const struct dso_desc *d = dso_get_desc(dso);
	struct open_identity id = { .build_id_size = d->build_id_size,
				    .ino = d->ino,
				    .dev_maj = d->dev_maj,
				    .dev_min = d->dev_min };
	enum open_state state;
	struct places p;

	pthread_mutex_lock(&f->lock);
	p = places_of(f, dso);
	pthread_mutex_unlock(&f->lock);
	memcpy(id.build_id, d->build_id, sizeof(d->build_id));
	state = live_opener_ask(f->opener, dso_get_number(dso), &id, p.v, p.nr, ret);
	free(p.v);
	return state;
}

static bool failed_often(struct live_files *f, u32 number)
{
	u32 failures;

	pthread_mutex_lock(&f->lock);
	failures = idmap_get(&f->failures, number, 0);
	pthread_mutex_unlock(&f->lock);
	return failures != IDMAP_NONE && failures >= MAX_FAILURES;
}

static void note_result(struct live_files *f, u32 number, bool found)
{
	pthread_mutex_lock(&f->lock);
	f->nr_opened += found;
	f->nr_missing += !found;
	if (!found) {
		u32 failures = idmap_get(&f->failures, number, 0);

		idmap_put(&f->failures, number, 0, failures == IDMAP_NONE ? 1 : failures + 1);
	}
	pthread_mutex_unlock(&f->lock);
}

static struct object *open_code(void *ctx, const struct dso *dso)
{
	struct live_files *f = ctx;
	u32 number = dso_get_number(dso);
	enum open_state state;
	struct object *o;

	if (failed_often(f, number))
		return NULL;
	state = live_opener_take(f->opener, number, &o);
	if (state == OPEN_UNKNOWN)
		state = ask(f, dso, &o);
	if (state != OPEN_DONE)
		return NULL;
	note_result(f, number, o != NULL);
	return o;
}

struct code_opener live_files_init(struct live_files *f, const char *procfs)
{
	*f = (struct live_files){ .procfs = procfs, .opener = live_opener_new() };
	pthread_mutex_init(&f->lock, NULL);
	live_files_set_slots(f, 1);
	return (struct code_opener){ f, open_code };
}

void live_files_fini(struct live_files *f)
{
	live_opener_free(f->opener);
	idmap_fini(&f->failures);
	free(f->slots);
	pthread_mutex_destroy(&f->lock);
}

void live_files_set_slots(struct live_files *f, size_t nr)
{
	free(f->slots);
	f->slots = xcalloc(nr, sizeof(*f->slots));
	f->nr_slots = nr;
}

void live_files_set(struct live_files *f, size_t slot, const struct live_process *processes,
		    size_t nr)
{
	struct live_slot *s = &f->slots[slot];

	pthread_mutex_lock(&f->lock);
	s->nr = nr;
	for (size_t i = 0; i < nr; i++)
		s->processes[i] = processes[i];
	pthread_mutex_unlock(&f->lock);
}
