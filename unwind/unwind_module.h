/* SPDX-License-Identifier: MIT */
/*
 * Looks up the unwind information of one ELF file. The first thread that needs a function's rules
 * compiles them. Compiled rules are valid as long as the module and are read without locks.
 */
#ifndef UNWIND_UNWIND_MODULE_H
#define UNWIND_UNWIND_MODULE_H

#include "unwind/unwind_rule.h"

/*
 * Finds the 32-bit rule (unwind_rule.h) for vaddr, which is all that most frames need. Returns
 * false if vaddr has no call frame information. *ret_function: the function's start by that
 * information. Any thread may call it.
 */
bool unwind_module_rule(struct unwind_module *m, u64 vaddr, u32 *ret_rule, u64 *ret_function);
/* Returns the full row for a vaddr that has call frame information. It is valid as long as m. Any
 * thread may call it. */
const struct full_row *unwind_module_row(struct unwind_module *m, u64 vaddr);

/*
 * Makes the module read rows with libdw (unwind/cfi/rows_libdw.h), to check our own reader.
 * Functions are still found by our index. Call it before the module is used.
 */
void unwind_module_use_libdw(struct unwind_module *m);

/*
 * Declares that the module is a single JIT-compiled function, which begins where the file's code
 * does. Call it before the module is used.
 */
void unwind_module_set_made(struct unwind_module *m);
/* True after unwind_module_set_made(). */
bool unwind_module_is_made(const struct unwind_module *m);

/* Returns the mapped file. */
const struct object *unwind_module_code(const struct unwind_module *m);

/* Returns the file's architecture, UNWIND_NR_ARCHS if it is not supported. */
enum unwind_arch unwind_module_arch(const struct unwind_module *m);
/* True if the file has the other byte order than this machine. */
bool unwind_module_swap(const struct unwind_module *m);

/* True if the functions of the file keep frame pointers: it is a Go program, which is recognised by
 * its table of functions. */
bool unwind_module_keeps_frames(const struct unwind_module *m);

/* True if vaddr is in the code that a program begins with (_start): it has no caller. */
bool unwind_module_is_start(const struct unwind_module *m, u64 vaddr);

/*
 * Returns up to n bytes of the file that are mapped at vaddr, from segments that are not writable,
 * so that memory had the same bytes. It returns fewer, or none, where the segment ends.
 */
struct span unwind_module_bytes(const struct unwind_module *m, u64 vaddr, size_t n);
/* Returns up to n bytes of the file that are mapped before vaddr, see unwind_module_bytes(). */
struct span unwind_module_bytes_before(const struct unwind_module *m, u64 vaddr, size_t n);

#endif
