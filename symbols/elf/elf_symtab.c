/* SPDX-License-Identifier: MIT */
#include "symbols/elf/elf_symtab.h"

#include <elf.h>
#include <string.h>

#include "symbols/elf/plt.h"

static const struct obj_section *typed_section(const struct object *o, const char *name, u32 type)
{
	const struct obj_section *s = object_section(o, name);

	return s && s->type == type ? s : NULL;
}

bool elf_has_symtab(const struct object *o)
{
	return typed_section(o, ".symtab", SHT_SYMTAB);
}

bool elf_is_runtime(const struct object *o)
{
	/*
	 * Debug files have both sections as NOBITS. .opd has the function descriptors of ppc64
	 * ELFv1.
	 */
	return typed_section(o, ".dynsym", SHT_DYNSYM) || typed_section(o, ".opd", SHT_PROGBITS);
}

bool elf_has_code(const struct object *o)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (o->sections[i].flags & SHF_EXECINSTR && object_bytes(o, &o->sections[i]).n)
			return true;
	for (size_t i = 0; !o->nr_sections && i < o->nr_loads; i++)
		if (o->loads[i].flags & PF_X && o->loads[i].filesz)
			return true;
	return false;
}

static void close_object(void *o)
{
	object_close(o);
}

void symtab_keep_object(struct symtab *t, struct object *o)
{
	symtab_keep(t, o, close_object);
}

/* What a section says about all symbols in it. */
struct section_use {
	bool counts;       /* the section takes memory at run time, so its symbols are used */
	bool labels_count; /* untyped symbols are used too: the section is text or data */
	u64 addr, off;     /* vaddr and file offset of the section in the runtime file */
};

struct load {
	struct object *src, *runtime;
	unsigned int flags;
	struct symtab *t;
	struct section_use *uses;
	const struct obj_load *last; /* segment of the previous symbol */
	struct span opd;             /* bytes of .opd in ppc64 ELFv1 files */
	const struct obj_section *opd_section;
};

static void learn_sections(struct load *l)
{
	const struct object *src = l->src, *run = l->runtime;

	l->uses = xcalloc(src->nr_sections, sizeof(*l->uses));
	for (size_t i = 1; i < src->nr_sections; i++) {
		const struct obj_section *s = &src->sections[i];
		struct section_use *u = &l->uses[i];

		if (!(s->flags & SHF_ALLOC))
			continue;
		/*
		 * In a debug file all these sections are NOBITS and have no file offsets of their
		 * own.
		 */
		if (s->type == SHT_NOBITS) {
			if (i >= run->nr_sections)
				continue;
			s = &run->sections[i];
		}
		u->counts = true;
		u->labels_count = strstr(s->name, "text") || strstr(s->name, "data");
		u->addr = s->addr;
		u->off = s->off;
	}
}

/*
 * True for symbols that mark code and data (mapping symbols). Files of other machines have none, so
 * their names are not read, which may need the disk.
 */
static bool is_mapping_symbol(u16 machine, const char *name)
{
	switch (machine) {
	case EM_ARM:
	case EM_AARCH64:
		return name[0] == '$' && name[1] && strchr("adtx", name[1]) &&
		       (!name[2] || name[2] == '.');
	case EM_RISCV: return name[0] == '$' && (name[1] == 'd' || name[1] == 'x');
	}
	return false;
}

static bool is_kernel_local(const char *name)
{
	return (name[0] == '.' && name[1] == 'L') || (name[0] == 'L' && name[1] == '0');
}

static u64 to_file_off(struct load *l, const struct section_use *u, u64 vaddr)
{
	const struct obj_load *p = l->last;

	if (l->flags & ELF_SYMBOLS_KERNEL)
		return vaddr;
	if (l->flags & ELF_SYMBOLS_MODULE)
		return vaddr - u->addr + u->off;
	if (!p || vaddr < p->vaddr || vaddr - p->vaddr >= p->filesz)
		p = l->last = object_load_at(l->runtime, vaddr);
	if (p)
		return obj_load_off(p, vaddr);
	return vaddr - u->addr + u->off;
}

/*
 * Replaces the address of a function descriptor in .opd by the function's address. Returns false if
 * the file lacks the descriptor.
 */
static bool through_opd(struct load *l, struct elf_sym *s)
{
	u64 at = s->value - l->opd_section->addr;

	if (at > l->opd.n || l->opd.n - at < 8)
		return false;
	s->value = get_u64(l->opd.p + at, l->runtime->swap);
	s->section = 0;
	for (size_t i = 1; i < l->runtime->nr_sections; i++) {
		const struct obj_section *sec = &l->runtime->sections[i];

		if ((sec->flags & SHF_ALLOC) && s->value >= sec->addr &&
		    s->value - sec->addr < sec->size) {
			s->section = (u16)i;
			break;
		}
	}
	return s->section && s->section < l->src->nr_sections;
}

static u8 binding_of(const struct elf_sym *s)
{
	switch (s->info >> 4) {
	case STB_GLOBAL: return SYM_GLOBAL;
	case STB_WEAK: return SYM_WEAK;
	case STB_LOCAL: return SYM_LOCAL;
	}
	return SYM_OTHER;
}

static void add_symbol(struct load *l, const struct elf_syms *syms, struct elf_sym s)
{
	u8 type = s.info & 0xf, visibility = s.other & 3;
	bool is_label = type == STT_NOTYPE;
	const struct section_use *u;
	const char *name;
	struct sym *sym;

	if (!s.name || s.name >= syms->strings.n || s.section == SHN_UNDEF)
		return;
	if (is_label && (visibility == STV_HIDDEN || visibility == STV_INTERNAL))
		return;
	if (!is_label && type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_OBJECT)
		return;
	name = (const char *)syms->strings.p + s.name;
	if (is_mapping_symbol(l->src->machine, name))
		return;
	if ((l->flags & (ELF_SYMBOLS_KERNEL | ELF_SYMBOLS_MODULE)) && is_kernel_local(name))
		return;
	if (l->opd.n && s.section < l->src->nr_sections &&
	    &l->runtime->sections[s.section] == l->opd_section && !through_opd(l, &s))
		return;
	/* Numbers above the last section are SHN_ABS and other reserved numbers. */
	if (s.section >= l->src->nr_sections)
		return;
	u = &l->uses[s.section];
	if (!u->counts || (is_label && !u->labels_count))
		return;
	if (l->src->machine == EM_ARM && type == STT_FUNC)
		s.value &= ~1ull; /* bit 0 marks Thumb code */
	sym = symtab_add_borrowed(l->t, to_file_off(l, u, s.value), s.size, name, binding_of(&s),
				  is_label);
	sym->is_ifunc = type == STT_GNU_IFUNC;
	sym->is_object = type == STT_OBJECT;
}

static void add_symbols(struct load *l, const struct obj_section *section)
{
	struct elf_syms syms = elf_syms_of(l->src, section);

	symtab_reserve(l->t, syms.nr);
	for (size_t i = 0; i < syms.nr; i++)
		add_symbol(l, &syms, elf_syms_get(&syms, i));
}

int elf_load_symbols(struct object *symbols_src, struct object *runtime, unsigned int flags,
		     struct symtab *t, struct perr *e)
{
	struct load l = { .src = symbols_src, .runtime = runtime, .flags = flags, .t = t };
	const struct obj_section *symtab = typed_section(symbols_src, ".symtab", SHT_SYMTAB);
	const struct obj_section *dynsym = typed_section(symbols_src, ".dynsym", SHT_DYNSYM);

	if (!symtab && !dynsym)
		return perr_set(e, PERR_NOTFOUND, "%s: it has no symbol table", symbols_src->path);
	learn_sections(&l);
	l.opd_section = typed_section(runtime, ".opd", SHT_PROGBITS);
	l.opd = object_bytes(runtime, l.opd_section);
	t->by_readable = flags & ELF_SYMBOLS_DEMANGLED;
	/*
	 * The table is finished after each section, as perf does: symbols of .symtab without a size
	 * get their ends before those of .dynsym come.
	 */
	if (symtab) {
		add_symbols(&l, symtab);
		symtab_finish(t, false);
	}
	if (dynsym) {
		add_symbols(&l, dynsym);
		symtab_finish(t, false);
	}
	free(l.uses);
	if (!t->nr)
		return perr_set(e, PERR_NOTFOUND, "%s: its symbol table has no usable symbols",
				symbols_src->path);
	if (!(flags & (ELF_SYMBOLS_KERNEL | ELF_SYMBOLS_MODULE)))
		plt_add_symbols(runtime, t);
	return 0;
}
