/* SPDX-License-Identifier: MIT */
/*
 * Where the files of a recorded object are looked for, in perf's order (FORMAT.md 7.2), and why
 * each place was not taken. One file gives the symbols, one the code, one the debug information;
 * they may be the same. A file with another build-id than the recorded one is none of them.
 */
#ifndef SYMBOLS_FIND_DEBUGFILE_H
#define SYMBOLS_FIND_DEBUGFILE_H

#include "symbols/elf/object.h"
#include "symbols/table/dso_desc.h"

enum debugfile_role {
	DEBUGFILE_SYMBOLS = 1u << 0,
	DEBUGFILE_CODE = 1u << 1,
	DEBUGFILE_DWARF = 1u << 2,
};

/* One place, and what became of it. */
struct debugfile_try {
	char *path;
	char letter; /* kind of place, FORMAT.md 7.8; 'i': debuginfod, 'a': dwz, 'w': split */
	unsigned int roles; /* what it was taken for; 0: why says why it was not */
	const char *why;    /* "" when it was taken */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size; /* the file's own; 0: it has none, or was not read */
};

struct debugfile {
	struct object *symbols; /* has .symtab, else .dynsym; NULL: no file has either */
	struct object *runtime; /* has the code's segments; may be the same object */
	struct object *dwarf;   /* has DWARF; may be either of them; NULL: no file has */
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
/* The object with the symbols, the caller's from now on; d has it for nothing any more. */
struct object *debugfile_take_symbols(struct debugfile *d);

/* Adds a place to a list of tries; why is borrowed. */
void debugfile_note(struct debugfile_try **tries, size_t *nr, size_t *cap,
		    const struct debugfile_try *t);
void debugfile_tries_free(struct debugfile_try *tries, size_t nr);

#endif
