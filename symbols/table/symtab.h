/* SPDX-License-Identifier: MIT */
/*
 * The symbol table of one object, sorted by start. A loader adds symbols from any source (ELF,
 * kallsyms, a JIT map) and finishes the table; after that it is only searched. Addresses are dso
 * addresses (symbols/symbols.h); ranges are half-open [start, end). One thread at a time uses a
 * table, except for symtab_find_settled().
 */
#ifndef SYMBOLS_TABLE_SYMTAB_H
#define SYMBOLS_TABLE_SYMTAB_H

#include "base/mem.h"
#include "base/text_format.h"
#include "base/types.h"

/* SYM_OTHER: as STB_GNU_UNIQUE; among aliases it ranks as SYM_LOCAL. */
enum sym_binding { SYM_LOCAL, SYM_GLOBAL, SYM_WEAK, SYM_OTHER };

struct sym {
	u64 start, end;
	const char *name; /* not demangled; valid as long as the table */
	u32 cut;    /* bytes at its front that another symbol covers: it began at start - cut */
	u8 binding; /* enum sym_binding */
	bool untyped : 1;   /* STT_NOTYPE */
	bool is_ifunc : 1;  /* it, or an alias of it that was dropped, is an STT_GNU_IFUNC */
	bool is_object : 1; /* data, not code */
	bool is_plt : 1;    /* a PLT slot: name is the function that it calls, "" if unknown */
	bool open_end : 1;  /* the source gives no size: end is the start of the next symbol */
	/* The next symbol is an alias, and only the text of the names decides between them. Not a
	 * bit-field, because symtab_find_settled() reads it while symtab_find() writes. */
	u8 is_rival;
};

/* An owner of borrowed names, which symtab_fini() releases. */
struct symtab_kept {
	void *p;
	void (*release)(void *p);
};

struct symtab {
	struct sym *syms;
	size_t nr, cap;
	size_t nr_sorted; /* symbols at the front that are sorted already */
	u32 *marks;       /* an index into syms by address, see symtab.c; NULL: not built */
	unsigned int mark_shift;
	u32 *outers; /* by symbol: the nearest earlier one that contains its start; or NULL */
	struct arena strings;
	bool finished;
	enum text_format format; /* the perf version whose rules choose between aliases */
	bool by_readable;        /* those rules compare demangled names */
	struct symtab_kept *kept;
	size_t nr_kept, cap_kept;
};

void symtab_init(struct symtab *t);
void symtab_fini(struct symtab *t);

/*
 * Adds a symbol. symtab_finish() gives symbols of size 0 an end. The name is copied. A finished
 * table can be added to, but must then be finished again.
 */
void symtab_add(struct symtab *t, u64 start, u64 size, const char *name, u8 binding, bool untyped);

/* Adds a symbol like symtab_add() and returns it, but borrows the name, which must be valid as long
 * as the table. The symbol's address is valid until the next one is added. */
struct sym *symtab_add_borrowed(struct symtab *t, u64 start, u64 size, const char *name, u8 binding,
				bool untyped);

/* Makes room for nr more symbols. */
void symtab_reserve(struct symtab *t, size_t nr);

/* Makes symtab_fini() call release(p), for memory that names are borrowed from. */
void symtab_keep(struct symtab *t, void *p, void (*release)(void *p));

/*
 * Sorts the symbols, gives those of size 0 an end and drops aliases: of symbols with the same start
 * it keeps the one that perf chooses (docs/FORMAT.md 7.6). A symbol of size 0 ends at the next
 * symbol's start, the last one 4096 bytes after its start rounded up to a multiple of 4096. With
 * `kernel`, ends follow the rules for kallsyms (docs/FORMAT.md 7.3).
 */
void symtab_finish(struct symtab *t, bool kernel);

/* Sorts the symbols but keeps aliases, because perf adds some symbols (PLT slots) without dropping
 * others at their address. */
void symtab_sort(struct symtab *t);

/*
 * Returns the symbol whose range contains addr, NULL if none does. Of nested symbols it is the
 * innermost, but a symbol without a size counts only if no symbol with a size contains addr.
 * Aliases of which the text of their names decides are chosen here, at their first lookup, because
 * that may need demangling.
 */
const struct sym *symtab_find(struct symtab *t, u64 addr);

/* Prepares a finished table for symtab_find_settled(). No symbol may be added after it. */
void symtab_settle(struct symtab *t);

/*
 * Looks addr up like symtab_find(), without changing the table, so any number of threads may call
 * it while one calls symtab_find(). Returns false if aliases at addr have not been chosen between:
 * then call symtab_find().
 */
bool symtab_find_settled(const struct symtab *t, u64 addr, const struct sym **ret);

#endif
