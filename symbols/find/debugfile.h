/* SPDX-License-Identifier: MIT */
/*
 * Searches for the files of a recorded object in perf's order (docs/FORMAT.md 7.2) and notes why a
 * candidate was not used. One file gives the symbols, one the code and one the debug information;
 * they may be the same file. A file with another build-id than the recorded one is never used.
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

/* A candidate file and whether it was used. */
struct debugfile_try {
	char *path;
	char letter; /* of its place, docs/FORMAT.md 7.8; 'i': debuginfod, 'a': dwz, 'w': split
		      * DWARF */
	unsigned int roles;        /* enum debugfile_role bits for which it is used; 0: not used */
	const char *why;           /* why it is not used; "" if it is */
	u8 build_id[BUILD_ID_MAX]; /* of the file */
	u8 build_id_size;          /* bytes; 0: the file has no build-id or was not read */
};

struct debugfile {
	struct object *symbols; /* has a .symtab, else a .dynsym; NULL: no file has one */
	struct object *runtime; /* has the program's segments; may be the same object */
	struct object *dwarf;   /* has DWARF; may be one of the others; NULL: no file has it */
	char letter;            /* of the place of `symbols`; '!' if that is NULL */
	enum dso_status status; /* DSO_LOADED, or DSO_STRIPPED: no file has a .symtab */
	struct debugfile_try *tries;
	size_t nr_tries, cap_tries;
};

/*
 * Searches for the files of desc, which is a DSO_USER. Fills *ret, which the caller frees with
 * debugfile_fini(); to keep an object, set its pointers in *ret to NULL. Any thread may call it.
 */
void debugfile_find(const struct symbols_config *cfg, const struct dso_desc *desc,
		    struct debugfile *ret);
void debugfile_fini(struct debugfile *d);
/* Takes the object with the symbols out of d: the caller closes it, and d's other pointers to it
 * become NULL. */
struct object *debugfile_take_symbols(struct debugfile *d);

/* Appends a copy of *t to a list of candidates. The path is copied, t->why is borrowed. */
void debugfile_note(struct debugfile_try **tries, size_t *nr, size_t *cap,
		    const struct debugfile_try *t);
void debugfile_tries_free(struct debugfile_try *tries, size_t nr);

#endif
