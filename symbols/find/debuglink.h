/* SPDX-License-Identifier: MIT */
/* Reads the references in an ELF file to other files with its debug information. */
#ifndef SYMBOLS_FIND_DEBUGLINK_H
#define SYMBOLS_FIND_DEBUGLINK_H

#include "symbols/elf/object.h"

/* The section .gnu_debuglink: a file name with its NUL, padding to 4 bytes, and the CRC-32 of the
 * named file in the byte order of the object. */
struct debuglink {
	const char *name; /* borrowed from the object */
	u32 crc;
	bool has_crc; /* false: the section ends before the CRC */
};

/* Reads .gnu_debuglink. Returns false if o has no such section or the name in it is empty. */
bool debuglink_read(const struct object *o, struct debuglink *ret);

/* True if the link names a file and no path: the places of the search lie in no other folders. */
bool debuglink_is_name(const struct debuglink *l);

/* True if crc is the CRC-32 of the file of o. Reads the whole file. */
bool debuglink_crc_matches(const struct object *o, u32 crc);

/* The section .gnu_debugaltlink: the path, with its NUL, and the build-id of the file to which dwz
 * has moved debug information that several objects share. */
struct altlink {
	const char *path; /* borrowed from the object; absolute, or relative to o's folder */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
};

/* Reads .gnu_debugaltlink. Returns false if o has no such section or it is damaged. */
bool altlink_read(const struct object *o, struct altlink *ret);

/* True if o has DWARF units or line tables, compressed or not. */
bool object_has_dwarf(const struct object *o);

#endif
