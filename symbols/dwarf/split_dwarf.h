/* SPDX-License-Identifier: MIT */
/*
 * Finds the split unit of a skeleton unit, in a .dwo file or a .dwp package, and makes libdw use
 * it.
 *
 * libdw finds addresses, ranges and strings of a split unit only if it has opened the .dwo itself,
 * at the path that the skeleton names; it has no function to pass it another file. So while libdw
 * opens the file, the name in the image of the skeleton's file is replaced by the path of the .dwo
 * that was found, or of one that was made in memory from a package.
 */
#ifndef SYMBOLS_DWARF_SPLIT_DWARF_H
#define SYMBOLS_DWARF_SPLIT_DWARF_H

#include "symbols/find/debugfile.h"
#include "symbols/dwarf/dwarf_elf.h"

struct split_dwarf;

/*
 * Makes a search for the split units of d, which was opened from o. code_path: path of the mapped
 * file, or NULL. cfg, o, code_path and d are borrowed until split_dwarf_free().
 */
struct split_dwarf *split_dwarf_new(const struct symbols_config *cfg, const struct object *o,
				    const char *code_path, struct dwarf_elf *d);
void split_dwarf_free(struct split_dwarf *s);

/*
 * Finds the DIE of the split unit for the DIE of a skeleton unit. Returns false if the unit is not
 * found. The paths tried are added to *tries, up to a limit. ret may be the same pointer as
 * skeleton.
 */
bool split_dwarf_find(struct split_dwarf *s, Dwarf_Die *skeleton, Dwarf_Die *ret,
		      struct debugfile_try **tries, size_t *nr, size_t *cap);

#endif
