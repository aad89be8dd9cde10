/* SPDX-License-Identifier: MIT */
/* A whole file in memory, and all that the commands do with one. */
#include "tests/frame/use_all.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static int open_mem(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	const struct span *s = ctx;

	return pd_open_mem(*s, "fuzz", diag, ret, e);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct span s = span_of(data, size);
	struct use_all u = { .open = open_mem, .ctx = &s, .turn = size };

	use_all(&u);
	return 0;
}
