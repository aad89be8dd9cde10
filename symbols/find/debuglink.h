/* SPDX-License-Identifier: MIT */
/* What an ELF file says of other files with its debug information. */
#ifndef SYMBOLS_FIND_DEBUGLINK_H
#define SYMBOLS_FIND_DEBUGLINK_H

#include "symbols/elf/object.h"

/* .gnu_debuglink: a file name, NUL, padding to 4 bytes, CRC-32 of that file in o's byte order. */
struct debuglink {
	const char *name; /* borrowed from the object */
	u32 crc;
	bool has_crc; /* false: the section ends too early */
};

/* False when o has no such section, or no name in it. */
bool debuglink_read(const struct object *o, struct debuglink *ret);

/* Whether that is the CRC of the whole file o. Reads all of it. */
bool debuglink_crc_matches(const struct object *o, u32 crc);

/* .gnu_debugaltlink: a path, NUL, and the build-id of the file that dwz moved common parts to. */
struct altlink {
	const char *path; /* borrowed from the object; absolute, or relative to o's folder */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
};

/* False when o has no such section, or a damaged one. */
bool altlink_read(const struct object *o, struct altlink *ret);

/* Whether there is DWARF in o: units or line tables, compressed or not. */
bool object_has_dwarf(const struct object *o);

#endif
