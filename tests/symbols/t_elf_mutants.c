/* SPDX-License-Identifier: MIT */
/*
 * Damaged files that names, source lines, inlined functions and call frame information come from:
 * small programs in many forms (elf_forms.h), and the files beside some recordings. With each all
 * that is looked up in such a file: no crash, no hang, no memory out of proportion. Mutant k of a
 * file is always the same, as far as compilers give the same file. Environment: see mutant_runs.h.
 */
#include "tests/frame/elf_victims.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "tests/frame/mutant_runs.h"
#include "tests/frame/mutate.h"
#include "tests/frame/unit.h"
#include "tests/frame/use_all.h"
#include "tests/frame/use_cfi.h"
#include "tests/frame/use_unwind.h"
#include "unwind/cfi/rows_libdw.h"
#include "unwind/unwind_arch.h"

#define STACK_WORDS 64
#define NR_STACKS 8
#define MAP_START 0x7f0000000000ull

/* In shared memory. */
struct progress_of_elfs {
	const char *stage;
	u64 names, lines, types, inlines, rows, frames; /* found */
	struct use_all use;
};

struct work {
	struct victims victims;
	struct progress_of_elfs *seen;
};

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
	struct data_place place;
	struct out text;
	struct line_hit line;
	struct sym_hit sym;
	u8 code[16];
	bool is_64;
	size_t n;

	out_init_mem(&text);
	for (size_t i = 0; i < v->nr_points; i++) {
		/* of a kernel its own addresses, else as if it was mapped from its beginning */
		ip = v->form->kind == DSO_KERNEL ? v->points[i].vaddr : start + v->points[i].off;
		seen->names += dso_find(d, ip, start, 0, &sym);
		n = (k + i) & 1 ? dso_find_inlines(d, ip, start, 0, &frames)
				: dso_find_inlines_with_lines(d, ip, start, 0, &frames);
		for (size_t j = 0; j < n; j++)
			seen->inlines += frames[j].name[0] != 0;
		seen->lines += dso_find_line(d, ip, start, 0, &line);
		place = (struct data_place){ (int)(i % 18) - 1, (s64)(k * 8) };
		seen->types += dso_find_data_type(d, ip, start, 0, &place, &text);
		text.len = 0;
		(void)dso_read_code(d, ip, start, 0, code, sizeof(code), &is_64);
	}
	out_fini(&text);
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
	struct work *w = ctx;

	return w->victims.items[file].name;
}

static void use_file(struct work *w, size_t file, const u8 *p, size_t n, u64 k)
{
	const struct victim *v = &w->victims.items[file];

	victim_write(v, p, n);
	if (v->form)
		use_form(v, w->seen, k);
	else
		use_recorded(v, w->seen, k);
	/* others of the form are damaged next to it */
	victim_write(v, v->p, v->n);
}

static void use_mutant(void *ctx, size_t file, u64 k)
{
	struct work *w = ctx;
	size_t n;
	u8 *p = victim_mutant(&w->victims.items[file], k, &n);

	use_file(w, file, p, n, k);
	free(p);
}

static void use_undamaged(void *ctx, size_t file)
{
	struct work *w = ctx;
	const struct victim *v = &w->victims.items[file];

	for (u64 k = 0; k < 2; k++)
		use_file(w, file, v->p, v->n, k);
}

static void put_back(void *ctx, size_t file, u64 k, FILE *to)
{
	struct work *w = ctx;
	const struct victim *v = &w->victims.items[file];
	size_t n;
	u8 *p = victim_mutant(v, k, &n);

	if (to)
		fwrite(p, 1, n, to);
	free(p);
	victim_write(v, v->p, v->n);
}

static void end_work(void *ctx)
{
	struct work *w = ctx;

	victims_fini(&w->victims);
}

TEST(elf_mutants)
{
	struct work w = { .seen = mutant_shared_memory(sizeof(*w.seen)) };
	struct mutant_files files = {
		.name = name_of_victim,
		.use = use_mutant,
		.stage = &w.seen->stage,
		.use_undamaged = use_undamaged,
		.died = put_back,
		.end = end_work,
		.ctx = &w,
	};
	struct mutant_result r;

	w.seen->stage = "beginning";
	victims_init(&w.victims);
	files.nr = w.victims.nr;
	r = mutant_runs(&files);
	printf("# %llu mutants of %zu files, to k = %llu; found %llu names, %llu lines, %llu "
	       "functions with what is inlined, %llu frames\n",
	       (unsigned long long)r.done, files.nr, (unsigned long long)r.k,
	       (unsigned long long)w.seen->names, (unsigned long long)w.seen->lines,
	       (unsigned long long)w.seen->inlines, (unsigned long long)w.seen->frames);
	victims_remove_files(&w.victims);
	end_work(&w);
	munmap(w.seen, sizeof(*w.seen));
	mutant_check(&r);
}
