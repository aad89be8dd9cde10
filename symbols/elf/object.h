/* SPDX-License-Identifier: MIT */
/*
 * One ELF file: its headers, segments, sections and build-id. The file is mapped read-only; spans
 * and names handed out point into the mapping and live until object_close.
 */
#ifndef SYMBOLS_ELF_OBJECT_H
#define SYMBOLS_ELF_OBJECT_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/types.h"
#include "symbols/elf/build_id.h"

/* A PT_LOAD with a size, in file order. */
struct obj_load {
	u64 vaddr, off;
	u64 filesz, memsz;
	u32 flags; /* PF_X | PF_W | PF_R */
};

struct obj_section {
	const char *name; /* "" when the file does not tell */
	u32 type, link, info;
	u64 flags, addr, off, size, align, entsize;
};

struct object {
	char *path; /* as opened, for messages */
	struct span file;
	bool is_64, swap; /* swap: of the other byte order than this machine */
	u16 type, machine;
	struct obj_load *loads;
	size_t nr_loads;
	struct obj_section *sections; /* [0] is the null section */
	size_t nr_sections;
	struct {
		u64 vaddr, size;
	} eh_frame_hdr; /* PT_GNU_EH_FRAME; size 0: the file has none */
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;  /* 0: the file has none */
	void *map, *owned; /* of the two that hold `file`, one is set, or none */
};

/* PERR_IO; PERR_FORMAT when the file is no ELF or its headers are damaged. */
int object_open(const char *path, struct object **ret, struct perr *e) MUST_CHECK;

/* As object_open over n bytes at p, which the caller keeps alive. path is for messages only. */
int object_open_mem(const char *path, const void *p, size_t n, struct object **ret,
		    struct perr *e) MUST_CHECK;

/* As object_open_mem; the malloc'd p is the object's from then on, also on failure. */
int object_open_take(const char *path, void *p, size_t n, struct object **ret,
		     struct perr *e) MUST_CHECK;

void object_close(struct object *o);

/* First section of that name, NULL when there is none. */
const struct obj_section *object_section(const struct object *o, const char *name);

/* The section's bytes in the file: empty for NOBITS, and for one that reaches beyond the file. */
struct span object_bytes(const struct object *o, const struct obj_section *s);

/* The segment that holds vaddr in memory, NULL when none does. */
const struct obj_load *object_load_at(const struct object *o, u64 vaddr);

/* Where in the file l has the byte at vaddr. */
static inline u64 obj_load_off(const struct obj_load *l, u64 vaddr)
{
	return vaddr - l->vaddr + l->off;
}

/* Text at offset off of a string section's bytes, NULL when it is not closed by a NUL. */
const char *object_string(struct span strings, u64 off);

#endif
