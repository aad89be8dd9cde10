/* SPDX-License-Identifier: MIT */
/*
 * Reads the machine code of kernel functions, from the vmlinux or module file that has their
 * symbols, or from the memory of the running kernel (/proc/kcore) if that is the recorded one.
 */
#ifndef SYMBOLS_KERNEL_KERNEL_CODE_H
#define SYMBOLS_KERNEL_KERNEL_CODE_H

#include "base/err.h"
#include "symbols/elf/object.h"

/* The result of a read. */
struct kernel_code {
	size_t n;         /* bytes read */
	u64 vaddr;        /* st_value of the code in a file, or the ip in memory */
	u16 machine;      /* e_machine of the file */
	char section[32]; /* the file's section with the code; "" for memory */
};

/*
 * Reads up to n bytes of the code of function `name` (not demangled) from the ELF file at path into
 * buf. PERR_NOTFOUND: the file does not have the function or its code. PERR_IO, PERR_FORMAT: the
 * file cannot be read or is damaged.
 */
int kernel_code_of_file(const char *path, const char *name, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e) MUST_CHECK;

/*
 * Reads exactly n bytes of memory at ip from the core file at path (/proc/kcore). PERR_IO: the file
 * cannot be opened or read. PERR_FORMAT: it is damaged. PERR_NOTFOUND: it does not have that
 * memory.
 */
int kernel_code_of_core(const char *path, u64 ip, void *buf, size_t n, struct kernel_code *ret,
			struct perr *e) MUST_CHECK;

/*
 * Computes the distance between this host's kernel, whose symbol list is at path (/proc/kallsyms),
 * and the recorded one: the address of ref_sym in the list minus ref_addr. Returns false if the
 * first lines of the list do not have ref_sym, or addresses are hidden.
 */
bool kernel_code_host_shift(const char *path, const char *ref_sym, u64 ref_addr, u64 *ret);

struct dso_desc;
/*
 * Reads n bytes of the running kernel's memory at the address that corresponds to ip in the
 * recorded kernel `desc`. PERR_NOTFOUND: the running kernel is another build, or its load address
 * is unknown. Other errors are those of kernel_code_of_core().
 */
int kernel_code_of_host(const struct dso_desc *desc, u64 ip, void *buf, size_t n,
			struct kernel_code *ret, struct perr *e) MUST_CHECK;

#endif
