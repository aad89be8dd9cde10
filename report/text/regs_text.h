/* SPDX-License-Identifier: MIT */
/* Register names of a recording's machine, and the text of the uregs and iregs fields. */
#ifndef REPORT_TEXT_REGS_TEXT_H
#define REPORT_TEXT_REGS_TEXT_H

#include "base/out.h"
#include "fileformat/sample.h"

enum regs_arch {
	REGS_UNKNOWN,
	REGS_X86,
	REGS_ARM64,
	REGS_ARM,
	REGS_POWERPC,
	REGS_RISCV,
	REGS_S390,
	REGS_MIPS,
	REGS_LOONGARCH,
	REGS_CSKY,
};

/* From the E_MACHINE or ARCH feature; this machine's own where the file has neither. */
enum regs_arch regs_arch_of_file(const struct perfdata *pd);

/* From a uname -m text ("x86_64", "armv7l", ...) that ends at n or its NUL. */
enum regs_arch regs_arch_by_name(const char *name, size_t n);

/* Of a bit of sample_regs_user or sample_regs_intr; "unknown" for one that has none. */
const char *regs_name(enum regs_arch arch, unsigned int bit);

/* Appends " ABI:2    AX:0x1 ... " as perf script's uregs and iregs; nothing where abi is 0. */
void regs_text(struct out *o, enum regs_arch arch, const struct pd_regs *regs, bool swap);

#endif
