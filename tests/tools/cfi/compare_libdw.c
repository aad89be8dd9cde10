/* SPDX-License-Identifier: MIT */
#include "tests/tools/cfi/compare_libdw.h"

#include <elf.h>
#include <stdio.h>

#include "base/mem.h"
#include "unwind/cfi/rows_libdw.h"

/* Operations with LEB128 operands (DWARF 7.7.1). */
enum {
	DW_OP_constu = 0x10,
	DW_OP_consts = 0x11,
	DW_OP_plus_uconst = 0x23,
	DW_OP_breg0 = 0x70,
	DW_OP_breg31 = 0x8f,
	DW_OP_regx = 0x90,
	DW_OP_bregx = 0x92,
};

static u16 stack_pointer(u16 machine)
{
	switch (machine) {
	case EM_X86_64: return 7;
	case EM_386: return 4;
	case EM_AARCH64: return 31;
	default: return 13;
	}
}

/* Whether libdw's rows can tell such a rule from none. */
static bool libdw_tells(const struct comparison *c, const struct cfi_row *row,
			const struct cfi_reg_rule *r)
{
	switch (r->rule.how) {
	case CFI_UNSPECIFIED:
	case CFI_SAME: return false;
	case CFI_UNDEFINED: return r->reg == row->ra_reg;
	case CFI_VAL_OFFSET: return r->rule.offset || r->reg != stack_pointer(c->code->machine);
	default: return true;
	}
}

/* A LEB128 number without what assemblers pad it with. */
static struct span take_leb(struct cursor *c)
{
	const u8 *from = c->p;

	while (cur_u8(c) & 0x80)
		;
	return span_of(from, (size_t)(c->p - from));
}

static s64 leb_value(struct span s, bool is_signed)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < s.n && i < 9; i++)
		v |= (u64)(s.p[i] & 0x7f) << 7 * i;
	if (is_signed && i && s.p[i - 1] & 0x40)
		v |= ~(u64)0 << 7 * i;
	return (s64)v;
}

/* How many LEB128 operands an operation has. */
static unsigned int leb_operands(u8 op)
{
	if (op == DW_OP_bregx)
		return 2;
	return (op >= DW_OP_breg0 && op <= DW_OP_breg31) || op == DW_OP_constu ||
	       op == DW_OP_consts || op == DW_OP_plus_uconst || op == DW_OP_regx;
}

static bool same_expression(struct span a, struct span b)
{
	struct cursor x = cursor_of(a, false), y = cursor_of(b, false);

	while (cur_left(&x) && cur_left(&y)) {
		u8 op = cur_u8(&x);

		if (op != cur_u8(&y))
			return false;
		for (unsigned int i = leb_operands(op); i; i--) {
			bool is_signed = op == DW_OP_consts || op == DW_OP_bregx ||
					 (op >= DW_OP_breg0 && op <= DW_OP_breg31);

			if (leb_value(take_leb(&x), is_signed) !=
			    leb_value(take_leb(&y), is_signed))
				return false;
		}
	}
	return !cur_left(&x) && !cur_left(&y);
}

static bool same_rule(const struct cfi_rule *a, const struct cfi_rule *b)
{
	return a->how == b->how && a->reg == b->reg && a->offset == b->offset &&
	       same_expression(a->expr, b->expr);
}

/*
 * libdw 0.188 refuses what follows when the CFA comes back to a register after an expression,
 * without a new offset; libgcc and readelf keep the old one.
 */
static bool libdw_refuses(const struct row_list *l, u64 from)
{
	for (size_t i = 1; i < l->nr; i++)
		if (l->rows[i].row.start >= from)
			return l->rows[i].row.cfa.how == CFI_REGISTER &&
			       l->rows[i - 1].row.cfa.how == CFI_EXPR;
	return false;
}

static bool same_as_libdw(const struct comparison *c, const struct cfi_row *a,
			  const struct cfi_row *b)
{
	size_t i = 0, k = 0;

	if (!same_rule(&a->cfa, &b->cfa) || a->ra_reg != b->ra_reg ||
	    a->signal_frame != b->signal_frame)
		return false;
	for (;;) {
		while (i < a->nr_regs && !libdw_tells(c, a, &a->regs[i]))
			i++;
		while (k < b->nr_regs && !libdw_tells(c, b, &b->regs[k]))
			k++;
		if (i == a->nr_regs || k == b->nr_regs)
			return i == a->nr_regs && k == b->nr_regs;
		if (a->regs[i].reg != b->regs[k].reg ||
		    !same_rule(&a->regs[i].rule, &b->regs[k].rule))
			return false;
		i++, k++;
	}
}

struct libdw_check {
	struct comparison *c;
	const struct cfi_fde *fde;
	const struct row_list *ours;
	size_t next;
	u64 end; /* of libdw's last row */
};

/* A row of libdw: each of ours that overlaps it says the same. */
static bool check_libdw_row(void *ctx, const struct cfi_row *row)
{
	struct libdw_check *k = ctx;
	u16 machine = k->c->code->machine;

	k->end = row->end;
	while (k->next < k->ours->nr && k->ours->rows[k->next].row.end <= row->start)
		k->next++;
	for (size_t i = k->next; i < k->ours->nr && k->ours->rows[i].row.start < row->end; i++) {
		const struct cfi_row *ours = &k->ours->rows[i].row;

		if (same_as_libdw(k->c, ours, row))
			continue;
		if (compare_show(k->c, k->fde, "differs from libdw")) {
			row_print("  ours  ", machine, ours);
			row_print("  libdw ", machine, row);
		}
		return false;
	}
	return true;
}

int compare_libdw(struct comparison *c, const struct object *debug)
{
	struct row_list ours = { 0 };
	struct rows_libdw *r = NULL;
	struct perr e = { 0 };
	struct cfi_fde fde;

	/* Of other machines, it knows an ABI that rows_libdw.c does not take out again. */
	switch (c->code->machine) {
	case EM_X86_64:
	case EM_386:
	case EM_AARCH64:
	case EM_ARM: break;
	default: printf("not a machine that is unwound\n"); return 77;
	}
	if (rows_libdw_open(c->code, debug, &r, &e)) {
		printf("%s\n", e.text);
		return 77;
	}
	for (u32 i = 0; i < cfi_nr_fdes(c->cfi); i++) {
		struct libdw_check k = { .c = c, .fde = &fde, .ours = &ours };

		if (!cfi_get_fde(c->cfi, i, &fde) || !compare_our_rows(c, &fde, &ours))
			continue;
		if (rows_libdw_rows(r, &fde, check_libdw_row, &k, &e) &&
		    !libdw_refuses(&ours, k.end))
			compare_show(c, &fde, e.text);
	}
	rows_libdw_close(r);
	row_list_free(&ours);
	return c->different != 0;
}
