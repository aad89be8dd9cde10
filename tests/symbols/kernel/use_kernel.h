/* SPDX-License-Identifier: MIT */
/* A tree of kernel files: vmlinux, modules and lists of symbols, and objects loaded from it. */
#ifndef TESTS_SYMBOLS_KERNEL_USE_KERNEL_H
#define TESTS_SYMBOLS_KERNEL_USE_KERNEL_H

#include "symbols/table/dso_desc.h"
#include "symbols/table/origin.h"
#include "symbols/table/symtab.h"
#include "tests/frame/unit.h"

#define TEXT 0xffffffff81000000ull
#define MODULE 0xffffffffc0000000ull

static const u8 id_a[20] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99,
			     0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x00, 0x11, 0x22, 0x33 };
static const u8 id_b[20] = {
	1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20
};
#define ID_A_CACHE "/.build-id/00/112233445566778899aabbccddeeff00112233"

static const char list[] = "ffffffff81000000 T _text\n"
			   "ffffffff81000100 T listed\n"
			   "ffffffff81002000 T _etext\n"
			   "ffffffffc0000000 t module_fn\t[mod_x]\n"
			   "ffffffffc0000100 t module_fn2\t[mod_x]\n";

/* The folder of one case. */
struct tree {
	char root[64];
};

/* Makes the folder. */
void kernel_tree_new(struct tree *t);
/* Removes the folder and all that is in it. */
void kernel_tree_drop(struct tree *t);
/* Writes n bytes to path below the tree, with the folders on the way. */
char *kernel_tree_put(struct tree *t, const char *path, const void *bytes, size_t n);

/* The symbols of an object, where they came from, and what the loader returned. */
struct loaded {
	struct symtab tab;
	struct sym_origin o;
	int err;
};

/* Loads the symbols of a kernel or module. */
void kernel_load(struct loaded *l, const struct symbols_config *cfg, const struct dso_desc *d);
/* Frees what kernel_load() made. */
void kernel_unload(struct loaded *l);
/* The function at the address has to have this name, NULL for none. */
void kernel_check_name(struct loaded *l, u64 addr, const char *name);
/* A recorded kernel with this build id, NULL for none, whose text started there. */
struct dso_desc kernel_desc(const u8 *id, u64 text);

#endif
