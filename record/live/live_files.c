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

static struct places places_of(const struct live_files *f, const struct dso *dso)
{
	const char *name = dso_get_desc(dso)->name;
	struct places p = { 0 };

	for (size_t i = 0; i < f->nr; i++)
		add_mapped(&p, f, &f->processes[i], dso);
	if (name[0] != '/' || recorded_path_check(name) != FILE_FINE)
		return p;
	for (size_t i = 0; i < f->nr; i++)
		add_in_root(&p, f, f->processes[i].pid, name);
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
	struct places p = places_of(f, dso);
	enum open_state state;

	memcpy(id.build_id, d->build_id, sizeof(d->build_id));
	state = live_opener_ask(f->opener, dso_get_number(dso), &id, p.v, p.nr, ret);
	free(p.v);
	return state;
}

static struct object *open_code(void *ctx, const struct dso *dso)
{
	struct live_files *f = ctx;
	u32 number = dso_get_number(dso), failures = idmap_get(&f->failures, number, 0);
	enum open_state state;
	struct object *o;

	if (failures == IDMAP_NONE)
		failures = 0;
	if (failures >= MAX_FAILURES)
		return NULL;
	state = live_opener_take(f->opener, number, &o);
	if (state == OPEN_UNKNOWN)
		state = ask(f, dso, &o);
	if (state != OPEN_DONE)
		return NULL;
	if (o)
		f->nr_opened++;
	else
		idmap_put(&f->failures, number, 0, failures + 1);
	f->nr_missing += !o;
	return o;
}

struct code_opener live_files_init(struct live_files *f, const char *procfs)
{
	*f = (struct live_files){ .procfs = procfs, .opener = live_opener_new() };
	return (struct code_opener){ f, open_code };
}

void live_files_fini(struct live_files *f)
{
	live_opener_free(f->opener);
	idmap_fini(&f->failures);
}
