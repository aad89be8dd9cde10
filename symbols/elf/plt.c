/* SPDX-License-Identifier: MIT */
#include "symbols/elf/plt.h"

#include <elf.h>
#include <string.h>

#include "symbols/elf/elf_syms.h"

struct reloc {
	u64 offset; /* vaddr of the GOT word */
	s64 addend; /* only in RELA relocations */
	u32 sym;
};

struct plt {
	const struct object *o;
	struct symtab *t;
	u64 header, entry; /* sizes */
	struct reloc *relocs;
	size_t nr_relocs;
	bool is_rela;
	struct elf_syms syms; /* the symbols that the relocations name */
	struct sym *slots;    /* the symbols made for slots; they are added to t last, since t is
			       * searched meanwhile */
	size_t nr_slots, cap_slots;
};

static bool is_x86(const struct object *o)
{
	return o->machine == EM_386 || o->machine == EM_X86_64;
}

/*
 * Sets the sizes of a slot and of the header before the slots. Returns false if the file does not
 * show them.
 */
static bool learn_sizes(struct plt *p, const struct obj_section *s)
{
	switch (p->o->machine) {
	case EM_ARM:
		p->header = 20;
		p->entry = 12;
		return true;
	case EM_AARCH64:
	case EM_RISCV:
	case 258: /* EM_LOONGARCH, which older versions of elf.h lack */
		p->header = 32;
		p->entry = 16;
		return true;
	case EM_SPARC:
		p->header = 48;
		p->entry = 12;
		return true;
	case EM_SPARCV9:
		p->header = 128;
		p->entry = 32;
		return true;
	case EM_386:
	case EM_X86_64:
		/* lld and others leave sh_entsize 0 or put nonsense there. */
		p->entry = s->entsize == 8 || s->entsize == 16 ? s->entsize
			   : s->align == 8                     ? 8
							       : 16;
		p->header = p->entry;
		return true;
	}
	p->header = p->entry = s->entsize;
	return p->entry;
}

static int by_offset(const void *a, const void *b)
{
	const struct reloc *x = a, *y = b;

	return (x->offset > y->offset) - (x->offset < y->offset);
}

static bool read_relocs(struct plt *p, const struct obj_section *s)
{
	struct cursor c = cursor_of(object_bytes(p->o, s), p->o->swap);
	size_t size, nr;

	if (!s || (s->type != SHT_RELA && s->type != SHT_REL) || !s->link ||
	    s->link >= p->o->nr_sections)
		return false;
	p->is_rela = s->type == SHT_RELA;
	size = (p->o->is_64 ? 8 : 4) * (p->is_rela ? 3 : 2);
	nr = cur_left(&c) / size;
	p->syms = elf_syms_of(p->o, &p->o->sections[s->link]);
	p->relocs = xcalloc(nr, sizeof(*p->relocs));
	p->nr_relocs = nr;
	for (size_t i = 0; i < nr; i++) {
		struct reloc *r = &p->relocs[i];

		if (p->o->is_64) {
			r->offset = cur_u64(&c);
			r->sym = (u32)(cur_u64(&c) >> 32);
			r->addend = p->is_rela ? (s64)cur_u64(&c) : 0;
		} else {
			r->offset = cur_u32(&c);
			r->sym = cur_u32(&c) >> 8;
			r->addend = p->is_rela ? (s32)cur_u32(&c) : 0;
		}
	}
	return true;
}

static void free_relocs(struct plt *p)
{
	free(p->relocs);
	p->relocs = NULL;
	p->nr_relocs = 0;
}

/* Returns the name of the dynamic symbol that relocation r names, "" if it names none. */
static const char *reloc_name(const struct plt *p, const struct reloc *r)
{
	struct elf_sym s;

	if (r->sym >= p->syms.nr)
		return "";
	s = elf_syms_get(&p->syms, r->sym);
	return s.name < p->syms.strings.n ? (const char *)p->syms.strings.p + s.name : "";
}

/*
 * Returns the name of the IFUNC at the addend of a relocation without a symbol, "" if there is
 * none.
 */
static const char *ifunc_name(const struct plt *p, const struct reloc *r)
{
	u64 vaddr = (u64)r->addend;
	const struct obj_load *load = object_load_at(p->o, vaddr);
	const struct sym *s;

	if (!p->is_rela || !load)
		return "";
	vaddr = obj_load_off(load, vaddr);
	s = symtab_find(p->t, vaddr);
	return s && s->start == vaddr && s->is_ifunc ? s->name : "";
}

static void add_slot(struct plt *p, u64 off, u64 size, const char *name)
{
	vec_push(p->slots, p->nr_slots, p->cap_slots,
		 ((struct sym){ .start = off, .end = off + size, .name = name, .is_plt = true }));
}

/*
 * Returns the distance from the start of a .plt.got slot to the GOT word that it jumps through, 0
 * if the slot is not of the form [endbr64] [bnd] jmp *disp32(%rip).
 */
static u64 got_distance(struct span code)
{
	struct cursor c = cursor_of(code, false);
	size_t start = cur_left(&c);
	u8 first;
	u32 disp;

	if (start >= 4 && !memcmp(code.p, "\xf3\x0f\x1e\xfa", 4))
		cur_skip(&c, 4);
	first = cur_u8(&c);
	if (first == 0xf2)
		first = cur_u8(&c);
	if (first != 0xff || cur_u8(&c) != 0x25)
		return 0;
	disp = cur_u32(&c);
	return c.bad ? 0 : start - cur_left(&c) + disp;
}

/* Sorts the relocations by the addresses of their GOT words. Most linkers write them sorted. */
static void sort_relocs(struct plt *p)
{
	size_t i = 1;

	while (i < p->nr_relocs && by_offset(&p->relocs[i - 1], &p->relocs[i]) <= 0)
		i++;
	if (i < p->nr_relocs)
		qsort(p->relocs, p->nr_relocs, sizeof(*p->relocs), by_offset);
}

/* Keeps only the relocations of GOT words in [lo, hi], and sorts them. */
static void keep_relocs(struct plt *p, u64 lo, u64 hi)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->nr_relocs; i++)
		if (p->relocs[i].offset >= lo && p->relocs[i].offset <= hi)
			p->relocs[nr++] = p->relocs[i];
	p->nr_relocs = nr;
	sort_relocs(p);
}

/*
 * Adds the slots of .plt.got, which are for functions whose address is also taken. Relocations of
 * type GLOB_DAT in .rela.dyn name them.
 */
static void add_plt_got(struct plt *p)
{
	const struct obj_section *s = object_section(p->o, ".plt.got");
	struct span code = object_bytes(p->o, s);
	u64 lo = UINT64_MAX, hi = 0;

	/* A slot has at least the 8 bytes that its jump takes. */
	if (!s || s->entsize < 8 || s->entsize > code.n)
		return;
	for (u64 i = 0; i <= code.n - s->entsize; i += s->entsize) {
		u64 distance = got_distance(span_of(code.p + i, s->entsize));
		u64 word = s->addr + i + distance;

		lo = distance && word < lo ? word : lo;
		hi = distance && word > hi ? word : hi;
	}
	/* .rela.dyn has many relocations, most of them for other words */
	if (p->o->machine == EM_X86_64 && read_relocs(p, object_section(p->o, ".rela.dyn")))
		keep_relocs(p, lo, hi);
	for (u64 i = 0; i <= code.n - s->entsize; i += s->entsize) {
		u64 distance = got_distance(span_of(code.p + i, s->entsize));
		struct reloc key = { .offset = s->addr + i + distance }, *r = NULL;

		if (distance && p->nr_relocs)
			r = bsearch(&key, p->relocs, p->nr_relocs, sizeof(key), by_offset);
		add_slot(p, s->off + i, s->entsize, r ? reloc_name(p, r) : "");
	}
	free_relocs(p);
}

static struct sym *find_start(struct symtab *t, u64 addr)
{
	return (struct sym *)symtab_find(t, addr);
}

/*
 * Adds the slots as perf 6.1 does: one per relocation, in their order, after the header of .plt. It
 * ignores .plt.sec and .plt.got, and does not name IFUNCs.
 */
static void add_slots_6_1(struct plt *p, const struct obj_section *plt)
{
	const struct obj_section *rel = object_section(p->o, ".rela.plt");
	u64 off;

	if (!rel)
		rel = object_section(p->o, ".rel.plt");
	if (!learn_sizes(p, plt) || !read_relocs(p, rel))
		return;
	if (is_x86(p->o))
		p->header = p->entry = plt->entsize;
	off = plt->off + p->header;
	for (size_t i = 0; p->entry && i < p->nr_relocs; i++, off += p->entry)
		symtab_add_borrowed(p->t, off, p->entry, reloc_name(p, &p->relocs[i]), SYM_GLOBAL,
				    false)
			->is_plt = true;
	free_relocs(p);
	symtab_sort(p->t);
}

void plt_add_symbols(const struct object *runtime, struct symtab *t)
{
	struct plt p = { .o = runtime, .t = t };
	const struct obj_section *plt = object_section(runtime, ".plt"), *sec = NULL, *rel;
	u64 off, header_size;
	struct sym *before;

	if (plt && t->format == TEXT_PERF_6_1) {
		add_slots_6_1(&p, plt);
		return;
	}
	if (!plt || !learn_sizes(&p, plt))
		return;
	/* A symbol of .init without a size was extended up to the next symbol, into .plt. */
	before = find_start(t, plt->off);
	if (before && before->start < plt->off)
		before->end = plt->off;
	header_size = p.header;
	if (is_x86(runtime)) {
		add_plt_got(&p);
		sec = object_section(runtime, ".plt.sec");
	}
	off = plt->off;
	if (sec) {
		learn_sizes(&p, sec);
		header_size = plt->size;
		off = sec->off;
	}
	rel = object_section(runtime, ".rela.plt");
	if (!rel)
		rel = object_section(runtime, ".rel.plt");
	if (!read_relocs(&p, rel))
		goto out;
	if (is_x86(runtime))
		sort_relocs(&p);
	if (!sec) {
		/*
		 * With as many slots as relocations, there is no header: functions are not bound
		 * lazily.
		 */
		if (p.nr_relocs * p.entry == plt->size)
			header_size = 0;
		else
			off += p.header;
	}
	for (size_t i = 0; i < p.nr_relocs; i++, off += p.entry) {
		const char *name = reloc_name(&p, &p.relocs[i]);

		add_slot(&p, off, p.entry, *name ? name : ifunc_name(&p, &p.relocs[i]));
	}
out:
	for (size_t i = 0; i < p.nr_slots; i++) {
		const struct sym *slot = &p.slots[i];

		symtab_add_borrowed(t, slot->start, slot->end - slot->start, slot->name, SYM_GLOBAL,
				    false)
			->is_plt = true;
	}
	if (header_size)
		symtab_add(t, plt->off, header_size, ".plt", SYM_GLOBAL, false);
	free(p.slots);
	free_relocs(&p);
	symtab_sort(t);
}
