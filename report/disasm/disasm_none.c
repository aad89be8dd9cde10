/* SPDX-License-Identifier: MIT */
/* Built instead of disasm.c where capstone is not installed. */
#include "report/disasm/disasm.h"

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

struct disasm_code *disasm_code_new(enum disasm_arch arch, bool intel)
{
	(void)arch;
	(void)intel;
	return NULL;
}

void disasm_code_free(struct disasm_code *d)
{
	(void)d;
}

/* Nobody has a disasm_code to come here with. */
void disasm_code_next(struct disasm_code *d, struct out *o, const u8 *p, size_t n, u64 ip,
		      struct disasm_insn *ret)
{
	(void)d;
	(void)p;
	(void)n;
	(void)ip;
	out_str(o, "(bad)");
	*ret = (struct disasm_insn){ .len = 1 };
}
