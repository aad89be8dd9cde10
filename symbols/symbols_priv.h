/* SPDX-License-Identifier: MIT */
/* The members of struct dso and struct symbols, for symbols.c and dso_source.c only. */
#ifndef SYMBOLS_SYMBOLS_PRIV_H
#define SYMBOLS_SYMBOLS_PRIV_H

#include <pthread.h>
#include <stdatomic.h>

#include "symbols/dso_debug.h"
#include "symbols/jit/jit_object.h"
#include "symbols/elf/object.h"
#include "symbols/table/origin.h"
#include "symbols/symbols.h"

enum dso_inlines { INLINES_UNKNOWN, INLINES_NONE, INLINES_EXPECTED };

struct dso {
	/* Held while the file is loaded, while one of several aliases is chosen, and while a
	 * demangled name is stored. */
	pthread_mutex_t lock;
	struct symbols *owner;
	u32 number; /* in owner->dsos */
	struct dso_desc desc;
	char *texts; /* of desc */
	struct symtab tab;
	struct sym_origin origin;
	/* The files of a DSO_USER. tab closes them, or with an opener dso_free(); NULL: not found.
	 */
	struct object *runtime;  /* the mapped file */
	struct object *src;      /* has the symbols */
	struct object *dwarf;    /* has the debug information */
	bool searched;           /* dso_search_files() has been called */
	char found_letter;       /* of src, see struct sym_origin */
	struct dso_debug *debug; /* opens dwarf; NULL if that is NULL */
	/* By index in tab: the symbol's name as it is printed; NULL before its first lookup. */
	_Atomic(const char *) *shown;
	bool loaded;
	atomic_bool is_settled; /* tab is final: lookups first try without the lock */
	atomic_int inlines;     /* enum dso_inlines, read without the lock */
	struct jit_object jit;  /* of a DSO_JIT that has jitdumps */
};

struct symbols {
	pthread_mutex_t lock; /* protects what stands below nr_expected */
	struct symbols_config cfg;
	atomic_ullong loaded_bytes; /* see symbols_loaded_bytes() */
	atomic_uint nr_expected;    /* objects for which dso_expect_inlines() returned true */
	struct dso **dsos;          /* by number; NULL: removed */
	size_t nr_dsos, cap_dsos;
	u32 *unused; /* numbers of removed objects */
	size_t nr_unused, cap_unused;
};

/* Searches for the files of a DSO_USER when it is called first. d->tab closes them, because its
 * names are borrowed from them. Called with d->lock held. */
void dso_search_files(struct dso *d);
/* Loads d's symbols if that has not been done. Called with d->lock held. */
void dso_ensure_loaded(struct dso *d);
/* Does the same as dso_find(), with d->lock held by the caller. */
bool dso_find_locked(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret);

#endif
