/* SPDX-License-Identifier: MIT */
/*
 * One object's unwind information for the walker. Functions are compiled when first met, by
 * whichever thread meets them; what is compiled stays for good and is read without locks.
 */
#ifndef UNWIND_UNWIND_MODULE_H
#define UNWIND_UNWIND_MODULE_H

#include "unwind/unwind_rule.h"

/*
 * The row that holds at vaddr in short: all that most frames need. False when nothing is said about
 * it. *ret_function is where the function's code begins, as the call frame information has it.
 */
bool unwind_module_rule(struct unwind_module *m, u64 vaddr, u32 *ret_rule, u64 *ret_function);
/* The row itself, of a vaddr that has one; lives as long as m. */
const struct full_row *unwind_module_row(struct unwind_module *m, u64 vaddr);

/*
 * To be called before the module is used: rows come from libdw instead (see unwind/rows_libdw.h),
 * for doubt about our own reading of them. Which functions there are is still ours to say.
 */
void unwind_module_use_libdw(struct unwind_module *m);

/* Likewise: it is one function that was made at run time, and begins where the file's code does. */
void unwind_module_set_made(struct unwind_module *m);
bool unwind_module_is_made(const struct unwind_module *m);

/* The mapped file. */
const struct object *unwind_module_code(const struct unwind_module *m);

/* UNWIND_NR_ARCHS when it is of none that is known here. */
enum unwind_arch unwind_module_arch(const struct unwind_module *m);
bool unwind_module_swap(const struct unwind_module *m);

/* Its functions keep frame pointers: those of Go, whose table of functions is never stripped. */
bool unwind_module_keeps_frames(const struct unwind_module *m);

/*
 * Up to n bytes of the file that are mapped at vaddr and cannot have changed: those of segments
 * that are not writable. Fewer, or none, where the segment ends.
 */
struct span unwind_module_bytes(const struct unwind_module *m, u64 vaddr, size_t n);
/* Up to n bytes before vaddr. */
struct span unwind_module_bytes_before(const struct unwind_module *m, u64 vaddr, size_t n);

#endif
