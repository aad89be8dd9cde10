/* SPDX-License-Identifier: MIT */
#include "report/disasm/disasm_priv.h"

#include "base/mem.h"
#include "symbols/elf/insn_len.h"

struct disasm_code *disasm_code_new(enum disasm_arch arch, bool intel)
{
	static const struct {
		cs_arch arch;
		cs_mode mode;
	} modes[] = {
		[DISASM_X86_64] = { CS_ARCH_X86, CS_MODE_64 },
		[DISASM_I386] = { CS_ARCH_X86, CS_MODE_32 },
		[DISASM_ARM64] = { CS_ARCH_ARM64, CS_MODE_ARM },
		[DISASM_ARM] = { CS_ARCH_ARM, CS_MODE_ARM },
		[DISASM_THUMB] = { CS_ARCH_ARM, CS_MODE_THUMB },
	};
	struct disasm_code *d = xcalloc(1, sizeof(*d));

	d->arch = arch;
	d->intel = intel;
	if (cs_open(modes[arch].arch, modes[arch].mode, &d->handle) != CS_ERR_OK) {
		free(d);
		return NULL;
	}
	cs_option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
	d->insn = cs_malloc(d->handle);
	return d;
}

void disasm_code_free(struct disasm_code *d)
{
	if (!d)
		return;
	cs_free(d->insn, 1);
	cs_close(&d->handle);
	free(d);
}

static bool is_x86(const struct disasm_code *d)
{
	return d->arch == DISASM_X86_64 || d->arch == DISASM_I386;
}

/* What capstone does not know: an x86 instruction of known length, or data. */
static void print_unknown(const struct disasm_code *d, struct out *o, const u8 *p, size_t n,
			  struct disasm_insn *ret)
{
	unsigned int len, i;

	if (is_x86(d)) {
		len = x86_insn_len(p, n, d->arch == DISASM_X86_64);
		if (!len || len > n) {
			ret->len = 1;
			out_str(o, "(bad)");
			return;
		}
		ret->len = len;
		for (i = 0; i < len; i++)
			out_printf(o, "%s0x%02x", i ? "," : ".byte  ", p[i]);
		return;
	}
	len = d->arch == DISASM_THUMB ? 2 : 4;
	if (n < len) {
		ret->len = 1;
		out_printf(o, ".byte\t0x%02x", p[0]);
	} else if (len == 2) {
		ret->len = 2;
		out_printf(o, ".short\t0x%04x", p[0] | p[1] << 8);
	} else {
		ret->len = 4;
		out_printf(o,
			   d->arch == DISASM_ARM64 ? ".inst\t0x%08x ; undefined" : ".word\t0x%08x",
			   (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24);
	}
}

static bool decode(struct disasm_code *d, const u8 *p, size_t n, u64 ip)
{
	return cs_disasm_iter(d->handle, &p, &n, &ip, d->insn) && d->insn->size;
}

/* An x86 instruction by one with the same operands; its own length. */
static unsigned int decode_sister(struct disasm_code *d, const u8 *p, size_t n, u64 ip)
{
	unsigned int len = x86_insn_len(p, n, true);

	if (d->arch != DISASM_X86_64 || !len || len > n || !disasm_sister(p, len, &d->sister) ||
	    !decode(d, d->sister.code, d->sister.len, ip) || d->insn->size != d->sister.len)
		return 0;
	return len;
}

void disasm_code_next(struct disasm_code *d, struct out *o, const u8 *p, size_t n, u64 ip,
		      struct disasm_insn *ret)
{
	unsigned int len = 0;

	*ret = (struct disasm_insn){ 0 };
	d->has_sister = false;
	if (decode(d, p, n, ip) && d->insn->size <= n)
		len = d->insn->size;
	if (!len) {
		len = decode_sister(d, p, n, ip);
		d->has_sister = len;
	}
	if (!len) {
		print_unknown(d, o, p, n, ret);
		return;
	}
	ret->len = len;
	if (is_x86(d))
		disasm_x86_print(d, o, d->has_sister ? d->sister.code : p, ret);
	else
		disasm_arm_print(d, o, ret);
	/* places are counted from an instruction's end */
	if (d->has_sister && ret->kind == DISASM_TARGET_COMMENT)
		ret->target -= d->insn->size - len;
}
