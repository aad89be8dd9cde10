/* SPDX-License-Identifier: MIT */
/*
 * Small programs in many forms of symbols, debug information and call frame information, as the
 * compilers that are here make them: each form in a folder of its own, which serves as --symfs.
 */
#ifndef TESTS_FRAME_ELF_FORMS_H
#define TESTS_FRAME_ELF_FORMS_H

#include "symbols/symbols.h"

struct elf_form {
	const char *name;  /* of its folder */
	const char *files; /* that matter: the object first, then what belongs to it; by blanks */
	enum dso_kind kind;
	const char *build; /* for sh, in its folder */
};

/*
 * Builds them all below a new folder, malloc'd. *ret is by number, and ends with one without a
 * name; of a form that could not be built here the files are missing. ELF_FORMS=DIR in the
 * environment: they are copied from there, where compiling takes too long.
 */
char *elf_forms_build(const struct elf_form **ret);
void elf_forms_remove(const char *dir);

#endif
