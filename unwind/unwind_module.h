/* SPDX-License-Identifier: MIT */
/*
 * One object's unwind information for the walker. The first thread that meets a function compiles
 * it; compiled functions live as long as the module and are read without locks.
 */
#ifndef UNWIND_UNWIND_MODULE_H
#define UNWIND_UNWIND_MODULE_H

#include "unwind/unwind_rule.h"

/*
 * The short form of the row for vaddr, which is all that most frames need. False when there is no
 * row. *ret_function: where the function's code begins, by its call frame information.
 */
bool unwind_module_rule(struct unwind_module *m, u64 vaddr, u32 *ret_rule, u64 *ret_function);
/* The row itself, of a vaddr that has one; lives as long as m. */
const struct full_row *unwind_module_row(struct unwind_module *m, u64 vaddr);

/*
 * Takes the rows from libdw (see unwind/cfi/rows_libdw.h), to check our own reading of them; the
 * functions still come from our index. Call it before the module is used.
 */
void unwind_module_use_libdw(struct unwind_module *m);

/*
 * The module is one function that was made at run time, which begins where the file's code does.
 * Call it before the module is used.
 */
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
