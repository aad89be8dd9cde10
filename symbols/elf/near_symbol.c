/* SPDX-License-Identifier: MIT */
#include "symbols/elf/near_symbol.h"

#include <elf.h>
#include <string.h>

#include "symbols/elf/elf_syms.h"

static const struct obj_section *table_of(const struct object *o)
{
	const struct obj_section *s = object_section(o, ".symtab");

	if (!s || s->type != SHT_SYMTAB)
		s = object_section(o, ".dynsym");
	return s;
}

static const char *name_of(const struct elf_syms *t, const struct elf_sym *sym)
{
	return object_string(t->strings, sym->name);
}

/*
 * Returns how well a symbol suits to be shown for its address: functions come first, then global
 * symbols.
 */
static int rank_of(const struct elf_sym *sym)
{
	unsigned int type = sym->info & 15, bind = sym->info >> 4;

	return (type == STT_FUNC || type == STT_GNU_IFUNC ? 8
		: type == STT_OBJECT                      ? 4
							  : 0) +
	       (bind == STB_GLOBAL ? 2
		: bind == STB_WEAK ? 1
				   : 0);
}

static bool is_place(const struct elf_sym *sym)
{
	unsigned int type = sym->info & 15;

	return sym->section != SHN_UNDEF && type != STT_SECTION && type != STT_FILE &&
	       type != STT_TLS && sym->section != SHN_ABS;
}

/* Returns the index of the first entry whose address is not below value. */
static size_t first_from(const struct near_symbol *s, size_t nr, u64 value)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s[mid].addr < value)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/*
 * True if a symbol is a better answer than what s has. Of equally good symbols, the first by name
 * counts, as objdump sorts them.
 */
static bool is_nearer(const struct near_symbol *s, u64 value, int rank, const char *name)
{
	if (!s->name || value != s->value)
		return !s->name || value > s->value;
	return rank != s->rank ? rank > s->rank : strcmp(name, s->name) < 0;
}

void near_symbols_find(const struct object *o, struct near_symbol *s, size_t nr)
{
	const struct obj_section *section = table_of(o);
	struct elf_syms t;
	size_t i, at;

	if (!section || !nr)
		return;
	t = elf_syms_of(o, section);
	for (i = 0; i < t.nr; i++) {
		struct elf_sym sym = elf_syms_get(&t, i);
		u64 value = o->machine == EM_ARM ? sym.value & ~1ull : sym.value;
		const char *name;

		if (value > s[nr - 1].addr || !is_place(&sym))
			continue;
		at = first_from(s, nr, value);
		if (at == nr || (s[at].name && value < s[at].value))
			continue;
		name = name_of(&t, &sym);
		if (!name || !*name || *name == '$')
			continue; /* '$': assemblers for ARM mark code and data with such names */
		if (!is_nearer(&s[at], value, rank_of(&sym), name))
			continue;
		s[at].value = value;
		s[at].name = name;
		s[at].rank = rank_of(&sym);
	}
	/* an address without a symbol between it and the previous address gets the same symbol */
	for (i = 1; i < nr; i++)
		if (s[i - 1].name &&
		    is_nearer(&s[i], s[i - 1].value, s[i - 1].rank, s[i - 1].name)) {
			u64 addr = s[i].addr;

			s[i] = s[i - 1];
			s[i].addr = addr;
		}
}

/* True for relocations that put a symbol's own address into a slot. */
static bool fills_slot(u16 machine, u32 type)
{
	switch (machine) {
	case EM_X86_64: return type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT;
	case EM_386: return type == R_386_GLOB_DAT || type == R_386_JMP_SLOT;
	case EM_AARCH64: return type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT;
	case EM_ARM: return type == R_ARM_GLOB_DAT || type == R_ARM_JUMP_SLOT;
	default: return false;
	}
}

static void find_slots(const struct object *o, const struct obj_section *section,
		       struct near_symbol *s, size_t nr)
{
	struct elf_syms t = elf_syms_of(o, &o->sections[section->link]);
	bool addend = section->type == SHT_RELA;
	struct cursor c = cursor_of(object_bytes(o, section), o->swap);

	while (cur_left(&c)) {
		u64 off = o->is_64 ? cur_u64(&c) : cur_u32(&c);
		u64 info = o->is_64 ? cur_u64(&c) : cur_u32(&c);
		u64 sym = o->is_64 ? info >> 32 : info >> 8;
		struct elf_sym elf;
		const char *name;
		size_t at;

		cur_skip(&c, !addend ? 0 : o->is_64 ? 8 : 4);
		/* most relocations are of other types, or for addresses far away */
		if (!sym || sym >= t.nr || off < s[0].addr || off > s[nr - 1].addr || c.bad ||
		    !fills_slot(o->machine, o->is_64 ? (u32)info : (u32)(info & 0xff)))
			continue;
		at = first_from(s, nr, off);
		if (at == nr || s[at].addr != off)
			continue;
		elf = elf_syms_get(&t, (size_t)sym);
		name = name_of(&t, &elf);
		if (!name || !*name)
			continue;
		/* the caller may ask for an address more than once */
		for (; at < nr && s[at].addr == off; at++) {
			s[at].value = off;
			s[at].name = name;
			s[at].is_slot = true;
		}
	}
}

void near_symbols_find_slots(const struct object *o, struct near_symbol *s, size_t nr)
{
	for (size_t i = 0; nr && i < o->nr_sections; i++)
		if ((o->sections[i].type == SHT_RELA || o->sections[i].type == SHT_REL) &&
		    o->sections[i].flags & SHF_ALLOC && o->sections[i].link < o->nr_sections)
			find_slots(o, &o->sections[i], s, nr);
}

bool near_symbol_by_name(const struct object *o, const char *name, u64 *ret_value, u16 *ret_section)
{
	const struct obj_section *section = table_of(o);
	struct elf_syms t;

	if (!section)
		return false;
	t = elf_syms_of(o, section);
	for (size_t i = 0; i < t.nr; i++) {
		struct elf_sym sym = elf_syms_get(&t, i);
		const char *s = is_place(&sym) ? name_of(&t, &sym) : NULL;

		if (s && !strcmp(s, name)) {
			*ret_value = sym.value;
			*ret_section = sym.section;
			return true;
		}
	}
	return false;
}
