/* SPDX-License-Identifier: MIT */
/*
 * Damaged files that names, source lines, inlined functions and call frame information come from:
 * small programs in many forms (elf_forms.h), and the files beside some recordings. With each all
 * that is looked up in such a file: no crash, no hang, no memory out of proportion. Mutant k of a
 * file is always the same, as far as compilers give the same file. Environment: see mutant_runs.h.
 */
#include "tests/elf_forms.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "tests/mutant_runs.h"
#include "tests/mutate.h"
#include "tests/unit.h"
#include "tests/use_all.h"
#include "tests/use_cfi.h"
#include "tests/use_unwind.h"
#include "unwind/rows_libdw.h"
#include "unwind/unwind_arch.h"

#define MAX_FILE_SIZE (1 << 20)
#define MAX_POINTS 160
#define MAX_PLACES 128
#define STACK_WORDS 64
#define NR_STACKS 8
#define MAP_START 0x7f0000000000ull

struct place {
	size_t off, n;
};

/* A place in code. */
struct point {
	u64 vaddr, off;
};

/* One file that is damaged. */
struct victim {
	char *name; /* FORM/FILE, for messages */
	char *path;
	const struct elf_form *form; /* NULL: a file beside a recording */
	const char *recording;
	char *dir; /* for --symfs */
	u8 *p;
	size_t n;
	struct point points[MAX_POINTS]; /* of the form's object */
	size_t nr_points;
	struct place places[MAX_PLACES]; /* sections worth damaging */
	size_t nr_places;
};

/* In shared memory. */
struct progress_of_elfs {
	const char *stage;
	u64 names, lines, inlines, rows, frames; /* found */
	struct use_all use;
};

struct victims {
	struct victim *items;
	size_t nr, cap;
	struct progress_of_elfs *seen;
	char *dir;
};

/* --- what can be damaged ---------------------------------------------------------------------- */

static u8 *read_whole(const char *path, size_t *ret_n)
{
	FILE *f = fopen(path, "re");
	u8 *p;

	if (!f)
		return NULL;
	p = xmalloc(MAX_FILE_SIZE);
	*ret_n = fread(p, 1, MAX_FILE_SIZE, f);
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
	if (v->nr_places < MAX_PLACES && n && off < v->n && n <= v->n - off)
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
	for (u64 at = 0; at < size && v->nr_points < MAX_POINTS; at += step)
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
					   o->sections[i].size, total / MAX_POINTS + 1);
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
	if (!v.p || !v.n || v.n == MAX_FILE_SIZE) {
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

static void collect(struct victims *all)
{
	const struct elf_form *forms;

	all->dir = elf_forms_build(&forms);
	for (; forms->name; forms++)
		add_form(all, forms);
	add_recorded(all, "inline-7.2", "testdata/symfs/tmp/w/w_inline");
	add_recorded(all, "dwarf-7.2", "testdata/symfs/tmp/w/w_simple");
	add_recorded(all, "fp-7.2", "testdata/symfs/tmp/w/w_simple");
	add_recorded(all, "jitdump", "testdata/jitdump/jit-32312.dump");
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

static void write_file(const char *path, const u8 *p, size_t n)
{
	FILE *f = fopen(path, "we");

	CHECK(f);
	CHECK_EQ(fwrite(p, 1, n, f), n);
	CHECK_EQ(fclose(f), 0);
}

static u8 *make_mutant(const struct victim *v, u64 k, size_t *ret_n)
{
	u8 *p = xmalloc(v->n + 1);

	memcpy(p, v->p, v->n);
	*ret_n = v->n;
	damage(v, p, ret_n, k);
	return p;
}

/* --- names ------------------------------------------------------------------------------------ */

static struct dso *add_object(struct symbols *s, const struct elf_form *form)
{
	char *name = xasprintf("/%.*s", (int)strcspn(form->files, " "), form->files);
	struct dso_desc desc = { .kind = form->kind, .name = name };
	struct dso *d;

	if (form->kind == DSO_MODULE)
		desc.module_name = "[prog]";
	if (form->kind == DSO_KERNEL)
		desc.name = "[kernel.kallsyms]";
	if (form->kind != DSO_USER) {
		desc.map_start = 0xffffffff81000000;
		desc.map_end = 0xffffffff81400000;
	}
	d = symbols_add_dso(s, &desc);
	free(name);
	return d;
}

static void look_up(const struct victim *v, struct dso *d, struct progress_of_elfs *seen, u64 k)
{
	u64 start = v->form->kind == DSO_USER ? MAP_START : 0xffffffff81000000, ip;
	const struct inline_frame *frames;
	struct line_hit line;
	struct sym_hit sym;
	u8 code[16];
	bool is_64;
	size_t n;

	for (size_t i = 0; i < v->nr_points; i++) {
		/* of a kernel its own addresses, else as if it was mapped from its beginning */
		ip = v->form->kind == DSO_KERNEL ? v->points[i].vaddr : start + v->points[i].off;
		seen->names += dso_find(d, ip, start, 0, &sym);
		n = (k + i) & 1 ? dso_find_inlines(d, ip, start, 0, &frames)
				: dso_find_inlines_with_lines(d, ip, start, 0, &frames);
		for (size_t j = 0; j < n; j++)
			seen->inlines += frames[j].name[0] != 0;
		seen->lines += dso_find_line(d, ip, start, 0, &line);
		(void)dso_read_code(d, ip, start, 0, code, sizeof(code), &is_64);
	}
}

/* --- call frames ------------------------------------------------------------------------------ */

struct mapped {
	struct unwind_module *module;
	const struct object *o;
};

static bool find_mapped(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct mapped *m = space->maps;

	*ret = (struct unwind_place){ .start = 0, .end = UINT64_MAX };
	if (object_load_at(m->o, ip))
		ret->module = m->module;
	return ret->module || ip % 16 == 3;
}

/* A stack of return addresses, mostly. */
static void fill_job(const struct victim *v, struct unwind_job *job, u64 *stack, struct dice *d)
{
	const u64 sp = 0x70001000;
	size_t i;

	for (i = 0; i < STACK_WORDS; i++)
		switch (roll(d, 8)) {
		case 0: stack[i] = sp + roll(d, STACK_WORDS) * 8; break;
		case 1: stack[i] = roll(d, 16); break;
		default: stack[i] = v->points[roll(d, v->nr_points)].vaddr + roll(d, 8);
		}
	for (i = 0; i < UNWIND_MAX_REGS; i++)
		job->regs[i] =
			roll(d, 2) ? sp + roll(d, STACK_WORDS) * 8 : stack[roll(d, STACK_WORDS)];
	job->pc = v->points[roll(d, v->nr_points)].vaddr;
	job->regs[unwind_sp_reg(job->arch)] = sp;
	job->known = UINT32_MAX;
	job->bytes = span_of((const u8 *)stack, STACK_WORDS * sizeof(*stack));
}

static void walk_stacks(const struct victim *v, const struct mapped *m,
			struct progress_of_elfs *seen, u64 k)
{
	const struct unwinder_config cfg = { .find = find_mapped, .max_frames = 100 };
	struct unwind_frames f[USE_UNWIND_WAYS] = { 0 };
	enum unwind_arch arch = unwind_arch_of_machine(m->o->machine, m->o->is_64);
	struct unwind_job job = { .arch = arch, .space = { 1, m } };
	struct dice d = dice_of("stacks", k);
	struct unwinder *u = unwinder_new(&cfg);
	u64 stack[STACK_WORDS];

	for (int i = 0; arch < UNWIND_NR_ARCHS && i < NR_STACKS; i++) {
		fill_job(v, &job, stack, &d);
		use_unwind(u, &job, f);
		seen->frames += f[0].nr;
	}
	for (int i = 0; i < USE_UNWIND_WAYS; i++)
		unwind_frames_fini(&f[i]);
	unwinder_free(u);
}

static bool count_row(void *ctx, const struct cfi_row *row)
{
	*(u64 *)ctx += row->nr_regs;
	return true;
}

/* As --unwinder=libdw makes rows. */
static void ask_libdw(const struct cfi *c, const struct object *code, const struct object *debug,
		      u64 *rows)
{
	struct rows_libdw *r;
	struct cfi_fde fde;

	if (rows_libdw_open(code, debug, &r, NULL))
		return;
	for (u32 i = 0; i < cfi_nr_fdes(c) && i < 40; i++)
		if (cfi_get_fde(c, i, &fde))
			(void)!rows_libdw_rows(r, &fde, count_row, rows, NULL);
	rows_libdw_close(r);
}

static void use_frames(const struct victim *v, const struct object *code,
		       const struct object *debug, struct progress_of_elfs *seen, u64 k)
{
	struct mapped m = { .o = code };
	struct cfi *c = NULL;

	seen->stage = "running call frame information";
	if (!cfi_open(code, debug, &c, NULL)) {
		use_cfi_all(c, v->n + code->file.n);
		if (k % 4 == 0) {
			seen->stage = "asking libdw for rows";
			ask_libdw(c, code, debug, &seen->rows);
		}
	}
	cfi_close(c);
	seen->stage = "unwinding stacks";
	m.module = unwind_module_new(code, debug);
	if (v->nr_points)
		walk_stacks(v, &m, seen, k);
	unwind_module_free(m.module);
}

/* --- one mutant ------------------------------------------------------------------------------- */

static void use_form(const struct victim *v, struct progress_of_elfs *seen, u64 k)
{
	struct symbols_config cfg = {
		.symfs = v->dir,
		.buildid_dir = "testdata/no-such-folder",
		.hermetic = true,
		.format = k & 8 ? TEXT_PERF_6_1 : TEXT_PERF_7_2,
		.no_demangle = k & 16,
	};
	const struct object *code, *debug;
	char *vmlinux = NULL;
	struct symbols *s;
	struct diag diag;
	struct dso *d;

	diag_init(&diag);
	cfg.diag = &diag;
	if (v->form->kind == DSO_KERNEL)
		cfg.vmlinux = vmlinux = xasprintf("%s/%s", v->dir, v->form->files);
	seen->stage = "looking for names";
	s = symbols_new(&cfg);
	d = add_object(s, v->form);
	look_up(v, d, seen, k);
	if (v->form->kind == DSO_USER) {
		dso_find_files(d, &code, &debug);
		if (code)
			use_frames(v, code, debug, seen, k);
	}
	symbols_free(s);
	diag_fini(&diag);
	free(vmlinux);
}

static int open_recording(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	return pd_open(ctx, diag, ret, e);
}

static void use_recorded(const struct victim *v, struct progress_of_elfs *seen, u64 k)
{
	char *path = xasprintf("testdata/%s/perf.data", v->recording);

	seen->use = (struct use_all){
		.open = open_recording,
		.ctx = path,
		.path = path,
		.turn = k,
		.symfs = v->dir,
		.always_names = true,
	};
	seen->stage = "using a recording";
	use_all(&seen->use);
	free(path);
}

static const char *name_of_victim(void *ctx, size_t file)
{
	struct victims *all = ctx;

	return all->items[file].name;
}

static void use_file(struct victims *all, const struct victim *v, const u8 *p, size_t n, u64 k)
{
	write_file(v->path, p, n);
	if (v->form)
		use_form(v, all->seen, k);
	else
		use_recorded(v, all->seen, k);
	/* others of the form are damaged next to it */
	write_file(v->path, v->p, v->n);
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	struct victims *all = ctx;
	size_t n;
	u8 *p = make_mutant(&all->items[file], k, &n);

	use_file(all, &all->items[file], p, n, k);
	free(p);
}

static void use_undamaged(void *ctx, size_t file)
{
	struct victims *all = ctx;
	const struct victim *v = &all->items[file];

	for (u64 k = 0; k < 2; k++)
		use_file(all, v, v->p, v->n, k);
}

static void keep_mutant(void *ctx, size_t file, u64 k, FILE *to)
{
	struct victims *all = ctx;
	const struct victim *v = &all->items[file];
	size_t n;
	u8 *p = make_mutant(v, k, &n);

	fwrite(p, 1, n, to);
	free(p);
	write_file(v->path, v->p, v->n);
}

static void free_victims(void *ctx)
{
	struct victims *all = ctx;

	for (size_t i = 0; i < all->nr; i++) {
		free(all->items[i].name);
		free(all->items[i].path);
		free(all->items[i].dir);
		free(all->items[i].p);
	}
	free(all->items);
}

TEST(elf_mutants)
{
	struct victims all = { .seen = mutant_shared_memory(sizeof(*all.seen)) };
	struct mutant_files files = {
		.name = name_of_victim,
		.use = use_mutant,
		.stage = &all.seen->stage,
		.use_undamaged = use_undamaged,
		.keep = keep_mutant,
		.end = free_victims,
		.ctx = &all,
	};
	u64 done, k;

	all.seen->stage = "beginning";
	collect(&all);
	files.nr = all.nr;
	done = mutant_runs(&files, &k);
	printf("# %llu mutants of %zu files, to k = %llu; found %llu names, %llu lines, %llu "
	       "functions with what is inlined, %llu frames\n",
	       (unsigned long long)done, files.nr, (unsigned long long)k,
	       (unsigned long long)all.seen->names, (unsigned long long)all.seen->lines,
	       (unsigned long long)all.seen->inlines, (unsigned long long)all.seen->frames);
	elf_forms_remove(all.dir);
	free_victims(&all);
	munmap(all.seen, sizeof(*all.seen));
}
