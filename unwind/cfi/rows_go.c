/* SPDX-License-Identifier: MIT */
#include "unwind/cfi/rows_go.h"

enum { RSP = 7, RIP = 16 };

struct taker {
	bool (*each_row)(void *ctx, const struct cfi_row *row);
	void *ctx;
	u32 nr;
};

static bool go_take_row(void *ctx, u64 start, u64 end, u32 bytes)
{
	static const struct cfi_reg_rule ra = { RIP, { .how = CFI_OFFSET, .offset = -8 } };
	struct taker *t = ctx;
	struct cfi_row row = {
		.start = start,
		.end = end,
		.cfa = { .how = CFI_REGISTER, .reg = RSP, .offset = (s64)bytes + 8 },
		.regs = &ra,
		.nr_regs = 1,
		.ra_reg = RIP,
	};

	t->nr++;
	return t->each_row(t->ctx, &row);
}

u32 rows_go(const struct go_function *f, const struct go_table *t,
	    bool (*each_row)(void *ctx, const struct cfi_row *row), void *ctx)
{
	struct taker taker = { each_row, ctx, 0 };

	go_table_stack(t, f, go_take_row, &taker);
	return taker.nr;
}
