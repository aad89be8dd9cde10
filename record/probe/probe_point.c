/* SPDX-License-Identifier: MIT */
/*
 * Which instructions are emulated: arch/x86/kernel/uprobes.c of Linux, branch_setup_xol_ops() and
 * push_setup_xol_ops(). Encodings: Intel SDM volume 2.
 */
#include "record/probe/probe_point.h"

#include <elf.h>
#include <string.h>

#include "record/probe/x86_flow.h"
#include "symbols/elf/go_table.h"
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

u32 probe_point_go_check(const u8 *p, size_t n)
{
	static const struct {
		u8 bytes[9], nr; /* up to the jump */
		u8 imm;          /* of these, where any bytes may be: the first, and how many */
		u8 nr_imm;
	} checks[] = {
		/* cmp 0x10(%r14), %rsp */
		{ { 0x49, 0x3b, 0x66, 0x10 }, 4, 0, 0 },
		/* lea -8(%rsp), %r12; cmp 0x10(%r14), %r12 */
		{ { 0x4c, 0x8d, 0x64, 0x24, 0, 0x4d, 0x3b, 0x66, 0x10 }, 9, 4, 1 },
		/* lea -0x80(%rsp), %r12; the same, found behind it */
		{ { 0x4c, 0x8d, 0xa4, 0x24, 0, 0, 0, 0 }, 8, 4, 4 },
	};
	u32 at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(checks) && !at; i++) {
		u8 k = 0;

		while (k < checks[i].nr && k < n &&
		       (p[k] == checks[i].bytes[k] ||
			(k >= checks[i].imm && k < checks[i].imm + checks[i].nr_imm)))
			k++;
		if (k == checks[i].nr)
			at = k;
	}
	if (at == 8) {
		static const u8 cmp[] = { 0x4d, 0x3b, 0x66, 0x10 };

		if (n < 12 || memcmp(p + 8, cmp, sizeof(cmp)) != 0)
			return 0;
		at = 12;
	}
	if (at && at + 2 <= n && p[at] == 0x76)
		return at + 2;
	return at && at + 6 <= n && p[at] == 0x0f && p[at + 1] == 0x86 ? at + 6 : 0;
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

	switch (x86_flow_of(p, n, &rel)) {
	case FLOW_NEXT:
	case FLOW_RET: return;
	case FLOW_JUMP:
	case FLOW_BRANCH:
		target = off + n + (u64)rel;
		point = point_before(points, nr, target);
		if (point && !point->is_go && target > point->off &&
		    target <= point->off + point->skip)
			point->skip = 0;
		return;
	case FLOW_INDIRECT:
		point = point_before(points, nr, off);
		if (point && !point->is_go && off < point->end)
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
	bool any = false, is_go = go_table_section(o);

	for (size_t i = 0; i < nr; i++) {
		struct probe_point *p = &points[i];
		u64 end = p->end < o->file.n ? p->end : o->file.n;

		p->skip = 0;
		p->is_go = false;
		if (o->machine != EM_X86_64 || !o->is_64 || p->off >= end)
			continue;
		if (is_go)
			p->skip = probe_point_go_check(o->file.p + p->off, (size_t)(end - p->off));
		p->is_go = p->skip;
		if (!p->skip)
			p->skip = probe_point_skip(o->file.p + p->off, (size_t)(end - p->off));
		any |= p->skip && !p->is_go;
	}
	for (size_t i = 0; any && i < o->nr_sections; i++) {
		size_t bytes = object_bytes(o, &o->sections[i]).n;

		if (!(o->sections[i].flags & SHF_EXECINSTR))
			continue;
		if (bytes > left) { /* sections that overlap: a damaged file */
			for (size_t k = 0; k < nr; k++)
				points[k].skip = points[k].is_go ? points[k].skip : 0;
			return;
		}
		left -= bytes;
		sweep(l, &o->sections[i], points, nr);
	}
}
