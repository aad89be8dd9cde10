/* SPDX-License-Identifier: MIT */
/*
 * Code bytes of kernel functions: out of the vmlinux (or module file) that their symbols came from,
 * or of the running kernel's memory, /proc/kcore, where the symbols are those of the running
 * kernel.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_CODE_H
#define SYMBOLS_KERNEL_KERNEL_CODE_H

#include "base/err.h"
#include "symbols/elf/object.h"

/* What was read. */
struct kernel_code {
	size_t n;         /* bytes */
	u64 vaddr;        /* of them in the file (of modules, in its section), or the ip */
	u16 machine;      /* e_machine */
	char section[32]; /* "" for memory */
};

/*
 * The code of function `name` (as the linker has it) in the file at path: n bytes at most go to
 * buf. PERR_NOTFOUND, PERR_IO, PERR_FORMAT.
 */
int kernel_code_of_file(const char *path, const char *name, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e) MUST_CHECK;

/*
 * n bytes of memory at ip from the core file at path (/proc/kcore): all of them or an error.
 * PERR_IO: cannot be opened or read, PERR_FORMAT, PERR_NOTFOUND: it has no such memory.
 */
int kernel_code_of_core(const char *path, u64 ip, void *buf, size_t n, struct kernel_code *ret,
			struct perr *e) MUST_CHECK;

/*
 * How far this host's kernel, whose list of symbols is at path (/proc/kallsyms), is moved against
 * the recorded one: its address of ref_sym less ref_addr. False when the list's first lines do not
 * have ref_sym, or hide addresses.
 */
bool kernel_code_host_shift(const char *path, const char *ref_sym, u64 ref_addr, u64 *ret);

struct dso_desc;
/*
 * n bytes of the running kernel's memory where it has what the recorded kernel `desc` had at ip.
 * PERR_NOTFOUND: it is another build, or cannot be told; as kernel_code_of_core.
 */
int kernel_code_of_host(const struct dso_desc *desc, u64 ip, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e) MUST_CHECK;

#endif
