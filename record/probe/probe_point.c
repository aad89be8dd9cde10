/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are emulated: arch/x86/kernel/uprobes.c of Linux, branch_setup_xol_ops() and
 * push_setup_xol_ops(). Encodings: Intel SDM volume 2.
 */
#include "record/probe/probe_point.h"

#include <elf.h>
#include <string.h>

#include "symbols/elf/insn_len.h"

#define MAX_SKIPPED 4 /* instructions */

static bool is_emulated(const u8 *p, size_t n)
{
	u8 op = p[0], next = n > 1 ? p[1] : 0;

	if (op == 0x41) /* REX.B */
		return (next & 0xf8) == 0x50;
	if (op == 0x66)
		return next == 0x90;
	if (op == 0x0f)
		return next == 0x1f || (next & 0xf0) == 0x80;
	/* push, jcc, nop, call, jmp */
	return (op & 0xf8) == 0x50 || (op & 0xf0) == 0x70 || op == 0x90 || op == 0xe8 ||
	       op == 0xe9 || op == 0xeb;
}

/* Whether an instruction changes nothing but flags and the register ax. */
static bool is_harmless(const u8 *p, size_t n)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	u8 rex = (p[0] & 0xf0) == 0x40 ? p[0] : 0, op, modrm;

	if (n == sizeof(endbr64) && !memcmp(p, endbr64, sizeof(endbr64)))
		return true;
	if (rex) {
		p++;
		n--;
	}
	if (n < 2)
		return false;
	op = p[0];
	modrm = p[1];
	switch (op) {
	case 0x3c: /* cmp $, %al */
	case 0x3d: /* cmp $, %eax */
	case 0xa8: /* test $, %al */
	case 0xa9: /* test $, %eax */ return true;
	case 0xb8: /* mov $, %eax */ return !(rex & 1);
	}
	if (modrm < 0xc0) /* an operand in memory */
		return false;
	switch (op) {
	case 0x38:
	case 0x39:
	case 0x3a:
	case 0x3b: /* cmp */
	case 0x84:
	case 0x85: /* test */ return true;
	case 0x80:
	case 0x81:
	case 0x83: /* group 1: cmp */ return (modrm & 0x38) == 0x38;
	case 0xf6:
	case 0xf7: /* group 3: test */ return (modrm & 0x38) == 0;
	case 0x89: /* mov to r/m */ return (modrm & 7) == 0 && !(rex & 1);
	case 0x8b: /* mov to r */ return (modrm & 0x38) == 0 && !(rex & 4);
	case 0x31:
	case 0x33: /* xor %eax, %eax */ return modrm == 0xc0 && !(rex & 5);
	}
	return false;
}

u32 probe_point_skip(const u8 *p, size_t n)
{
	size_t at = 0;

	for (int i = 0; i <= MAX_SKIPPED && at < n; i++) {
		unsigned int len = x86_insn_len(p + at, n - at, true);

		if (!len)
			return 0;
		if (is_emulated(p + at, len))
			return (u32)at;
		if (!is_harmless(p + at, len))
			return 0;
		at += len;
	}
	return 0;
}

enum jump { NO_JUMP, JUMP, JUMP_ANYWHERE };

/* Whether an instruction jumps, and how far from its end. Calls do not count: they come back. */
static enum jump jump_of(const u8 *p, size_t n, s64 *ret_rel)
{
	size_t i = 0;
	s32 rel;

	while (i < n && (memchr("\x66\x67\x2e\x36\x3e\x26\x64\x65\xf0\xf2\xf3", p[i], 11) ||
			 (p[i] & 0xf0) == 0x40))
		i++;
	if (i + 1 >= n)
		return NO_JUMP;
	if (p[i] == 0xff) {
		u8 reg = p[i + 1] >> 3 & 7;

		return reg == 4 || reg == 5 ? JUMP_ANYWHERE : NO_JUMP;
	}
	if ((p[i] & 0xf0) == 0x70 || p[i] == 0xeb || (p[i] & 0xfc) == 0xe0) {
		*ret_rel = (s8)p[n - 1];
		return JUMP;
	}
	if ((p[i] != 0xe9 && (p[i] != 0x0f || (p[i + 1] & 0xf0) != 0x80)) || n - i < 5)
		return NO_JUMP;
	memcpy(&rel, p + n - 4, 4);
	*ret_rel = rel;
	return JUMP;
}

/* The last point at or before file offset off; NULL: none. */
static struct probe_point *point_before(struct probe_point *points, size_t nr, u64 off)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (points[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? &points[lo - 1] : NULL;
}

/* Takes back points that the instruction of n bytes at file offset off rules out. */
static void apply_jump(struct probe_point *points, size_t nr, u64 off, const u8 *p, size_t n)
{
	struct probe_point *point;
	s64 rel = 0;
	u64 target;

	switch (jump_of(p, n, &rel)) {
	case NO_JUMP: return;
	case JUMP:
		target = off + n + (u64)rel;
		point = point_before(points, nr, target);
		if (point && target > point->off && target <= point->off + point->skip)
			point->skip = 0;
		return;
	case JUMP_ANYWHERE:
		point = point_before(points, nr, off);
		if (point && off < point->end)
			point->skip = 0;
		return;
	}
}

/* Looks at the instructions of a section, from each function's start on. */
static void sweep(const struct elf_functions *l, const struct obj_section *s,
		  struct probe_point *points, size_t nr)
{
	const u8 *file = l->file->file.p;
	u64 pos = s->off, end = s->off + object_bytes(l->file, s).n;
	size_t next = 0;

	while (pos < end) {
		u64 limit = end;
		size_t n;

		while (next < l->nr && l->f[next].off <= pos)
			next++;
		if (next < l->nr && l->f[next].off < end)
			limit = l->f[next].off;
		n = limit - pos < X86_INSN_MAX ? (size_t)(limit - pos) : X86_INSN_MAX;
		n = x86_insn_len(file + pos, n, true);
		if (!n) {
			pos = limit;
			continue;
		}
		apply_jump(points, nr, pos, file + pos, n);
		pos += n;
	}
}

void probe_points_find(const struct elf_functions *l, struct probe_point *points, size_t nr)
{
	const struct object *o = l->file;
	u64 left = o->file.n;
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		struct probe_point *p = &points[i];
		u64 end = p->end < o->file.n ? p->end : o->file.n;

		p->skip = 0;
		if (o->machine == EM_X86_64 && o->is_64 && p->off < end)
			p->skip = probe_point_skip(o->file.p + p->off, (size_t)(end - p->off));
		any |= p->skip;
	}
	for (size_t i = 0; any && i < o->nr_sections; i++) {
		size_t bytes = object_bytes(o, &o->sections[i]).n;

		if (!(o->sections[i].flags & SHF_EXECINSTR))
			continue;
		if (bytes > left) { /* sections that overlap: a damaged file */
			for (size_t k = 0; k < nr; k++)
				points[k].skip = 0;
			return;
		}
		left -= bytes;
		sweep(l, &o->sections[i], points, nr);
	}
}
