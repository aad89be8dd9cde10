/* SPDX-License-Identifier: MIT */
/*
 * Source lines and inline frames of one object: its debug information, opened when it is first
 * asked for. May be used by several threads at once; those that ask for one object wait for each
 * other, different objects share nothing.
 */
#ifndef SYMBOLS_DSO_DEBUG_H
#define SYMBOLS_DSO_DEBUG_H

#include "symbols/dwarf/inlines.h"

struct dso_debug;
struct object;
struct symbols_config;

struct dso_debug_config {
	const struct symbols_config *symbols_config;
	const struct object *dwarf; /* the file with debug information */
	const struct object *code;  /* the mapped file, NULL: not found */
	const struct object *names; /* its symbols name the files of functions without lines */
	struct inlines_config inlines;
};

/* Never fails: a file that cannot be read knows nothing. What cfg points to outlives the result. */
struct dso_debug *dso_debug_new(const struct dso_debug_config *cfg);
void dso_debug_free(struct dso_debug *d);

/*
 * Begins to open it in a thread of its own: once, and before anything was asked for. Lookups wait
 * for it.
 */
void dso_debug_open_early(struct dso_debug *d);

/*
 * dso_debug_inlines will be asked for vaddr: what opens it early looks that up next, so that it is
 * known by then. Later than that it does nothing. symbol outlives d.
 */
void dso_debug_will_ask(struct dso_debug *d, u64 vaddr, const char *symbol);

/* As lines_find; *ret_file lives until dso_debug_free. */
bool dso_debug_line(struct dso_debug *d, u64 vaddr, const char **ret_file, u32 *ret_line);

/* As inlines_find; *ret lives until dso_debug_free. */
size_t dso_debug_inlines(struct dso_debug *d, u64 vaddr, const char *symbol, unsigned int flags,
			 const struct inline_frame **ret);

#endif
