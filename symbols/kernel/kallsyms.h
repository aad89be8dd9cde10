/* SPDX-License-Identifier: MIT */
/*
 * Reads the kernel's symbol list, /proc/kallsyms or a copy of it, which has lines of the form
 *
 *	ADDRESS TYPE NAME[\t[MODULE]]		(address in hex, without 0x)
 *
 * Addresses are run-time addresses of the kernel that wrote the text.
 */
#ifndef SYMBOLS_KERNEL_KALLSYMS_H
#define SYMBOLS_KERNEL_KALLSYMS_H

#include <pthread.h>
#include <stdatomic.h>

#include "symbols/kernel/kallsyms_sketch.h"
#include "symbols/table/symtab.h"

struct kallsyms_sym {
	u64 start, end; /* addresses as in the text */
	u32 name;       /* offset of the name in the text */
	u16 name_len;   /* bytes of the name */
	u8 module_len;  /* bytes of "[MODULE]", which follows the name and a tab; 0: no module */
	char type;      /* as in nm(1) */
};

/* A symbol list. It borrows the text. */
struct kallsyms {
	struct span text;
	bool hidden; /* every address is 0: the kernel hides them from this user */
	/* Finds symbols of the kernel itself without reading the whole text; may be empty. */
	struct kallsyms_sketch sketch;
	pthread_mutex_t lock;      /* held while the whole text is read into syms */
	atomic_bool is_read;       /* syms is complete */
	struct kallsyms_sym *syms; /* sorted by address, one for each address */
	size_t nr, cap;
};

/*
 * Opens the list in `text`, which is borrowed until kallsyms_fini(). No text is an error: lines of
 * another form, or with names longer than a kernel's can be, are skipped, and a text is cut at
 * 4 GiB.
 */
void kallsyms_init(struct kallsyms *k, struct span text);
void kallsyms_fini(struct kallsyms *k);

/* Reads the whole text into k->syms, once. Any thread may call it. */
void kallsyms_read(struct kallsyms *k);

/* True if the list has no symbols. */
bool kallsyms_is_empty(const struct kallsyms *k);

/*
 * Finds the address of the code symbol `name` (nm types T, t, W, w) by searching the text, which
 * also has aliases that k->syms drops. Returns false if the text does not have it.
 */
bool kallsyms_address(struct span text, const char *name, u64 *ret);

/* Finds the symbol of the kernel itself, not of a module, that contains addr, an address as in the
 * text. Returns false if none does. Any thread may call it. */
bool kallsyms_find(struct kallsyms *k, u64 addr, struct kallsyms_sym *ret);

/* Finds the start of the first and the end of the last symbol of the kernel itself, without
 * modules; false if the list has none. */
bool kallsyms_range(struct kallsyms *k, u64 *ret_start, u64 *ret_end);

/* Returns the enum sym_binding of a symbol by its type. */
u8 kallsyms_binding(char type);

/*
 * False: the end of s may be a guess, as end_of_last() makes, and other symbols may lie before it.
 * True: no other symbol of the list begins between its start and its end.
 */
bool kallsyms_is_alone(const struct kallsyms_sym *s);
/* True if the symbol is data and not code. */
bool kallsyms_is_data(const struct kallsyms_sym *s);

/*
 * Adds the symbols of one module ("[name]"), or with NULL of the kernel itself, to tab, and `delta`
 * to their addresses. Returns how many it added.
 */
size_t kallsyms_fill(struct kallsyms *k, const char *module, u64 delta, struct symtab *tab);

#endif
