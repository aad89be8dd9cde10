/* SPDX-License-Identifier: MIT */
/* A root folder for --symfs with ELF files in it, and what a search there finds. */
#ifndef TESTS_SYMBOLS_FIND_USE_DEBUGFILE_H
#define TESTS_SYMBOLS_FIND_USE_DEBUGFILE_H

#include "base/mem.h"
#include "symbols/find/debugfile.h"
#include "tests/frame/unit.h"

static const u8 id[20] = { 0xab, 0xcd, 0xef, 1, [19] = 0x42 };
#define ID_FILE ".build-id/ab/cdef0100000000000000000000000000000042"

/* A root folder for --symfs, and the object that is looked up below it. */
struct place {
	char root[32];
	struct symbols_config cfg;
	struct dso_desc desc;
};

/* Makes the root folder. */
struct place place_new(void);
/* Sets up a search below the root; with_id: for a file with the build id `id`. */
void place_use(struct place *p, bool with_id);
/* Removes the root folder. */
void place_free(struct place *p);
/* Writes n bytes to path below the root, with the folders on the way. */
void place_write(struct place *p, const char *path, const void *bytes, size_t n);

/* What a file is made of. */
enum content {
	SYMTAB = 1,  /* .symtab, NOBITS code */
	RUNTIME = 2, /* .dynsym */
	LINK = 4,    /* .gnu_debuglink to "lib.debug" */
	NO_ID = 8,
	OTHER_ID = 16,
	DEBUGDATA = 32,
	DWARF = 64,
	GOOD_CRC = 128,  /* of LINK: that of a file of SYMTAB | NO_ID */
	PATH_LINK = 512, /* .gnu_debuglink to "../b.debug" */
	CODE = 256,      /* without symbols, as a stripped program that is linked statically */
};

/* Writes an ELF file with this content (bits of enum content) below the root. */
void place_put_elf(struct place *p, const char *path, unsigned int content);
/* The kind of place that the symbols come from; '!' when nothing was found. */
char place_find(struct place *p, enum dso_status *ret_status);
/* What the last file whose path ends so was taken for. */
unsigned int place_role_of(const struct debugfile *d, const char *end);

#define SELF "usr/lib/x/lib.so"

#endif
