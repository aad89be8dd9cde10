/* SPDX-License-Identifier: MIT */
/* Register names of a recording's machine, and the text of the uregs and iregs fields. */
#ifndef REPORT_TEXT_REGS_TEXT_H
#define REPORT_TEXT_REGS_TEXT_H

#include "base/out.h"
#include "fileformat/sample.h"

/* Architectures with named registers. */
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

/* Returns the architecture of a file's E_MACHINE or ARCH section, this machine's without both. */
enum regs_arch regs_arch_of_file(const struct perfdata *pd);

/* Returns the architecture of a `uname -m` text of at most n bytes ("x86_64", "armv7l", ...). */
enum regs_arch regs_arch_by_name(const char *name, size_t n);

/* Returns the name of a bit of sample_regs_user or _intr, "unknown" if it has none. */
const char *regs_name(enum regs_arch arch, unsigned int bit);

/*
 * Appends registers as perf script's uregs and iregs fields do: " ABI:2    AX:0x1 ... "; nothing if
 * regs->abi is 0. swap: the values are in the other byte order (perfdata.swap).
 */
void regs_text(struct out *o, enum regs_arch arch, const struct pd_regs *regs, bool swap);

#endif
