/* SPDX-License-Identifier: MIT */
/*
 * Relocates the absolute addresses in the .eh_frame of a position-independent file. Compilers that
 * do not know pcrel encodings write them; the section is then writable, and the dynamic linker
 * fills the addresses in. With REL and RELR the file has the addresses in place; with RELA they are
 * in the relocation table, and the place may hold 0.
 */
#include "unwind/cfi/cfi_priv.h"

#include <elf.h>

#include "base/mem.h"

static u32 relative_type(u16 machine)
{
	switch (machine) {
	case EM_X86_64: return R_X86_64_RELATIVE;
	case EM_AARCH64: return R_AARCH64_RELATIVE;
	case EM_PPC: return R_PPC_RELATIVE;
	case EM_PPC64: return R_PPC64_RELATIVE;
	case EM_RISCV: return R_RISCV_RELATIVE;
	case EM_S390: return R_390_RELATIVE;
	default: return 0;
	}
}

static void put_word(u8 *at, u64 v, u8 word, bool swap)
{
	u64 v64 = swap ? bswap_64(v) : v;
	u32 v32 = swap ? bswap_32((u32)v) : (u32)v;

	if (word == 8)
		memcpy(at, &v64, 8);
	else
		memcpy(at, &v32, 4);
}

static void apply(struct cfi *c, u8 *copy, struct span relocs, u32 wanted)
{
	struct cursor cur = cursor_of(relocs, c->eh.swap);
	u8 word = c->eh.word;

	while (cur_left(&cur) >= 3u * word) {
		u64 at = word == 8 ? cur_u64(&cur) : cur_u32(&cur);
		u64 info = word == 8 ? cur_u64(&cur) : cur_u32(&cur);
		u64 addend = word == 8 ? cur_u64(&cur) : cur_u32(&cur);
		u32 type = word == 8 ? (u32)info : (u8)info;

		at -= c->eh.vaddr;
		if (type == wanted && at < c->eh.bytes.n && c->eh.bytes.n - at >= word)
			put_word(copy + at, addend, word, c->eh.swap);
	}
}

void cfi_apply_relocs(struct cfi *c, const struct obj_section *eh)
{
	const struct object *o = c->eh.code;
	u32 type = relative_type(o->machine);
	u8 *copy;

	if (!(eh->flags & SHF_WRITE) || o->type != ET_DYN || !type || !c->eh.bytes.n)
		return;
	copy = xmalloc(c->eh.bytes.n);
	memcpy(copy, c->eh.bytes.p, c->eh.bytes.n);
	for (size_t i = 1; i < o->nr_sections; i++)
		if (o->sections[i].type == SHT_RELA && o->sections[i].flags & SHF_ALLOC)
			apply(c, copy, object_bytes(o, &o->sections[i]), type);
	c->eh_owned = copy;
	c->eh.bytes.p = copy;
}
