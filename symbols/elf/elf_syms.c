/* SPDX-License-Identifier: MIT */
#include "symbols/elf/elf_syms.h"

#include <elf.h>

struct elf_syms elf_syms_of(const struct object *o, const struct obj_section *s)
{
	struct elf_syms ret = { .is_64 = o->is_64, .swap = o->swap };

	if (!s || (s->type != SHT_SYMTAB && s->type != SHT_DYNSYM) || s->link >= o->nr_sections)
		return ret;
	/* The size of a symbol follows from the file's class, because sh_entsize may be damaged. */
	ret.entsize = o->is_64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
	ret.bytes = object_bytes(o, s);
	ret.strings = object_bytes(o, &o->sections[s->link]);
	/* A last string without its NUL is left out, so that every offset in range is a string. */
	while (ret.strings.n && ret.strings.p[ret.strings.n - 1])
		ret.strings.n--;
	ret.nr = ret.bytes.n / ret.entsize;
	return ret;
}

struct elf_sym elf_syms_get(const struct elf_syms *s, size_t i)
{
	const u8 *p = s->bytes.p + i * s->entsize;

	if (s->is_64)
		return (struct elf_sym){ .name = get_u32(p, s->swap),
					 .info = p[4],
					 .other = p[5],
					 .section = get_u16(p + 6, s->swap),
					 .value = get_u64(p + 8, s->swap),
					 .size = get_u64(p + 16, s->swap) };
	return (struct elf_sym){ .name = get_u32(p, s->swap),
				 .value = get_u32(p + 4, s->swap),
				 .size = get_u32(p + 8, s->swap),
				 .info = p[12],
				 .other = p[13],
				 .section = get_u16(p + 14, s->swap) };
}
