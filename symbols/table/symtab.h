/* SPDX-License-Identifier: MIT */
/*
 * A table of symbols, sorted by start, of one object: built from any source (ELF, kallsyms, a JIT
 * map), finished once, then only searched. Addresses are of the object's own space, see
 * symbols/symbols.h; ranges are half-open [start, end).
 */
#ifndef SYMBOLS_TABLE_SYMTAB_H
#define SYMBOLS_TABLE_SYMTAB_H

#include "base/mem.h"
#include "base/text_format.h"
#include "base/types.h"

enum sym_binding { SYM_LOCAL, SYM_GLOBAL, SYM_WEAK };

struct sym {
	u64 start, end;
	const char *name; /* as in the source, not demangled; lives as long as the table */
	u32 cut;    /* bytes of its front that another symbol hides: it began at start - cut */
	u8 binding; /* enum sym_binding */
	bool untyped : 1;   /* STT_NOTYPE */
	bool is_ifunc : 1;  /* this one, or one that it was chosen over */
	bool is_object : 1; /* data, not code */
	bool is_plt : 1;    /* a PLT slot: name is of the function it calls, "" when not known */
	bool open_end : 1;  /* its size is not known: end is where the next begins */
	/* Only the text of the names decides between it and its neighbour. Alone in its byte:
	 * symtab_find_settled reads it while symtab_find judges. */
	u8 is_rival;
};

/* Something that names were borrowed from, released with the table. */
struct symtab_kept {
	void *p;
	void (*release)(void *p);
};

struct symtab {
	struct sym *syms;
	size_t nr, cap;
	size_t nr_sorted; /* of them, at the front */
	u32 *marks;       /* where searches begin, see symtab.c; NULL: not made yet */
	unsigned int mark_shift;
	u32 *outers; /* per symbol the nearest before that reaches over its start, or NULL */
	struct arena strings;
	bool finished;
	enum text_format format; /* whose rules choose between aliases */
	bool by_readable; /* aliases compete with their demangled names, as perf shows them */
	struct symtab_kept *kept;
	size_t nr_kept, cap_kept;
};

void symtab_init(struct symtab *t);
void symtab_fini(struct symtab *t);

/*
 * Adds a symbol; size 0 is mended by symtab_finish. The name is copied. The table can be added to
 * after it was finished: it then has to be finished again.
 */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 binding, bool untyped);

/* As symtab_add, but the name is borrowed: it must live as long as the table. */
struct sym *symtab_add_borrowed(struct symtab *t, u64 start, u64 size, const char *name, u8 binding,
				bool untyped);

/* Makes room for nr more symbols. */
void symtab_reserve(struct symtab *t, size_t nr);

/* Calls release(p) with symtab_fini. */
void symtab_keep(struct symtab *t, void *p, void (*release)(void *p));

/*
 * Sorts, mends size-0 ends (next start; the last one rounded up to the next 4096 plus 4096) and
 * keeps one of the symbols that share a start, chosen as perf chooses (FORMAT.md 7.6). kernel:
 * ends are mended by kallsyms' rules instead (FORMAT.md 7.3).
 */
void symtab_finish(struct symtab *t, bool kernel);

/* Sorts only: for symbols that perf adds beside others at their address, such as PLT slots. */
void symtab_sort(struct symtab *t);

/*
 * The symbol whose range holds addr (of nested ones the innermost, but a label without a size only
 * where no symbol with one reaches), NULL when none does. Aliases
 * that only the text of their names tells apart are judged here, when they are first met.
 */
const struct sym *symtab_find(struct symtab *t, u64 addr);

/* What makes symtab_find_settled work; the table stays as it is from now on. */
void symtab_settle(struct symtab *t);

/*
 * As symtab_find, beside one thread that does call it. False when something is to be judged first:
 * then only symtab_find can say.
 */
bool symtab_find_settled(const struct symtab *t, u64 addr, const struct sym **ret);

#endif
