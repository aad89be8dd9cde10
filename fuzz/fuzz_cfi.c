/* SPDX-License-Identifier: MIT */
/*
 * Call frame information of an ELF file. Input: u8 options, then the file. Bit 0: the second half
 * of the file is the debug file of the first, bit 1: the file is its own debug file. Runs every
 * entry and holds its rows against what cfi.h promises.
 */
#include "unwind/cfi.h"

#define INPUT_MAX (256u << 10)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct walk {
	u64 at, end;
	u64 rows;
	unsigned int sum; /* of the bytes of expressions, so that they are read */
};

static void read_expression(struct walk *w, const struct cfi_rule *r)
{
	if (r->expr.n && r->how != CFI_EXPR && r->how != CFI_VAL_EXPR)
		BUG();
	for (size_t i = 0; i < r->expr.n; i++)
		w->sum += r->expr.p[i];
}

static bool check_row(void *ctx, const struct cfi_row *row)
{
	struct walk *w = ctx;

	if (row->start != w->at || row->end <= row->start || row->end > w->end)
		BUG();
	read_expression(w, &row->cfa);
	for (size_t i = 0; i < row->nr_regs; i++) {
		if (i && row->regs[i - 1].reg >= row->regs[i].reg)
			BUG();
		read_expression(w, &row->regs[i].rule);
	}
	w->at = row->end;
	w->rows++;
	return true;
}

static void walk_entries(const struct cfi *c, size_t size)
{
	struct walk w = { 0 };
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
		err = cfi_rows(c, &fde, check_row, &w, NULL);
		if (!err && w.at != w.end)
			BUG();
	}
	/* A row costs a byte of instructions; a compressed section has up to 1032 for one. */
	if (w.rows > 2048 * (u64)size)
		BUG();
	for (u64 addr = 0; addr < 64; addr++)
		cfi_find(c, addr << addr, &found);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct object *code = NULL, *debug = NULL;
	struct cfi *c = NULL;
	size_t half;

	if (size < 1 || size > INPUT_MAX)
		return 0;
	half = data[0] & 1 ? (size - 1) / 2 : 0;
	if (object_open_mem("fuzz", data + 1, half ? half : size - 1, &code, NULL))
		return 0;
	if (half && object_open_mem("fuzz", data + 1 + half, size - 1 - half, &debug, NULL))
		goto out;
	if (!cfi_open(code, data[0] & 2 ? code : debug, &c, NULL))
		walk_entries(c, size);
out:
	cfi_close(c);
	object_close(debug);
	object_close(code);
	return 0;
}
