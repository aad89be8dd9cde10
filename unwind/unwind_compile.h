/* SPDX-License-Identifier: MIT */
/*
 * The rows of one function, compiled into arrays that are searched by address. Equal rows are kept
 * once a compiler.
 */
#ifndef UNWIND_UNWIND_COMPILE_H
#define UNWIND_UNWIND_COMPILE_H

#include <pthread.h>

#include "base/hash.h"
#include "base/mem.h"
#include "symbols/elf/go_table.h"
#include "unwind/cfi/rows_libdw.h"
#include "unwind/unwind_rule.h"

/* What rows are read from. Does not change once something was compiled. */
struct row_source {
	enum unwind_arch arch;
	struct cfi *cfi;    /* NULL: there is none */
	u32 nr_fdes;        /* of cfi; entries from this number on are functions of go */
	struct go_table go; /* without functions: there is none */
	bool by_libdw;
	struct rows_libdw *libdw; /* with by_libdw: where rows come from; NULL: there are none */
};

struct fn_row {
	u64 start;
	const struct full_row *row;
};

/* One function, its rows whole: ascending. */
struct fn {
	u32 nr;
	struct fn_row rows[];
};

struct fn_rule {
	u32 off; /* from the function's start */
	u32 rule;
};

/* One function, its rows in short; what lies before the first or behind `end` has none. */
struct fn_rules {
	u64 start, end;
	u32 nr;
	struct fn_rule rules[];
};

/* One thread at a time compiles with it: all of it is under the lock. */
struct compiler {
	const struct row_source *from;
	pthread_mutex_t lock;
	struct arena arena;
	struct idmap distinct; /* hash of a row, number of collisions -> index in rows */
	const struct full_row **rows;
	size_t nr_rows, cap_rows;
	/* of the function being compiled: */
	struct fn_row *scratch;
	size_t nr_scratch, cap_scratch;
	struct fn_rule *rules;
	size_t nr_rules, cap_rules;
	u64 start, end;
	u64 nr_go_rows;        /* of all functions so far */
	struct rule_regs regs; /* of the row before */
	u8 *row_bytes;         /* of the row being compared */
	size_t cap_row_bytes;
};

/* c is zeroed; from is borrowed until compiler_fini, which frees all that c made. */
void compiler_init(struct compiler *c, const struct row_source *from);
void compiler_fini(struct compiler *c);

/*
 * The rules, and the whole rows, of the entry of that number: of from->cfi, behind them of
 * from->go. Where the entry's instructions are damaged, what comes before that place. Under
 * c->lock.
 */
struct fn_rules *compiler_make_rules(struct compiler *c, u32 index);
struct fn *compiler_make_fn(struct compiler *c, u32 index);

/* The row of the outermost function of a stack of Go: it has no caller. Before other threads use c.
 */
const struct full_row *compiler_make_go_end(struct compiler *c);

#endif
