/* SPDX-License-Identifier: MIT */
/*
 * Finds source lines and inlined functions in the debug information of one object, which is opened
 * at the first lookup. Any thread may call these functions; calls for the same object wait for each
 * other, calls for different objects do not.
 */
#ifndef SYMBOLS_DSO_DEBUG_H
#define SYMBOLS_DSO_DEBUG_H

#include "symbols/dwarf/data_types.h"
#include "symbols/dwarf/inlines.h"

struct dso_debug;
struct object;
struct symbols_config;

struct dso_debug_config {
	const struct symbols_config *symbols_config;
	const struct object *dwarf; /* the file with debug information */
	const struct object *code;  /* the mapped file; NULL if it was not found */
	const struct object *names; /* whose STT_FILE symbols name the files of functions without
				     * line tables */
	struct name_style names_of_inlines;
};

/* Returns a struct dso_debug, which the caller frees; never NULL. What cfg points to must outlive
 * it. If the file cannot be read, lookups find nothing. */
struct dso_debug *dso_debug_new(const struct dso_debug_config *cfg);
void dso_debug_free(struct dso_debug *d);

/*
 * Starts to open the debug information in another thread. Call it at most once and before the first
 * lookup. Lookups wait until the file is open.
 */
void dso_debug_open_early(struct dso_debug *d);

/*
 * Announces a later dso_debug_inlines() call for vaddr: the thread of dso_debug_open_early() looks
 * the address up after it has opened the file. Does nothing when that thread has ended. symbol must
 * outlive d.
 */
void dso_debug_will_ask(struct dso_debug *d, u64 vaddr, const char *symbol);

/* Finds the source line of vaddr (st_value space), see lines_find(). *ret_file is valid until
 * dso_debug_free(). */
bool dso_debug_line(struct dso_debug *d, u64 vaddr, const char **ret_file, u32 *ret_line);

/* Finds the functions at vaddr (st_value space), see inlines_find(). *ret is valid until
 * dso_debug_free(). */
size_t dso_debug_inlines(struct dso_debug *d, u64 vaddr, const char *symbol, unsigned int flags,
			 const struct inline_frame **ret);

/* Finds the type of the data of an instruction, see data_types_find(). */
bool dso_debug_data_type(struct dso_debug *d, u64 vaddr, const struct data_place *place,
			 struct out *o);

#endif
