/* SPDX-License-Identifier: MIT */
#include "unwind/cfi/rows_libdw.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>

#include "base/mem.h"

#define MAX_REGS 128
#define MAX_EXPR 4096

struct rows_libdw {
	Elf *code, *debug;
	void *image; /* writable copy of the debug file, if libelf must write to it */
	Dwarf *dwarf;
	Dwarf_CFI *eh, *df;
	u16 machine;
	bool is_64, swap;
	struct cfi_reg_rule regs[MAX_REGS];
	u8 exprs[MAX_EXPR]; /* expressions of the row, encoded again */
	size_t used;
};

/*
 * Returns the number of registers to ask libdw for: the general ones and the others that callees
 * preserve.
 */
static int registers_of(u16 machine)
{
	switch (machine) {
	case EM_X86_64: return 33;
	case EM_386: return 9;
	case EM_AARCH64: return 96;
	case EM_ARM: return 16;
	default: return MAX_REGS;
	}
}

/*
 * Returns the number of the stack pointer. Without a rule, its value in the caller is the CFA by
 * definition; libdw states that as a rule, which is left out.
 */
static int stack_pointer_of(u16 machine)
{
	switch (machine) {
	case EM_X86_64: return 7;
	case EM_386: return 4;
	case EM_AARCH64: return 31;
	case EM_ARM: return 13;
	default: return -1;
	}
}

static Elf *open_elf(const void *p, size_t n)
{
	elf_version(EV_CURRENT);
	/* libelf only reads the image, except for the case that open_debug_frame() handles. */
	return elf_memory((char *)(uintptr_t)p, n);
}

static bool has_compressed(const struct object *o)
{
	for (size_t i = 1; i < o->nr_sections; i++)
		if (o->sections[i].flags & SHF_COMPRESSED ||
		    !strncmp(o->sections[i].name, ".zdebug", 7))
			return true;
	return false;
}

static void open_debug_frame(struct rows_libdw *r, const struct object *o)
{
	const void *p = o->file.p;

	/*
	 * When libelf expands a section, it changes the section headers in the image, even if that
	 * is read-only. So it gets a copy.
	 */
	if (has_compressed(o)) {
		r->image = xmalloc(o->file.n);
		memcpy(r->image, o->file.p, o->file.n);
		p = r->image;
	}
	r->debug = open_elf(p, o->file.n);
	r->dwarf = r->debug ? dwarf_begin_elf(r->debug, DWARF_C_READ, NULL) : NULL;
	r->df = r->dwarf ? dwarf_getcfi(r->dwarf) : NULL;
	if (r->df)
		return;
	dwarf_end(r->dwarf);
	elf_end(r->debug);
	free(r->image);
	r->dwarf = NULL;
	r->debug = NULL;
	r->image = NULL;
}

int rows_libdw_open(const struct object *code, const struct object *debug, struct rows_libdw **ret,
		    struct perr *e)
{
	struct rows_libdw *r = xcalloc(1, sizeof(*r));

	r->machine = code->machine;
	r->is_64 = code->is_64;
	r->swap = code->swap;
	r->code = open_elf(code->file.p, code->file.n);
	if (r->code)
		r->eh = dwarf_getcfi_elf(r->code);
	if (debug)
		open_debug_frame(r, debug);
	if (!r->df && debug != code)
		open_debug_frame(r, code);
	if (!r->eh && !r->df) {
		rows_libdw_close(r);
		return perr_set(e, PERR_NOTFOUND, "%s: libdw: %s", code->path, dwarf_errmsg(-1));
	}
	*ret = r;
	return 0;
}

void rows_libdw_close(struct rows_libdw *r)
{
	if (!r)
		return;
	if (r->eh)
		dwarf_cfi_end(r->eh);
	dwarf_end(r->dwarf);
	elf_end(r->debug);
	elf_end(r->code);
	free(r->image);
	free(r);
}

static void expr_put(struct rows_libdw *r, u64 v, size_t n)
{
	bool big = r->swap == (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

	for (size_t i = 0; i < n && r->used < MAX_EXPR; i++)
		r->exprs[r->used++] = (u8)(v >> 8 * (big ? n - 1 - i : i));
}

static void put_uleb(struct rows_libdw *r, u64 v)
{
	for (; v >= 0x80; v >>= 7)
		expr_put(r, (v & 0x7f) | 0x80, 1);
	expr_put(r, v, 1);
}

static void put_sleb(struct rows_libdw *r, s64 v)
{
	while (v < -64 || v > 63) {
		expr_put(r, ((u64)v & 0x7f) | 0x80, 1);
		v >>= 7;
	}
	expr_put(r, (u64)v & 0x7f, 1);
}

/* Returns the distance that a jump or branch operation has as its operand. */
static s64 jump_offset(const Dwarf_Op *op)
{
	return (s64)(int16_t)op->number;
}

static bool put_op(struct rows_libdw *r, const Dwarf_Op *op)
{
	expr_put(r, op->atom, 1);
	switch (op->atom) {
	case DW_OP_addr: expr_put(r, op->number, r->is_64 ? 8 : 4); return true;
	case DW_OP_const1u:
	case DW_OP_const1s:
	case DW_OP_pick:
	case DW_OP_deref_size: expr_put(r, op->number, 1); return true;
	case DW_OP_const2u:
	case DW_OP_const2s: expr_put(r, op->number, 2); return true;
	case DW_OP_const4u:
	case DW_OP_const4s: expr_put(r, op->number, 4); return true;
	case DW_OP_const8u:
	case DW_OP_const8s: expr_put(r, op->number, 8); return true;
	case DW_OP_skip:
	case DW_OP_bra: expr_put(r, (u64)jump_offset(op), 2); return true;
	case DW_OP_constu:
	case DW_OP_plus_uconst:
	case DW_OP_regx: put_uleb(r, op->number); return true;
	case DW_OP_consts: put_sleb(r, (s64)op->number); return true;
	case DW_OP_breg0 ... DW_OP_breg31: put_sleb(r, (s64)op->number); return true;
	case DW_OP_bregx:
		put_uleb(r, op->number);
		put_sleb(r, (s64)op->number2);
		return true;
	default:
		/*
		 * True for operations without operands. Other operations do not occur in rules of
		 * frames.
		 */
		return (op->atom >= DW_OP_deref && op->atom <= DW_OP_reg31) ||
		       op->atom == DW_OP_nop || op->atom == DW_OP_call_frame_cfa ||
		       op->atom == DW_OP_stack_value;
	}
}

/* Encodes an expression again, because libdw returns it decoded and a rule holds its bytes. */
static bool encode(struct rows_libdw *r, const Dwarf_Op *ops, size_t n, struct span *ret)
{
	size_t from = r->used;

	for (size_t i = 0; i < n; i++)
		if (!put_op(r, &ops[i]) || r->used == MAX_EXPR)
			return false;
	*ret = span_of(r->exprs + from, r->used - from);
	return true;
}

static bool read_cfa(struct rows_libdw *r, Dwarf_Frame *f, struct cfi_rule *ret)
{
	Dwarf_Op *ops;
	size_t n;

	*ret = (struct cfi_rule){ .how = CFI_UNSPECIFIED };
	if (dwarf_frame_cfa(f, &ops, &n))
		return false;
	if (!n)
		return true;
	if (n == 1 && ops[0].atom == DW_OP_bregx) {
		ret->how = CFI_REGISTER;
		ret->reg = (u16)ops[0].number;
		ret->offset = (s64)ops[0].number2;
		return true;
	}
	ret->how = CFI_EXPR;
	return encode(r, ops, n, &ret->expr);
}

static bool read_register(struct rows_libdw *r, Dwarf_Frame *f, int reg, bool is_ra,
			  struct cfi_rule *ret)
{
	Dwarf_Op mem[3], *ops;
	bool value;
	size_t n;

	*ret = (struct cfi_rule){ .how = CFI_UNSPECIFIED };
	if (dwarf_frame_register(f, reg, mem, &ops, &n))
		return false;
	if (!n) {
		if (ops == mem && is_ra)
			ret->how = CFI_UNDEFINED;
		return true;
	}
	if (n == 1 && ops[0].atom == DW_OP_regx) {
		/* On arm, the pc is the link register by the ABI. */
		if (r->machine == EM_ARM && reg == 15 && ops[0].number == 14)
			return true;
		ret->how = CFI_REGISTER;
		ret->reg = (u16)ops[0].number;
		return true;
	}
	value = ops[n - 1].atom == DW_OP_stack_value;
	if (value)
		n--;
	/* libdw returns an offset as operations in its own memory, an expression in the file's */
	if (ops == mem && n && n <= 2 && ops[0].atom == DW_OP_call_frame_cfa) {
		ret->how = value ? CFI_VAL_OFFSET : CFI_OFFSET;
		ret->offset = n == 2 ? (s64)ops[1].number : 0;
		if (value && !ret->offset && reg == stack_pointer_of(r->machine))
			ret->how = CFI_UNSPECIFIED;
		return true;
	}
	ret->how = value ? CFI_VAL_EXPR : CFI_EXPR;
	/* libdw adds an operation that pushes the CFA; unwind_expr() pushes it already */
	if (n && ops[0].atom == DW_OP_call_frame_cfa) {
		ops++;
		n--;
	}
	return encode(r, ops, n, &ret->expr);
}

/* Makes the row of a frame that libdw has found. */
static bool read_row(struct rows_libdw *r, Dwarf_Frame *f, struct cfi_row *row)
{
	int nr = registers_of(r->machine);

	r->used = 0;
	row->regs = r->regs;
	row->nr_regs = 0;
	if (!read_cfa(r, f, &row->cfa))
		return false;
	for (int reg = 0; reg < nr; reg++) {
		struct cfi_rule rule;

		if (!read_register(r, f, reg, reg == row->ra_reg, &rule))
			return false;
		if (rule.how != CFI_UNSPECIFIED)
			r->regs[row->nr_regs++] = (struct cfi_reg_rule){ (u16)reg, rule };
	}
	return true;
}

int rows_libdw_rows(struct rows_libdw *r, const struct cfi_fde *fde,
		    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx,
		    struct perr *e)
{
	Dwarf_CFI *cfi = fde->debug_frame ? r->df : r->eh;
	Dwarf_Addr addr = fde->start, start, end;

	if (!cfi)
		return perr_set(e, PERR_NOTFOUND, "libdw does not find the section of this entry");
	while (addr < fde->end) {
		struct cfi_row row = { .start = addr };
		Dwarf_Frame *f = NULL;
		bool signal, ok;
		int ra;

		if (dwarf_cfi_addrframe(cfi, addr, &f))
			return perr_at(e, PERR_FORMAT, fde->offset, "libdw: %s", dwarf_errmsg(-1));
		/* After restore_state, libdw 0.188 returns an old start. */
		ra = dwarf_frame_info(f, &start, &end, &signal);
		row.ra_reg = (u16)ra;
		row.signal_frame = signal;
		row.end = end < fde->end ? end : fde->end;
		ok = ra >= 0 && end > addr && read_row(r, f, &row);
		free(f);
		if (!ok)
			return perr_at(e, PERR_FORMAT, fde->offset, "libdw: %s", dwarf_errmsg(-1));
		if (!each_row(ctx, &row))
			return 0;
		addr = row.end;
	}
	return 0;
}
