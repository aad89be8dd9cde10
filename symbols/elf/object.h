/* SPDX-License-Identifier: MIT */
/*
 * An open ELF file: its headers, segments, sections and build-id. The file is mapped read-only; all
 * spans and names point into the mapping and are valid until object_close(). Once open, it does not
 * change, so any thread may read it.
 */
#ifndef SYMBOLS_ELF_OBJECT_H
#define SYMBOLS_ELF_OBJECT_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/files/regular_file.h"
#include "base/types.h"
#include "symbols/elf/build_id.h"

/* A PT_LOAD segment whose size is not 0. */
struct obj_load {
	u64 vaddr, off;
	u64 filesz, memsz;
	u32 flags; /* PF_X | PF_W | PF_R */
};

struct obj_section {
	const char *name; /* "" if the file has no section names */
	u32 type, link, info;
	u64 flags, addr, off, size, align, entsize;
};

struct object {
	char *path; /* as opened, for messages */
	char *root; /* the root of the rules that the file was opened by; NULL: none */
	struct span file;
	bool is_64, swap;       /* swap: the file has the other byte order than this machine */
	u16 type, machine;      /* ET_*, EM_* */
	u64 entry;              /* vaddr of a program's first instruction; 0: a library */
	struct obj_load *loads; /* in file order */
	size_t nr_loads;
	struct obj_section *sections; /* [0] is the null section */
	size_t nr_sections;
	struct {
		u64 vaddr, size;
	} eh_frame_hdr; /* the PT_GNU_EH_FRAME segment; size 0: the file has none */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size; /* bytes; 0: the file has none */
	void *map;        /* mapping of `file`, or NULL */
	void *owned;      /* malloc'd memory of `file`, or NULL */
};

/* Opens the ELF file at path; the caller closes *ret. PERR_IO: it cannot be opened or mapped.
 * PERR_FORMAT: it is no ELF file or its headers are damaged. */
int object_open(const char *path, struct object **ret, struct perr *e) MUST_CHECK;

/* Like object_open(), for a file that `rules` permits; NULL: any. */
int object_open_by(const char *path, const struct file_rules *rules, struct object **ret,
		   struct perr *e) MUST_CHECK;

/* Opens an ELF image of n bytes at p like object_open(). The bytes must stay valid until
 * object_close(). path is used in messages only. */
int object_open_mem(const char *path, const void *p, size_t n, struct object **ret,
		    struct perr *e) MUST_CHECK;

/* Opens an ELF image like object_open_mem(). p is malloc'd and owned by the object: it is freed by
 * object_close(), or by this function if it fails. */
int object_open_take(const char *path, void *p, size_t n, struct object **ret,
		     struct perr *e) MUST_CHECK;

void object_close(struct object *o);

/* Gives the pages of a mapped file back to the system; they are read again when they are used. Any
 * thread may call it, also while others read the object. */
void object_give_pages_back(const struct object *o);

/* Returns the first section with this name, NULL if the file has none. */
const struct obj_section *object_section(const struct object *o, const char *name);

/* Returns the bytes of a section. They are empty if it is of type NOBITS or reaches past the end of
 * the file. */
struct span object_bytes(const struct object *o, const struct obj_section *s);

/* Returns the segment that contains vaddr in memory, NULL if none does. */
const struct obj_load *object_load_at(const struct object *o, u64 vaddr);

/* Returns the file offset of the byte at vaddr, which is in segment l. */
static inline u64 obj_load_off(const struct obj_load *l, u64 vaddr)
{
	return vaddr - l->vaddr + l->off;
}

/* Returns the text at offset `off` in the bytes of a string section; NULL if off is past the end or
 * no NUL follows. */
const char *object_string(struct span strings, u64 off);

#endif
