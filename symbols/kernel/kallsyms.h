/* SPDX-License-Identifier: MIT */
/*
 * The kernel's own symbol list, /proc/kallsyms or a copy of it: lines
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
	u64 start, end; /* as in the text, not relocated */
	u32 name;       /* offset in text */
	u16 name_len;   /* the [MODULE] part is not counted */
	u8 module_len;  /* "[MODULE]" with its brackets, behind a tab after the name; 0: none */
	char type;
};

/* A list; borrows the text. */
struct kallsyms {
	struct span text;
	bool hidden; /* every address is 0: the reader was not privileged enough */
	/* without one all was read at once, else when more is asked than it can say: */
	struct kallsyms_sketch sketch;
	pthread_mutex_t lock;
	atomic_bool is_read;
	struct kallsyms_sym *syms; /* by address; one per address, none empty */
	size_t nr, cap;
};

/*
 * Nothing in the text is an error: a line of another form, or with names longer than any kernel's,
 * is passed over. Texts beyond 4 GiB are cut there. Undone by kallsyms_fini.
 */
void kallsyms_init(struct kallsyms *k, struct span text);
void kallsyms_fini(struct kallsyms *k);

/* Reads the whole text into k->syms, once. Any thread may call it. */
void kallsyms_read(struct kallsyms *k);

bool kallsyms_is_empty(const struct kallsyms *k);

/*
 * The address of the text symbol `name` (nm types T, t, W, w) as in the text, also of one that
 * shares its address with another and so is not in syms. False when there is none.
 */
bool kallsyms_address(struct span text, const char *name, u64 *ret);

/* The kernel's own symbol, of no module, that holds addr (as in the text). Any thread may ask. */
bool kallsyms_find(struct kallsyms *k, u64 addr, struct kallsyms_sym *ret);

/* Where the first of these begins and the last ends; false when there are none. */
bool kallsyms_range(struct kallsyms *k, u64 *ret_start, u64 *ret_end);

/* Data, not code. */
bool kallsyms_is_data(const struct kallsyms_sym *s);

/*
 * Adds to tab the symbols of one module ("[name]"), or of the kernel itself (NULL), each moved by
 * delta. Returns how many.
 */
size_t kallsyms_fill(struct kallsyms *k, const char *module, u64 delta, struct symtab *tab);

#endif
