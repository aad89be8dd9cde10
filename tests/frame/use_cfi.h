/* SPDX-License-Identifier: MIT */
/*
 * Runs every entry of a file's call frame information and holds its rows against what
 * unwind/cfi/cfi.h promises. For fuzz targets and for tests; in a header because the two are linked
 * differently.
 */
#ifndef TESTS_FRAME_USE_CFI_H
#define TESTS_FRAME_USE_CFI_H

#include "unwind/cfi/cfi.h"

struct use_cfi {
	u64 at, end;
	u64 rows;
	unsigned int sum; /* of the bytes of expressions, so that they are read */
};

static inline void use_cfi_expression(struct use_cfi *w, const struct cfi_rule *r)
{
	if (r->expr.n && r->how != CFI_EXPR && r->how != CFI_VAL_EXPR)
		BUG();
	for (size_t i = 0; i < r->expr.n; i++)
		w->sum += r->expr.p[i];
}

static inline bool use_cfi_row(void *ctx, const struct cfi_row *row)
{
	struct use_cfi *w = ctx;

	if (row->start != w->at || row->end <= row->start || row->end > w->end)
		BUG();
	use_cfi_expression(w, &row->cfa);
	for (size_t i = 0; i < row->nr_regs; i++) {
		if (i && row->regs[i - 1].reg >= row->regs[i].reg)
			BUG();
		use_cfi_expression(w, &row->regs[i].rule);
	}
	w->at = row->end;
	w->rows++;
	return true;
}

/* size: bytes of the files that c was opened from. */
static inline void use_cfi_all(const struct cfi *c, size_t size)
{
	struct use_cfi w = { 0 };
	struct cfi_fde fde, found;

	for (u32 i = 0; i < cfi_nr_fdes(c); i++) {
		int err;

		if (!cfi_get_fde(c, i, &fde))
			continue;
		if (fde.index != i || fde.start > fde.end)
			BUG();
		if (cfi_find(c, fde.start, &found) &&
		    (found.start > fde.start || found.end <= fde.start))
			BUG();
		w.at = fde.start;
		w.end = fde.end;
		err = cfi_rows(c, &fde, use_cfi_row, &w, NULL);
		if (!err && w.at != w.end)
			BUG();
	}
	/* A row costs a byte of instructions; a compressed section has up to 1032 for one. */
	if (w.rows > 2048 * (u64)size)
		BUG();
	for (u64 addr = 0; addr < 64; addr++)
		cfi_find(c, addr << addr, &found);
}

#endif
