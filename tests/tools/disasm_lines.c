/* SPDX-License-Identifier: MIT */
/*
 * Lines "ADDRESS BYTES" (both hexadecimal, one instruction each) -> its text, as pann disassembles
 * it without names of places. For comparisons with objdump: tests/checks/pann.sh.
 *
 *	disasm_lines x86_64|i386|aarch64|arm|thumb att|intel < LINES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/disasm/disasm.h"

static size_t parse_bytes(const char *s, u8 *ret, size_t max)
{
	size_t n = 0;
	unsigned int byte;

	while (n < max && sscanf(s, "%2x", &byte) == 1) {
		ret[n++] = (u8)byte;
		s += 2;
	}
	return n;
}

int main(int argc, char **argv)
{
	static const char *const archs[] = { "x86_64", "i386", "aarch64", "arm", "thumb" };
	struct disasm_code *d = NULL;
	struct disasm_insn insn;
	char line[256], bytes[128];
	unsigned long long addr;
	struct out o;
	u8 code[32];
	size_t i, n;

	if (argc != 3)
		return 2;
	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (!strcmp(argv[1], archs[i]))
			d = disasm_code_new((enum disasm_arch)i, !strcmp(argv[2], "intel"));
	if (!d)
		return 77;
	out_init(&o, stdout);
	while (fgets(line, sizeof(line), stdin)) {
		if (sscanf(line, "%llx %127s", &addr, bytes) != 2)
			continue;
		n = parse_bytes(bytes, code, sizeof(code));
		if (!n)
			continue;
		disasm_code_next(d, &o, code, n, addr, &insn);
		out_printf(&o, " |%u\n", insn.len);
	}
	disasm_code_free(d);
	return out_fini(&o) ? 1 : 0;
}
