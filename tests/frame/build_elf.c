/* SPDX-License-Identifier: MIT */
#include "tests/frame/build_elf.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"

#define MAX_PARTS 64
#define MAX_LOADS 8

struct buf {
	u8 *p;
	size_t n, cap;
};

struct mkelf {
	bool is_64, big;
	u16 type, machine;
	struct buf file, names, syms, strings, relocs;
	struct mkelf_part parts[MAX_PARTS];
	u32 part_names[MAX_PARTS];
	u16 nr_parts;
	struct {
		u64 vaddr, off, size;
	} loads[MAX_LOADS];
	u16 nr_loads;
	u32 nr_syms;
};

static void put_bytes(struct buf *b, const void *p, size_t n)
{
	vec_reserve(b->p, b->cap, b->n + n);
	if (p)
		memcpy(b->p + b->n, p, n);
	else
		memset(b->p + b->n, 0, n);
	b->n += n;
}

static void put_int(const struct mkelf *e, struct buf *b, u64 v, size_t size)
{
	u8 bytes[8];

	for (size_t i = 0; i < size; i++)
		bytes[e->big ? size - 1 - i : i] = (u8)(v >> (8 * i));
	put_bytes(b, bytes, size);
}

static void put_addr(const struct mkelf *e, struct buf *b, u64 v)
{
	put_int(e, b, v, e->is_64 ? 8 : 4);
}

static u32 put_string(struct buf *b, const char *s)
{
	u32 at = (u32)b->n;

	put_bytes(b, s, strlen(s) + 1);
	return at;
}

static void pad_to(struct buf *b, size_t n)
{
	if (b->n < n)
		put_bytes(b, NULL, n - b->n);
}

static size_t head_size(const struct mkelf *e)
{
	return e->is_64 ? 64 + MAX_LOADS * 56 : 52 + MAX_LOADS * 32;
}

static void start_symbols(struct mkelf *e)
{
	e->syms.n = e->strings.n = 0;
	e->nr_syms = 0;
	put_string(&e->strings, "");
	mkelf_symbol(e, NULL, 0, 0, 0, 0, 0);
}

struct mkelf *mkelf_new(bool is_64, bool big_endian, u16 type, u16 machine)
{
	struct mkelf *e = xcalloc(1, sizeof(*e));

	e->is_64 = is_64;
	e->big = big_endian;
	e->type = type;
	e->machine = machine;
	put_bytes(&e->file, NULL, head_size(e));
	put_string(&e->names, "");
	e->nr_parts = 1;
	start_symbols(e);
	return e;
}

void mkelf_load(struct mkelf *e, u64 vaddr, u64 off, u64 size)
{
	e->loads[e->nr_loads].vaddr = vaddr;
	e->loads[e->nr_loads].off = off;
	e->loads[e->nr_loads++].size = size;
}

u16 mkelf_section(struct mkelf *e, const struct mkelf_part *part)
{
	struct mkelf_part *p = &e->parts[e->nr_parts];

	*p = *part;
	e->part_names[e->nr_parts] = put_string(&e->names, part->name);
	if (p->type != SHT_NOBITS) {
		pad_to(&e->file, p->off ? p->off : (e->file.n + 15) & ~(size_t)15);
		p->off = e->file.n;
		put_bytes(&e->file, part->bytes, part->size);
	}
	return e->nr_parts++;
}

u32 mkelf_symbol_other(struct mkelf *e, const char *name, u64 value, u64 size, u8 type, u8 binding,
		       u8 other, u16 section)
{
	struct buf *b = &e->syms;
	u32 name_at = name ? put_string(&e->strings, name) : 0;

	put_int(e, b, name_at, 4);
	if (e->is_64) {
		put_int(e, b, (u64)binding << 4 | type, 1);
		put_int(e, b, other, 1);
		put_int(e, b, section, 2);
		put_int(e, b, value, 8);
		put_int(e, b, size, 8);
	} else {
		put_int(e, b, value, 4);
		put_int(e, b, size, 4);
		put_int(e, b, (u64)binding << 4 | type, 1);
		put_int(e, b, other, 1);
		put_int(e, b, section, 2);
	}
	return e->nr_syms++;
}

u32 mkelf_symbol(struct mkelf *e, const char *name, u64 value, u64 size, u8 type, u8 binding,
		 u16 section)
{
	return mkelf_symbol_other(e, name, value, size, type, binding, 0, section);
}

u16 mkelf_end_symbols(struct mkelf *e, const char *name, u32 type)
{
	u16 strings = mkelf_section(e, &(struct mkelf_part){ .name = ".strtab",
							     .type = SHT_STRTAB,
							     .bytes = e->strings.p,
							     .size = e->strings.n });
	u16 ret = mkelf_section(e, &(struct mkelf_part){ .name = name,
							 .type = type,
							 .link = strings,
							 .bytes = e->syms.p,
							 .size = e->syms.n,
							 .entsize = e->is_64 ? 24 : 16 });

	start_symbols(e);
	return ret;
}

void mkelf_reloc(struct mkelf *e, u64 offset, u32 symbol, s64 addend)
{
	put_addr(e, &e->relocs, offset);
	put_addr(e, &e->relocs, e->is_64 ? (u64)symbol << 32 | 7 : (u64)symbol << 8 | 7);
	put_addr(e, &e->relocs, (u64)addend);
}

u16 mkelf_end_relocs(struct mkelf *e, const char *name, u16 symbols)
{
	u16 ret = mkelf_section(e, &(struct mkelf_part){ .name = name,
							 .type = SHT_RELA,
							 .link = symbols,
							 .bytes = e->relocs.p,
							 .size = e->relocs.n,
							 .entsize = e->is_64 ? 24 : 12 });

	e->relocs.n = 0;
	return ret;
}

void mkelf_build_id(struct mkelf *e, const u8 *id, u32 n)
{
	struct buf note = { 0 };

	put_int(e, &note, 4, 4);
	put_int(e, &note, n, 4);
	put_int(e, &note, NT_GNU_BUILD_ID, 4);
	put_bytes(&note, "GNU", 4);
	put_bytes(&note, id, n);
	pad_to(&note, (note.n + 3) & ~(size_t)3);
	mkelf_section(e, &(struct mkelf_part){ .name = ".note.gnu.build-id",
					       .type = SHT_NOTE,
					       .flags = SHF_ALLOC,
					       .align = 4,
					       .bytes = note.p,
					       .size = note.n });
	free(note.p);
}

static void put_section_header(const struct mkelf *e, struct buf *b, u32 name,
			       const struct mkelf_part *p)
{
	put_int(e, b, name, 4);
	put_int(e, b, p->type, 4);
	put_addr(e, b, p->flags);
	put_addr(e, b, p->addr);
	put_addr(e, b, p->off);
	put_addr(e, b, p->size);
	put_int(e, b, p->link, 4);
	put_int(e, b, p->info, 4);
	put_addr(e, b, p->align);
	put_addr(e, b, p->entsize);
}

static void put_head(const struct mkelf *e, struct buf *b, u64 sections, u16 names)
{
	const u8 ident[EI_NIDENT] = { 0x7f, 'E', 'L', 'F', e->is_64 ? 2 : 1, e->big ? 2 : 1, 1 };

	put_bytes(b, ident, sizeof(ident));
	put_int(e, b, e->type, 2);
	put_int(e, b, e->machine, 2);
	put_int(e, b, 1, 4);
	put_addr(e, b, 0);
	put_addr(e, b, e->nr_loads ? (e->is_64 ? 64 : 52) : 0);
	put_addr(e, b, sections);
	put_int(e, b, 0, 4);
	put_int(e, b, e->is_64 ? 64 : 52, 2);
	put_int(e, b, e->is_64 ? 56 : 32, 2);
	put_int(e, b, e->nr_loads, 2);
	put_int(e, b, e->is_64 ? 64 : 40, 2);
	put_int(e, b, e->nr_parts, 2);
	put_int(e, b, names, 2);
	for (u16 i = 0; i < e->nr_loads; i++) {
		put_int(e, b, PT_LOAD, 4);
		if (e->is_64)
			put_int(e, b, PF_R | PF_X, 4);
		put_addr(e, b, e->loads[i].off);
		put_addr(e, b, e->loads[i].vaddr);
		put_addr(e, b, e->loads[i].vaddr);
		put_addr(e, b, e->loads[i].size);
		put_addr(e, b, e->loads[i].size);
		if (!e->is_64)
			put_int(e, b, PF_R | PF_X, 4);
		put_addr(e, b, 0x1000);
	}
}

u8 *mkelf_end(struct mkelf *e, size_t *ret_n)
{
	struct mkelf_part names = { .name = ".shstrtab", .type = SHT_STRTAB };
	struct buf head = { 0 };
	u8 *ret, *copy;
	u16 index;
	u64 at;

	/* The name of the table of names has to be in it. */
	put_string(&e->names, names.name);
	names.size = e->names.n;
	copy = xmalloc(names.size);
	memcpy(copy, e->names.p, names.size);
	names.bytes = copy;
	index = mkelf_section(e, &names);
	free(copy);
	e->part_names[index] = (u32)(names.size - strlen(names.name) - 1);
	pad_to(&e->file, (e->file.n + 15) & ~(size_t)15);
	at = e->file.n;
	for (u16 i = 0; i < e->nr_parts; i++)
		put_section_header(e, &e->file, e->part_names[i], &e->parts[i]);
	put_head(e, &head, at, index);
	memcpy(e->file.p, head.p, head.n);
	free(head.p);
	ret = e->file.p;
	*ret_n = e->file.n;
	free(e->names.p);
	free(e->syms.p);
	free(e->strings.p);
	free(e->relocs.p);
	free(e);
	return ret;
}
