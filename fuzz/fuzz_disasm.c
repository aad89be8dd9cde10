/* SPDX-License-Identifier: MIT */
/*
 * Code as pann shows it. Input: u8 options, then bytes. Bits 0 to 2: the architecture, bit 3: Intel
 * syntax; with bit 7 the bytes are an ELF file instead, whose symbols name addresses.
 */
#include "base/mem.h"
#include "report/disasm/disasm.h"
#include "symbols/elf/near_symbol.h"
#include "symbols/elf/object.h"

#define CODE_MAX 4096u
#define FILE_MAX (256u << 10)
#define NAMES 64

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void disassemble(const u8 *p, size_t n, enum disasm_arch arch, bool intel)
{
	struct disasm_code *d = disasm_code_new(arch, intel);
	struct disasm_insn in;
	struct out o;

	out_init_mem(&o);
	for (size_t off = 0; d && off < n; off += in.len) {
		disasm_code_next(d, &o, p + off, n - off, off, &in);
		if (!in.len || in.len > n - off)
			abort();
	}
	out_fini(&o);
	disasm_code_free(d);
}

static void name_places(const u8 *p, size_t n)
{
	struct near_symbol s[NAMES];
	struct object *o;
	u64 value;
	u16 section;

	if (object_open_mem("fuzz", p, n, &o, NULL))
		return;
	for (size_t i = 0; i < NAMES; i++)
		s[i] = (struct near_symbol){ .addr = i * 0x81 };
	near_symbols_find(o, s, NAMES);
	near_symbols_find_slots(o, s, NAMES);
	for (size_t i = 0; i < NAMES; i++)
		if (s[i].name && s[i].value > s[i].addr)
			abort();
	(void)near_symbol_by_name(o, "main", &value, &section);
	object_close(o);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	static const enum disasm_arch archs[] = { DISASM_X86_64, DISASM_I386, DISASM_ARM64,
						  DISASM_ARM, DISASM_THUMB };

	if (size < 2 || size > FILE_MAX)
		return 0;
	if (data[0] & 0x80)
		name_places(data + 1, size - 1);
	else if (size <= CODE_MAX)
		disassemble(data + 1, size - 1, archs[(data[0] & 7) % ARRAY_SIZE(archs)],
			    data[0] & 8);
	return 0;
}
