/* SPDX-License-Identifier: MIT */
#include "tests/frame/elf_victims.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "symbols/elf/object.h"
#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"

/* --- what can be damaged ---------------------------------------------------------------------- */

static u8 *read_whole(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "re");
	u8 *p;

	if (!f)
		return NULL;
	p = xmalloc(VICTIM_MAX_SIZE);
	*ret_n = fread(p, 1, VICTIM_MAX_SIZE, f);
	fclose(f);
	return xrealloc(p, *ret_n + 1);
}

static bool is_worth_damage(const struct obj_section *s)
{
	static const char *const starts[] = {
		".debug_", ".eh_frame", ".gnu_debug", ".plt",   ".rela", ".dyn",
		".symtab", ".strtab",   ".note",      ".shstr", ".got",  ".gnu.version"
	};

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
		if (!strncmp(s->name, starts[i], strlen(starts[i])))
			return true;
	return false;
}

static void add_place(struct victim *v, u64 off, u64 n)
{
	if (v->nr_places < VICTIM_PLACES && n && off < v->n && n <= v->n - off)
		v->places[v->nr_places++] = (struct place){ off, n };
}

static void find_places(struct victim *v)
{
	struct object *o;
	u64 tables;
	size_t i;

	if (object_open_mem(v->path, v->p, v->n, &o, NULL)) {
		add_place(v, 0, v->n);
		return;
	}
	/* the header, the program headers behind it, and the section headers at the end */
	add_place(v, 0, 64);
	add_place(v, o->is_64 ? 64 : 52, 13 * 56);
	for (i = 0, tables = 0; i < o->nr_sections; i++) {
		const struct obj_section *s = &o->sections[i];

		if (s->type != SHT_NOBITS && s->off + s->size > tables)
			tables = s->off + s->size;
		if (s->type != SHT_NOBITS && is_worth_damage(s))
			add_place(v, s->off, s->size);
	}
	if (tables < v->n)
		add_place(v, tables, v->n - tables);
	object_close(o);
}

/* Every step-th byte of size bytes of code. */
static void add_points(struct victim *v, u64 vaddr, u64 off, u64 size, u64 step)
{
	for (u64 at = 0; at < size && v->nr_points < VICTIM_POINTS; at += step)
		v->points[v->nr_points++] = (struct point){ vaddr + at, off + at };
}

/* Of the object that is mapped, damaged or not. */
static void find_points(struct victim *v)
{
	char *path =
		xasprintf("%s/%.*s", v->dir, (int)strcspn(v->form->files, " "), v->form->files);
	struct object *o;
	u64 total = 0;
	size_t i;

	if (!object_open(path, &o, NULL)) {
		for (i = 0; i < o->nr_sections; i++)
			if (o->sections[i].flags & SHF_EXECINSTR)
				total += o->sections[i].size;
		for (i = 0; i < o->nr_sections; i++)
			if (o->sections[i].flags & SHF_EXECINSTR)
				add_points(v, o->sections[i].addr, o->sections[i].off,
					   o->sections[i].size, total / VICTIM_POINTS + 1);
		for (i = 0; !total && i < o->nr_loads; i++)
			add_points(v, o->loads[i].vaddr, o->loads[i].off, o->loads[i].filesz, 64);
		object_close(o);
	}
	free(path);
}

static struct victim *add_victim(struct victims *all, const char *form, const char *file,
				 const char *path)
{
	struct victim v = { .name = xasprintf("%s/%s", form, file), .path = xstrdup(path) };

	v.p = read_whole(path, &v.n);
	if (!v.p || !v.n || v.n == VICTIM_MAX_SIZE) {
		free(v.name);
		free(v.path);
		free(v.p);
		return NULL;
	}
	find_places(&v);
	vec_push(all->items, all->nr, all->cap, v);
	return &all->items[all->nr - 1];
}

static void add_form(struct victims *all, const struct elf_form *form)
{
	const char *p = form->files;
	struct victim *v;
	char *file, *path;

	while (*p) {
		file = xstrndup(p, strcspn(p, " "));
		path = xasprintf("%s/%s/%s", all->dir, form->name, file);
		v = add_victim(all, form->name, file, path);
		if (v) {
			v->form = form;
			v->dir = xasprintf("%s/%s", all->dir, form->name);
			find_points(v);
		}
		p += strlen(file) + (p[strlen(file)] == ' ');
		free(path);
		free(file);
	}
}

/* A recording of testdata and a file that it is told of. */
static void add_recorded(struct victims *all, const char *recording, const char *original)
{
	const char *file = strrchr(original, '/') + 1;
	char *dir = xasprintf("%s/%s", all->dir, recording);
	char *to = xasprintf("%s/tmp/w/%s", dir, file);
	char *cmd = xasprintf("mkdir -p '%s/tmp/w' && cp '%s' '%s' && chmod u+w '%s'", dir,
			      original, to, to);
	struct victim *v = system(cmd) ? NULL : add_victim(all, recording, file, to);

	if (v) {
		v->recording = recording;
		v->dir = xstrdup(dir);
	}
	free(cmd);
	free(to);
	free(dir);
}

void victims_init(struct victims *all)
{
	const struct elf_form *forms;

	*all = (struct victims){ 0 };
	all->dir = elf_forms_build(&forms);
	for (; forms->name; forms++)
		add_form(all, forms);
	add_recorded(all, "inline-7.2", "testdata/symfs/tmp/w/w_inline");
	add_recorded(all, "dwarf-7.2", "testdata/symfs/tmp/w/w_simple");
	add_recorded(all, "fp-7.2", "testdata/symfs/tmp/w/w_simple");
	add_recorded(all, "jitdump", "testdata/jitdump/jit-32312.dump");
}

void victims_fini(struct victims *all)
{
	for (size_t i = 0; i < all->nr; i++) {
		free(all->items[i].name);
		free(all->items[i].path);
		free(all->items[i].dir);
		free(all->items[i].p);
	}
	free(all->items);
	free(all->dir);
}

void victims_remove_files(struct victims *all)
{
	elf_forms_remove(all->dir);
}

/* --- damage ----------------------------------------------------------------------------------- */

/* Mostly in one part of the file, where it holds what we read. */
static void damage(const struct victim *v, u8 *p, size_t *n, u64 k)
{
	struct dice d = dice_of(v->name, k);
	size_t changes = 1 + roll(&d, 4), i, at;
	struct place pl = v->places[roll(&d, v->nr_places)];

	if (roll(&d, 16) == 0) {
		*n = mutate_once(p, *n, roll(&d, *n), &d);
		return;
	}
	for (i = 0; i < changes; i++) {
		if (roll(&d, 4) == 0)
			pl = v->places[roll(&d, v->nr_places)];
		at = roll(&d, roll(&d, 2) && pl.n > 64 ? 64 : pl.n);
		(void)mutate_once(p + pl.off, pl.n, at, &d);
	}
}

void victim_write(const struct victim *v, const u8 *p, size_t n)
{
	FILE *f = fopen(v->path, "we");

	CHECK(f);
	CHECK_EQ(fwrite(p, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
}

u8 *victim_mutant(const struct victim *v, u64 k, size_t *ret_n)
{
	u8 *p = xmalloc(v->n + 1);

	memcpy(p, v->p, v->n);
	*ret_n = v->n;
	damage(v, p, ret_n, k);
	return p;
}
