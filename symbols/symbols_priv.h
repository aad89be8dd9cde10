/* SPDX-License-Identifier: MIT */
/* An object and a table of objects as symbols.c and dso_source.c see them; for these two only. */
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
	/* Held to load the file, to judge aliases and to keep demangled names. */
	pthread_mutex_t lock;
	struct symbols *owner;
	u32 number; /* in owner->dsos */
	struct dso_desc desc;
	struct symtab tab;
	struct sym_origin origin;
	struct object *runtime;  /* the mapped file, kept by tab; NULL when it was not found */
	struct object *src;      /* what has the symbols; likewise */
	struct object *dwarf;    /* what has the debug information; likewise */
	bool searched;           /* for these files */
	char found_letter;       /* of src, see struct sym_origin */
	struct dso_debug *debug; /* made by the load, NULL: no file has any */
	/* By index in tab: the name as it is printed, once it was asked for. */
	_Atomic(const char *) *shown;
	bool loaded;
	atomic_bool is_settled; /* tab and shown are searched without the lock where that does */
	atomic_int inlines;     /* enum dso_inlines, read without the lock */
	struct jit_object jit;  /* of a DSO_JIT with jitdumps */
};

struct symbols {
	pthread_mutex_t lock; /* of the list, and of strings */
	struct symbols_config cfg;
	struct arena strings;    /* descriptions */
	atomic_uint nr_expected; /* objects with debug information that dso_expect_inlines met */
	struct dso **dsos;
	size_t nr_dsos, cap_dsos;
};

/* These are called with d->lock held. */

/* Finds the files of a DSO_USER, once. The table keeps them, because it borrows their names. */
void dso_search_files(struct dso *d);
/* Loads the symbols, unless that was done. */
void dso_ensure_loaded(struct dso *d);
/* As dso_find. */
bool dso_find_locked(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret);

#endif
