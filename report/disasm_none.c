/* SPDX-License-Identifier: MIT */
/* Built instead of disasm.c where capstone is not installed. */
#include "report/disasm.h"

bool disasm_is_available(void)
{
	return false;
}

struct disasm *disasm_new(void)
{
	return NULL;
}

void disasm_free(struct disasm *d)
{
	(void)d;
}

bool disasm_text(struct disasm *d, struct out *o, const u8 *p, size_t n, u64 ip, bool is_64,
		 disasm_symbol_fn symbol, void *ctx)
{
	(void)d;
	(void)o;
	(void)p;
	(void)n;
	(void)ip;
	(void)is_64;
	(void)symbol;
	(void)ctx;
	return false;
}
