/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/source_name.h"

#include <elf.h>

#include "base/mem.h"
#include "symbols/elf/elf_syms.h"

/* The deepest nesting of functions at one address that is searched; hand-written code has some. */
#define MAX_NESTED 64
#define UNKNOWN "??"

struct function {
	u64 start, end;
	const char *file;
	u32 section;
	u32 order; /* in the symbol table */
};

struct source_names {
	const struct object *o;
	struct function *functions;
	size_t nr, cap;
};

static int by_start(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	/*
	 * reversed, because searches go backwards and must meet the first in the symbol table first
	 */
	return (x->order < y->order) - (x->order > y->order);
}

static bool is_function(const struct object *o, const struct elf_sym *sym)
{
	u8 type = sym->info & 15;

	if (!sym->section || sym->section >= o->nr_sections)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
}

struct source_names *source_names_new(const struct object *o)
{
	struct elf_syms syms = elf_syms_of(o, object_section(o, ".symtab"));
	struct source_names *s = xcalloc(1, sizeof(*s));
	bool saw_symbol = false, files_later = false, is_local;
	const char *file = UNKNOWN;
	size_t i;

	s->o = o;
	for (i = 1; i < syms.nr && i < UINT32_MAX; i++) {
		struct elf_sym sym = elf_syms_get(&syms, i);

		if ((sym.info & 15) == STT_FILE) {
			file = object_string(syms.strings, sym.name);
			if (!file)
				file = UNKNOWN;
			files_later |= saw_symbol;
			continue;
		}
		saw_symbol = true;
		if (!is_function(o, &sym))
			continue;
		/*
		 * a global function's file is known only if the table has all file names, usually
		 * one, before its other symbols
		 */
		is_local = sym.info >> 4 == STB_LOCAL;
		vec_push(s->functions, s->nr, s->cap,
			 ((struct function){ .start = sym.value,
					     .end = sym.value + (sym.size ? sym.size : 1),
					     .file = is_local || !files_later ? file : UNKNOWN,
					     .section = sym.section,
					     .order = (u32)i }));
	}
	if (s->nr)
		qsort(s->functions, s->nr, sizeof(*s->functions), by_start);
	return s;
}

void source_names_free(struct source_names *s)
{
	if (!s)
		return;
	free(s->functions);
	free(s);
}

static bool is_in_section(const struct object *o, u32 section, u64 vaddr)
{
	const struct obj_section *s = &o->sections[section];

	return vaddr >= s->addr && vaddr - s->addr < s->size;
}

bool source_names_find(const struct source_names *s, u64 vaddr, const char **ret_file)
{
	const struct function *found = NULL, *f;
	size_t lo = 0, hi = s->nr, mid;
	unsigned int tried;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (s->functions[mid].start <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (tried = 0; lo-- && tried < MAX_NESTED; tried++) {
		f = &s->functions[lo];
		if (!is_in_section(s->o, f->section, vaddr))
			continue;
		if (!found || f->end > vaddr)
			found = f;
		if (f->end > vaddr)
			break;
	}
	if (found)
		*ret_file = found->file;
	return found;
}
