/* SPDX-License-Identifier: MIT */
/*
 * Where the files of a recorded object are looked for, in perf's order (FORMAT.md 7.2), and why
 * each place was not taken.
 */
#ifndef SYMBOLS_DEBUGFILE_H
#define SYMBOLS_DEBUGFILE_H

#include "symbols/object.h"
#include "symbols/symbols.h"

struct debugfile_try {
	char *path;
	char letter;     /* kind of place, FORMAT.md 7.8 */
	const char *why; /* why it was not taken; "symbols", "runtime" or "both" when it was */
};

struct debugfile {
	struct object *symbols; /* has .symtab, or is the runtime file; NULL: no file at all */
	struct object *runtime; /* has the code's segments; may be the same object */
	char letter;            /* of symbols, '!' when NULL */
	enum dso_status status; /* DSO_LOADED; DSO_STRIPPED: .dynsym only, or nothing at all */
	struct debugfile_try *tries;
	size_t nr_tries, cap_tries;
};

/*
 * Searches the files of desc, an ordinary mapped file. Never fails: what was found is in *ret,
 * which debugfile_fini frees. The objects may be taken out by setting them to NULL.
 */
void debugfile_find(const struct symbols_config *cfg, const struct dso_desc *desc,
		    struct debugfile *ret);
void debugfile_fini(struct debugfile *d);

/*
 * Paths below the build-id cache for an id, malloc'd: DIR/.build-id/xx/rest/NAME, or DIR/.build-id/
 * xx/rest when that is a file itself, as old perf made it. NULL when there is neither. Tries the id
 * zero padded too, as files of older perf store it.
 */
char *debugfile_cache_path(const struct symbols_config *cfg, const u8 *build_id, size_t size,
			   const char *name);

/* The build-id cache's folder, malloc'd; NULL when there is none. */
char *debugfile_cache_dir(const struct symbols_config *cfg);

/* The lower-case hex of a build-id. */
#define BUILD_ID_HEX (2 * BUILD_ID_MAX + 1)
void build_id_hex(const u8 *build_id, size_t size, char ret[BUILD_ID_HEX]);

#endif
