/* SPDX-License-Identifier: MIT */
#include "report/disasm/disasm.h"

#include <capstone/capstone.h>

#include "base/mem.h"

struct disasm {
	csh handle[2]; /* 32-bit and 64-bit code; 0: not opened yet, or refused */
	bool tried[2];
};

bool disasm_is_available(void)
{
	return true;
}

struct disasm *disasm_new(void)
{
	return xcalloc(1, sizeof(struct disasm));
}

void disasm_free(struct disasm *d)
{
	int i;

	for (i = 0; d && i < 2; i++)
		if (d->handle[i])
			cs_close(&d->handle[i]);
	free(d);
}

static csh get_handle(struct disasm *d, bool is_64)
{
	csh *h = &d->handle[is_64];

	if (d->tried[is_64])
		return *h;
	d->tried[is_64] = true;
	if (cs_open(CS_ARCH_X86, is_64 ? CS_MODE_64 : CS_MODE_32, h) != CS_ERR_OK) {
		*h = 0;
		return 0;
	}
	cs_option(*h, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
	cs_option(*h, CS_OPT_DETAIL, CS_OPT_ON);
	return *h;
}

/* The address that an instruction with one immediate operand, a branch, goes to. */
static bool has_target(const cs_insn *in, u64 *ret)
{
	if (!in->detail || in->detail->x86.op_count != 1 ||
	    in->detail->x86.operands[0].type != X86_OP_IMM)
		return false;
	*ret = (u64)in->detail->x86.operands[0].imm;
	return true;
}

bool disasm_text(struct disasm *d, struct out *o, const u8 *p, size_t n, u64 ip, bool is_64,
		 disasm_symbol_fn symbol, void *ctx)
{
	csh h = d ? get_handle(d, is_64) : 0;
	cs_insn *in;
	u64 target;

	if (!h || !cs_disasm(h, p, n, ip, 1, &in))
		return false;
	out_str(o, in->mnemonic);
	out_char(o, ' ');
	if (!symbol || !has_target(in, &target) || !symbol(ctx, o, target))
		out_str(o, in->op_str);
	cs_free(in, 1);
	return true;
}
