/* SPDX-License-Identifier: MIT */
/*
 * Every function that the symbol tables of an ELF file name, for probes: unlike
 * symbols/elf/elf_symtab, which keeps one name per address, all names are kept and data is left
 * out.
 */
#ifndef RECORD_PROBE_ELF_FUNCTIONS_H
#define RECORD_PROBE_ELF_FUNCTIONS_H

#include "symbols/elf/object.h"

struct elf_function {
	u64 off, end;     /* file offsets of its code in the mapped file, [off, end) */
	const char *name; /* the linker's; borrowed from the objects */
	bool is_label;    /* no type: assembly code, or a mark in the middle of something */
	bool is_ifunc;    /* the code at off only chooses the function that is called */
	bool at_ifunc;    /* another name of such code */
	bool no_size;     /* end is where the next one begins */
};

struct elf_functions {
	struct elf_function *f; /* by offset, then name; one name may stand at several offsets */
	size_t nr, cap;
	bool stripped; /* no .symtab was found anywhere: exported functions only */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
	struct object *file, *debug; /* debug: where names came from, may be NULL or file */
};

/*
 * Reads the functions of the program or library at path, with the names of its separate debug file
 * where it was stripped. PERR_IO; PERR_FORMAT: no ELF file, or damaged; PERR_UNSUPPORTED: an ELF
 * file that cannot be mapped as a program here. No function at all is no error.
 */
int elf_functions_read(const char *path, struct elf_functions *ret, struct perr *e) MUST_CHECK;
void elf_functions_fini(struct elf_functions *l);

#endif
