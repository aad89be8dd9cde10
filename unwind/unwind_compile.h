/* SPDX-License-Identifier: MIT */
/*
 * Compiles the call frame information of one function into arrays that can be searched by address.
 * Equal rows are stored once for each compiler.
 */
#ifndef UNWIND_UNWIND_COMPILE_H
#define UNWIND_UNWIND_COMPILE_H

#include <pthread.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/elf/go_table.h"
#include "unwind/cfi/rows_libdw.h"
#include "unwind/unwind_rule.h"

/* The sources of call frame information. They must not change after the first compilation. */
struct row_source {
	enum unwind_arch arch;
	struct cfi *cfi;          /* NULL: the file has none */
	u32 nr_fdes;              /* entries of cfi; numbers from here on are functions of go */
	struct go_table go;       /* has no functions if the file is not a Go program */
	bool by_libdw;            /* read rows with libdw, for comparison */
	struct rows_libdw *libdw; /* the source with by_libdw; NULL: libdw finds no rows */
};

struct fn_row {
	u64 start;
	const struct full_row *row;
};

/* A function's full rows, ascending by start. */
struct fn {
	u32 nr;
	struct fn_row rows[];
};

struct fn_rule {
	u32 off; /* from the function's start */
	u32 rule;
};

/* A function's rows as 32-bit rules (unwind_rule.h), ascending. Addresses before the first rule
 * have none. */
struct fn_rules {
	u64 start, end;
	u32 nr;
	struct fn_rule rules[];
};

/* A compiler and its results. The lock protects all members, so one thread at a time compiles. */
struct compiler {
	const struct row_source *from;
	pthread_mutex_t lock;
	struct arena arena;    /* of all results */
	struct idmap distinct; /* key: hash of a row, collision count; value: index in rows */
	const struct full_row **rows;
	size_t nr_rows, cap_rows;
	/* Of the function that is being compiled: */
	struct fn_row *scratch;
	size_t nr_scratch, cap_scratch;
	struct fn_rule *rules;
	size_t nr_rules, cap_rules;
	u64 start, end;
	u64 nr_go_rows;        /* rows from Go's table, of all functions so far */
	struct rule_regs regs; /* of the previous row */
	u8 *row_bytes;         /* the row that is being compared */
	size_t cap_row_bytes;
};

/* Starts a compiler. *c must be all zero. from is borrowed until compiler_fini(), which also frees
 * all results. */
void compiler_init(struct compiler *c, const struct row_source *from);
void compiler_fini(struct compiler *c);

/*
 * Compiles function number `index` into 32-bit rules. Numbers below from->nr_fdes are entries of
 * from->cfi, the others are functions of from->go. If the entry is damaged, the result has the
 * rules before the damage. It is valid until compiler_fini(). The caller holds c->lock.
 */
struct fn_rules *compiler_make_rules(struct compiler *c, u32 index);
/* Compiles function number `index` like compiler_make_rules(), but into full rows. */
struct fn *compiler_make_fn(struct compiler *c, u32 index);

/* Makes the row for Go functions that have no caller, such as runtime.goexit. Call it before other
 * threads use c. */
const struct full_row *compiler_make_go_end(struct compiler *c);

#endif
