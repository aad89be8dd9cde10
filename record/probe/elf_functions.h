/* SPDX-License-Identifier: MIT */
/*
 * Lists every function in the symbol tables of an ELF file, for probes. Unlike
 * symbols/elf/elf_symtab, which keeps one name per address, it keeps all names and leaves out data.
 */
#ifndef RECORD_PROBE_ELF_FUNCTIONS_H
#define RECORD_PROBE_ELF_FUNCTIONS_H

#include "symbols/elf/object.h"

struct elf_function {
	u64 off, end;     /* file offsets of its code, [off, end) */
	const char *name; /* name as in the symbol table, owned by file or debug */
	/* the symbol has no type: assembly code, or a label within a function */
	bool is_label;
	bool is_ifunc; /* an IFUNC: the code at off only chooses the function that is called */
	bool at_ifunc; /* another name for the code of an IFUNC */
	bool no_size;  /* the symbol has no size: end is the start of the next function */
};

struct elf_functions {
	struct elf_function *f; /* sorted by offset, then name; a name may have several offsets */
	size_t nr, cap;
	bool stripped; /* no .symtab was found, so only exported functions are listed */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
	/* debug: the file with the names; NULL or equal to file if it is not separate */
	struct object *file, *debug;
};

/*
 * Reads the functions of the program or library at path; if it is stripped, with the names of its
 * separate debug file. A file without functions is not an error. The caller frees *ret with
 * elf_functions_fini. Fails with PERR_IO; PERR_FORMAT: not an ELF file, or damaged;
 * PERR_UNSUPPORTED: an ELF file that is neither a program nor a shared library.
 */
int elf_functions_read(const char *path, struct elf_functions *ret, struct perr *e) MUST_CHECK;
void elf_functions_fini(struct elf_functions *l);

#endif
