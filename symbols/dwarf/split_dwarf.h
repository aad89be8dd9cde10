/* SPDX-License-Identifier: MIT */
/*
 * Split units: where the .dwo file of a skeleton unit is, or its part of a .dwp package, and how
 * libdw is brought to use it.
 *
 * libdw opens a .dwo itself, at the path that the skeleton names; there is no function to hand it
 * one. But only so linked does it know a split unit's addresses, ranges and strings. So the name is
 * exchanged in the image of the skeleton's file while libdw looks for it: for the path of the file
 * that was found, or of one in memory that was made from a package.
 */
#ifndef SYMBOLS_DWARF_SPLIT_DWARF_H
#define SYMBOLS_DWARF_SPLIT_DWARF_H

#include "symbols/find/debugfile.h"
#include "symbols/dwarf/dwarf_elf.h"

struct split_dwarf;

/*
 * For the skeletons of d, which was opened from o; code_path: the mapped file's, or NULL. All three
 * are borrowed.
 */
struct split_dwarf *split_dwarf_new(const struct symbols_config *cfg, const struct object *o,
				    const char *code_path, struct dwarf_elf *d);
void split_dwarf_free(struct split_dwarf *s);

/*
 * The DIE of the split unit of a skeleton's; false when it is not found. Each place is added to
 * *tries, up to a limit. ret may be skeleton.
 */
bool split_dwarf_find(struct split_dwarf *s, Dwarf_Die *skeleton, Dwarf_Die *ret,
		      struct debugfile_try **tries, size_t *nr, size_t *cap);

#endif
