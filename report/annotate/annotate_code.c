/* SPDX-License-Identifier: MIT */
#include "report/annotate/annotate_code.h"

#include <elf.h>
#include <stdio.h>

#include "machine/mapset.h"
#include "symbols/elf/near_symbol.h"
#include "symbols/elf/object.h"
#include "symbols/kernel/kernel_code.h"
#include "symbols/symbols.h"
#include "symbols/table/demangle.h"

/* Longest function in bytes; its lines take about 60 times as much memory. */
#define FUNC_MAX ((u64)4 << 20)

static bool machine_arch(u16 machine, enum disasm_arch *ret)
{
	switch (machine) {
	case EM_X86_64: *ret = DISASM_X86_64; return true;
	case EM_386: *ret = DISASM_I386; return true;
	case EM_AARCH64: *ret = DISASM_ARM64; return true;
	case EM_ARM: *ret = DISASM_ARM; return true;
	default: return false;
	}
}

static u16 arch_machine(const char *arch, bool is_64)
{
	if (!strcmp(arch, "x86_64") || !strcmp(arch, "x86"))
		return is_64 ? EM_X86_64 : EM_386;
	if (arch[0] == 'i' && !strcmp(arch + 2, "86"))
		return EM_386;
	if (!strcmp(arch, "aarch64") || !strcmp(arch, "arm64"))
		return is_64 ? EM_AARCH64 : EM_ARM;
	return !strncmp(arch, "arm", 3) ? EM_ARM : EM_NONE;
}

static u64 start_ip(const struct annot_func *f)
{
	return f->nr_hits ? f->ip - (f->hits[0].addr - f->start) : f->ip;
}

/* --- bytes -------------------------------------------------------------------------------------
 */

static int missing(const struct annot_func *f, struct perr *e)
{
	const struct dso_desc *desc = dso_get_desc(f->map->dso);

	switch (dso_get_status(f->map->dso)) {
	case DSO_BUILD_ID_DIFFERS:
		return perr_set(e, PERR_NOTFOUND, "%s is of another build than the one recorded",
				desc->name);
	case DSO_NO_FILE:
		return perr_set(e, PERR_NOTFOUND, "%s is not a file with code", desc->name);
	default: break;
	}
	if (desc->kind == DSO_JIT)
		return perr_set(e, PERR_NOTFOUND,
				"%s has names only: code of a JIT needs its jitdump", desc->name);
	return perr_set(e, PERR_NOTFOUND, "the code of %s was not found", desc->name);
}

static void name_machine(struct annot_code *c, const struct annot_code_config *cfg, bool is_64,
			 u16 *ret_machine)
{
	const struct dso_desc *desc = dso_get_desc(c->func->map->dso);
	const struct object *code = NULL, *debug = NULL;

	*ret_machine = arch_machine(cfg->arch, is_64);
	if (desc->kind == DSO_JIT)
		return;
	dso_find_files(c->func->map->dso, &code, &debug);
	if (!code)
		return;
	c->file = code;
	c->big_endian = code->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	*ret_machine = code->machine;
}

static int read_user(struct annot_code *c, const struct annot_code_config *cfg, u16 *ret_machine,
		     struct perr *e)
{
	const struct annot_func *f = c->func;
	bool is_64 = true;
	struct line_hit line;

	c->ip = f->map->identity || f->map->timed ? f->start
						  : f->map->start + (f->start - f->map->pgoff);
	c->nr_bytes = dso_read_code(f->map->dso, c->ip, f->map->start, f->map->pgoff, c->bytes,
				    (size_t)(f->end - f->start), &is_64);
	if (!c->nr_bytes)
		return missing(f, e);
	c->vaddr = c->ip;
	if (dso_get_desc(f->map->dso)->kind == DSO_USER && !f->map->timed) {
		(void)dso_find_line(f->map->dso, c->ip, f->map->start, f->map->pgoff, &line);
		c->vaddr = line.vaddr ? line.vaddr : f->start;
	} else if (!f->map->timed) {
		c->vaddr = f->start;
	}
	name_machine(c, cfg, is_64, ret_machine);
	return 0;
}

static bool is_kernel(const struct annot_func *f)
{
	enum dso_kind kind = dso_get_desc(f->map->dso)->kind;

	return kind == DSO_KERNEL || kind == DSO_MODULE || kind == DSO_BPF;
}

static int no_kernel(const struct annot_func *f, const struct perr *why, struct perr *e)
{
	const struct dso_desc *desc = dso_get_desc(f->map->dso);
	char id[2 * sizeof(desc->build_id) + 1] = "";

	if (desc->kind == DSO_BPF)
		return perr_set(e, PERR_NOTFOUND, "code of BPF programs is not in the recording");
	for (unsigned int i = 0; i < desc->build_id_size && i < sizeof(desc->build_id); i++)
		snprintf(id + 2 * i, 3, "%02x", desc->build_id[i]);
	return perr_set(e, PERR_NOTFOUND, "no vmlinux%s%s was found (-k FILE names one), and %s",
			*id ? " with build-id " : "", id, why->text);
}

static int read_kernel(struct annot_code *c, const struct annot_code_config *cfg, u16 *ret_machine,
		       struct perr *e)
{
	const struct annot_func *f = c->func;
	const char *path = dso_get_symbols_path(f->map->dso);
	size_t n = (size_t)(f->end - f->start);
	struct kernel_code got = { 0 };
	struct perr why;
	bool found;

	c->ip = start_ip(f);
	perr_set(&why, PERR_NOTFOUND, "no file of this host may be used");
	found = path && dso_get_origin(f->map->dso) != 'k' &&
		!kernel_code_of_file(path, f->name, c->bytes, n, &got, &why);
	if (!found && !cfg->symbols->hermetic)
		found = !kernel_code_of_host(dso_get_desc(f->map->dso), c->ip, c->bytes, n, &got,
					     &why);
	if (!found)
		return no_kernel(f, &why, e);
	c->nr_bytes = got.n;
	c->vaddr = got.vaddr;
	if (*got.section)
		c->object = arena_strdup(&c->strings, path);
	c->section = *got.section ? arena_strdup(&c->strings, got.section) : NULL;
	*ret_machine = got.machine;
	return 0;
}

/* --- instructions ------------------------------------------------------------------------------
 */

static void name_section(struct annot_code *c)
{
	for (size_t i = 0; c->file && i < c->file->nr_sections; i++) {
		const struct obj_section *s = &c->file->sections[i];

		if (s->flags & SHF_EXECINSTR && c->vaddr >= s->addr && c->vaddr - s->addr < s->size)
			c->section = s->name;
	}
}

static void disassemble(struct annot_code *c, struct disasm_code *d)
{
	size_t cap = 0, off = 0;

	while (off < c->nr_bytes) {
		struct annot_insn in = { .vaddr = c->vaddr + off, .text = (u32)c->text.len };

		disasm_code_next(d, &c->text, c->bytes + off, c->nr_bytes - off, in.vaddr, &in.is);
		in.len = in.is.len;
		in.text_len = (u32)c->text.len - in.text;
		in.target_inside = in.is.kind && in.is.target >= c->vaddr &&
				   in.is.target - c->vaddr < c->func->end - c->func->start;
		vec_push(c->insns, c->nr, cap, in);
		off += in.len;
	}
}

static int compare_near(const void *pa, const void *pb)
{
	const struct near_symbol *a = pa, *b = pb;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* Converts an address of the function's file to a run-time address. */
static u64 vaddr_to_ip(const struct annot_code *c, u64 vaddr)
{
	return c->ip + (vaddr - c->vaddr);
}

static const char *readable(struct annot_code *c, const struct annot_code_config *cfg,
			    const char *name)
{
	const struct name_style style = { !cfg->symbols->no_demangle, cfg->symbols->format,
					  cfg->symbols->name_form };
	char *s = name_style_apply(&style, name);
	const char *copy = s ? arena_strdup(&c->strings, s) : name;

	free(s);
	return copy;
}

static bool is_in_function(const struct annot_code *c, u64 vaddr)
{
	return vaddr >= c->vaddr && vaddr - c->vaddr < c->func->end - c->func->start;
}

/* True if dso_find() can look up the address: data may have another offset in the file than code.
 */
static bool is_code(const struct annot_code *c, u64 vaddr)
{
	for (size_t i = 0; c->file && i < c->file->nr_sections; i++) {
		const struct obj_section *s = &c->file->sections[i];

		if (s->flags & SHF_EXECINSTR && vaddr >= s->addr && vaddr - s->addr < s->size)
			return true;
	}
	return !c->file;
}

/*
 * Finds the symbol that contains an address (a PLT slot counts), chosen among aliases as objdump
 * does, or the nearest symbol before it.
 */
static void name_target(struct annot_code *c, const struct annot_code_config *cfg,
			struct annot_insn *in, const struct near_symbol *near)
{
	const struct annot_func *f = c->func;
	u64 vaddr = in->is.target, start = 0;
	struct sym_hit hit;
	bool found;

	if (is_in_function(c, vaddr)) {
		in->target = c->label;
		in->target_off = vaddr - c->vaddr;
		return;
	}
	found = is_code(c, vaddr) &&
		dso_find(f->map->dso, vaddr_to_ip(c, vaddr), f->map->start, f->map->pgoff, &hit);
	if (found)
		start = vaddr - (hit.addr - hit.start);
	if (near && near->name && (!found || near->value >= start)) {
		in->target = readable(c, cfg, near->name);
		in->target_off = vaddr - near->value;
		in->target_is_slot = near->is_slot;
	} else if (found) {
		in->target = hit.name;
		in->target_off = vaddr - start;
	}
}

/* Finds the names of all targets, and of the function itself. */
static void name_places(struct annot_code *c, const struct annot_code_config *cfg)
{
	struct near_symbol *near = xcalloc(c->nr + 1, sizeof(*near)), key, *hit;
	const struct object *debug = NULL, *code = NULL;
	size_t nr = 0, i;

	near[nr++] = (struct near_symbol){ .addr = c->vaddr };
	for (i = 0; i < c->nr; i++)
		if (c->insns[i].is.kind && !c->insns[i].target_inside)
			near[nr++] = (struct near_symbol){ .addr = c->insns[i].is.target };
	qsort(near, nr, sizeof(*near), compare_near);
	if (c->file) {
		dso_find_files(c->func->map->dso, &code, &debug);
		near_symbols_find(c->file, near, nr);
		if (debug && debug != c->file)
			near_symbols_find(debug, near, nr);
		near_symbols_find_slots(c->file, near, nr);
	}
	key.addr = c->vaddr;
	hit = bsearch(&key, near, nr, sizeof(*near), compare_near);
	c->label = hit && hit->name && hit->value == c->vaddr ? readable(c, cfg, hit->name)
							      : c->func->name;
	for (i = 0; i < c->nr; i++) {
		if (!c->insns[i].is.kind)
			continue;
		key.addr = c->insns[i].is.target;
		hit = bsearch(&key, near, nr, sizeof(*near), compare_near);
		name_target(c, cfg, &c->insns[i], hit);
	}
	free(near);
}

/* True for Thumb code: the symbol's address is odd. */
static bool is_thumb(const struct annot_code *c)
{
	const struct object *code, *debug, *files[2];
	u64 value;
	u16 section;

	if (!c->file)
		return false;
	dso_find_files(c->func->map->dso, &code, &debug);
	files[0] = code;
	files[1] = debug;
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (files[i] && near_symbol_by_name(files[i], c->func->name, &value, &section) &&
		    (value & ~1ull) == c->vaddr)
			return value & 1;
	return false;
}

int annot_code_read(struct annot_code *c, const struct annot_func *f,
		    const struct annot_code_config *cfg, struct perr *e)
{
	enum disasm_arch arch;
	struct disasm_code *d;
	u16 machine = EM_NONE;
	int err;

	*c = (struct annot_code){ .func = f, .object = f->map->dso_name };
	out_init_mem(&c->text);
	if (!disasm_is_available())
		return perr_set(e, PERR_UNSUPPORTED,
				"this build has no disassembler (libcapstone)");
	if (f->end <= f->start || f->end - f->start > FUNC_MAX)
		return perr_set(e, PERR_LIMIT, "its %llu bytes are too many for a function",
				(unsigned long long)(f->end - f->start));
	c->bytes = xcalloc(1, (size_t)(f->end - f->start));
	err = is_kernel(f) ? read_kernel(c, cfg, &machine, e) : read_user(c, cfg, &machine, e);
	if (err)
		return err;
	if (!machine_arch(machine, &arch) || c->big_endian)
		return perr_set(e, PERR_UNSUPPORTED,
				"code of this machine (ELF number %u) is not known", machine);
	if (arch == DISASM_ARM && is_thumb(c))
		arch = DISASM_THUMB;
	d = disasm_code_new(arch, cfg->intel);
	if (!d)
		return perr_set(e, PERR_UNSUPPORTED, "libcapstone refuses this machine");
	disassemble(c, d);
	disasm_code_free(d);
	name_section(c);
	name_places(c, cfg);
	return 0;
}

void annot_code_fini(struct annot_code *c)
{
	free(c->bytes);
	free(c->insns);
	out_fini(&c->text);
	arena_fini(&c->strings);
}
