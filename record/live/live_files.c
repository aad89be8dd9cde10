/* SPDX-License-Identifier: MIT */
#include "record/live/live_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

/*
 * A file that was not found may be found later: when another process has it, when it may be read.
 * It is looked for again after a wait that doubles, and all such files together this often.
 */
#define WAIT_MIN_NS 10000000ull
#define WAIT_MAX_NS 2000000000ull
#define MAX_RETRIES 50u /* in a second */

/* Where a file may be found. */
struct places {
	struct open_place *v;
	size_t nr, cap;
};

static void add_place(struct places *p, char *path, const char *root)
{
	vec_push(p->v, p->nr, p->cap, ((struct open_place){ path, root ? xstrdup(root) : NULL }));
}

static char *map_file(const struct live_files *f, u32 pid, u64 start, u64 end)
{
	return xasprintf("%s/%u/map_files/%" PRIx64 "-%" PRIx64, f->procfs, pid, start, end);
}

static void add_mapped(struct places *to, const struct live_files *f, const struct live_process *p,
		       const struct dso *dso)
{
	for (size_t i = 0; p->maps && i < p->maps->nr; i++) {
		const struct map *m = p->maps->maps[i];

		if (m->dso == dso)
			add_place(to, map_file(f, p->pid, m->start, m->end), NULL);
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

/* The processes that are being unwound and have the file mapped. */
static size_t unwound_with(const struct live_files *f, const struct dso *dso, u32 *ret, size_t max)
{
	size_t nr = 0;

	for (size_t k = 0; k < f->nr_slots; k++)
		for (size_t i = 0; i < f->slots[k].nr && nr < max; i++)
			if (has_mapped(&f->slots[k].processes[i], dso))
				ret[nr++] = f->slots[k].processes[i].pid;
	return nr;
}

static struct places places_of(const struct live_files *f, const struct dso *dso)
{
	const char *name = dso_get_desc(dso)->name;
	struct live_owner owners[LIVE_OWNERS_MAX];
	u32 pids[LIVE_FILES_PROCESSES * 4];
	size_t nr = unwound_with(f, dso, pids, ARRAY_SIZE(pids)), nr_owners = 0;
	struct places p = { 0 };

	for (size_t k = 0; k < f->nr_slots; k++)
		for (size_t i = 0; i < f->slots[k].nr; i++)
			add_mapped(&p, f, &f->slots[k].processes[i], dso);
	if (f->owners)
		nr_owners = live_owners_find(f->owners, dso, pids, nr, owners);
	for (size_t i = 0; i < nr_owners; i++)
		if (owners[i].end)
			add_place(&p, map_file(f, owners[i].pid, owners[i].start, owners[i].end),
				  NULL);
	if (name[0] != '/' || recorded_path_check(name) != FILE_FINE)
		return p;
	for (size_t i = 0; i < nr; i++)
		add_in_root(&p, f, pids[i], name);
	add_place(&p, xstrdup(name), NULL);
	for (size_t i = 0; i < nr_owners; i++)
		add_in_root(&p, f, owners[i].pid, name);
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

/* True if a file may be looked for now. Counts it then if it was not found before. */
static bool may_ask(struct live_files *f, u32 number)
{
	u64 now = now_ns();
	bool may = true;

	pthread_mutex_lock(&f->lock);
	if (number < f->nr_files && f->missing[number].wait_ns) {
		if (now - f->second_ns >= 1000000000u) {
			f->second_ns = now;
			f->nr_retries = 0;
		}
		may = now >= f->missing[number].next_ns && f->nr_retries < MAX_RETRIES;
		f->nr_retries += may;
	}
	pthread_mutex_unlock(&f->lock);
	return may;
}

static void make_room(struct live_files *f, u32 number)
{
	size_t nr = number + number / 2 + 64;

	if (number < f->nr_files)
		return;
	f->missing = xrealloc(f->missing, nr * sizeof(*f->missing));
	memset(f->missing + f->nr_files, 0, (nr - f->nr_files) * sizeof(*f->missing));
	f->nr_files = nr;
}

static void note_missing(struct live_files *f, u32 number)
{
	struct missing_file *m;

	make_room(f, number);
	m = &f->missing[number];
	m->wait_ns = m->wait_ns ? m->wait_ns * 2 : WAIT_MIN_NS;
	if (m->wait_ns > WAIT_MAX_NS)
		m->wait_ns = WAIT_MAX_NS;
	m->next_ns = now_ns() + m->wait_ns;
}

static void note_found(struct live_files *f, u32 number)
{
	if (number >= f->nr_files || !f->missing[number].wait_ns)
		return;
	f->missing[number].wait_ns = 0;
	f->has_news = true;
}

static void note_result(struct live_files *f, u32 number, bool found)
{
	pthread_mutex_lock(&f->lock);
	f->nr_opened += found;
	f->nr_missing += !found;
	if (found)
		note_found(f, number);
	else
		note_missing(f, number);
	pthread_mutex_unlock(&f->lock);
}

static struct object *open_code(void *ctx, const struct dso *dso, bool *ret_no_elf)
{
	struct live_files *f = ctx;
	u32 number = dso_get_number(dso);
	enum open_state state;
	struct object *o;

	state = live_opener_take(f->opener, number, &o);
	if (state == OPEN_UNKNOWN && !may_ask(f, number))
		return NULL;
	if (state == OPEN_UNKNOWN)
		state = ask(f, dso, &o);
	if (state != OPEN_DONE && state != OPEN_NO_ELF)
		return NULL;
	*ret_no_elf = state == OPEN_NO_ELF;
	note_result(f, number, o || *ret_no_elf);
	return o;
}

static void forget(void *ctx, const struct dso *dso)
{
	struct live_files *f = ctx;
	u32 number = dso_get_number(dso);

	pthread_mutex_lock(&f->lock);
	if (number < f->nr_files)
		f->missing[number] = (struct missing_file){ 0 };
	pthread_mutex_unlock(&f->lock);
	live_opener_forget(f->opener, number);
}

struct code_opener live_files_init(struct live_files *f, const char *procfs)
{
	*f = (struct live_files){ .procfs = procfs, .opener = live_opener_new() };
	pthread_mutex_init(&f->lock, NULL);
	live_files_set_slots(f, 1);
	return (struct code_opener){ f, open_code, forget };
}

void live_files_fini(struct live_files *f)
{
	live_opener_free(f->opener);
	free(f->missing);
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

bool live_files_has_news(struct live_files *f)
{
	bool news;

	pthread_mutex_lock(&f->lock);
	news = f->has_news;
	f->has_news = false;
	pthread_mutex_unlock(&f->lock);
	return live_opener_has_news(f->opener) || news;
}
