/* SPDX-License-Identifier: MIT */
/*
 * Reads a jitdump: a file into which a JIT compiler writes the code it generates. Source: the
 * kernel's tools/perf/Documentation/jitdump-specification.txt, version 1. Format, in the byte order
 * of the writing machine:
 *
 *	header:	u32 magic "JiTD", version, header size, ELF machine, 0, pid; u64 time, flags
 *	record: u32 id, size; u64 time; then
 *	 0 CODE_LOAD	u32 pid, tid; u64 vma, address, size, index; char name[], 0; u8 code[size]
 *	 1 CODE_MOVE	u32 pid, tid; u64 vma, old address, address, size, index
 *	 2 DEBUG_INFO	u64 address, nr; nr * { u64 address; u32 line, discriminator;
 *			char file[], 0 }, a file named "\xff" is that of the entry before
 *	 3 CLOSE
 *	 4 UNWINDING_INFO u64 size, size of .eh_frame_hdr, mapped size; u8 .eh_frame[],
 *			.eh_frame_hdr[]
 *
 * DEBUG_INFO and UNWINDING_INFO describe the next CODE_LOAD record. Times are in ns of
 * CLOCK_MONOTONIC, or values of the CPU's time stamp counter.
 */
#ifndef SYMBOLS_JIT_JITDUMP_H
#define SYMBOLS_JIT_JITDUMP_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/files/regular_file.h"

/* A function at one address: from a CODE_LOAD record, or from a CODE_MOVE that moved it there. */
struct jitdump_func {
	u64 start, size;   /* ip and bytes; size > 0, start + size does not wrap */
	u64 time;          /* of the record: from then on the function is at this address */
	u64 index;         /* the function's number in the file */
	const char *name;  /* as in the file, not demangled */
	struct span code;  /* may be shorter than size in a damaged file */
	struct span lines; /* nr_lines entries of DEBUG_INFO, checked to be complete */
	size_t nr_lines;
	u64 home; /* start in the CODE_LOAD record; differs from start after a move */
	struct span eh_frame, eh_frame_hdr; /* from UNWINDING_INFO; empty without it */
};

struct jitdump {
	struct span file;
	bool swap;
	bool arch_times;            /* times are values of the time stamp counter, */
	bool converted;             /* unless its owner has made others of them */
	u32 machine, pid;           /* EM_*; of the process */
	u64 time;                   /* at which the file was created */
	struct jitdump_func *funcs; /* in file order */
	size_t nr, cap;
	u64 lines_bias;    /* to subtract from addresses of DEBUG_INFO, see jitdump.c */
	size_t damaged_at; /* file offset of the first damaged record; 0: none is */
	char *path;        /* of the file; NULL if the caller gave its bytes */
	void *mapping;
};

/*
 * Parses the jitdump in `file`, whose bytes are borrowed by *ret. Of a damaged file it keeps the
 * records before the damage. PERR_FORMAT: the file is not a jitdump. PERR_UNSUPPORTED: it has
 * another version. Call jitdump_fini() even after an error.
 */
int jitdump_parse(struct span file, struct jitdump *ret, struct perr *e) MUST_CHECK;

/* Maps and parses the jitdump at path, if `rules` permit that (NULL: any); the caller frees *ret
 * with jitdump_close(). PERR_IO: the file cannot be read. PERR_FORMAT: as jitdump_parse(), and for
 * a file that was refused. Other errors are those of jitdump_parse(). */
int jitdump_open(const char *path, const struct file_rules *rules, struct jitdump **ret,
		 struct perr *e) MUST_CHECK;

void jitdump_fini(struct jitdump *d);
/* Frees a jitdump of jitdump_open(). d may be NULL. */
void jitdump_close(struct jitdump *d);

/* True if the dump's machine is a 64-bit one. */
bool jitdump_is_64(const struct jitdump *d);

/*
 * Finds the source line of the code at ip in f: the DEBUG_INFO entry with the highest address at or
 * before ip. *ret_file is borrowed from the dump. Returns false if no entry precedes ip.
 */
bool jitdump_find_line(const struct jitdump *d, const struct jitdump_func *f, u64 ip,
		       const char **ret_file, u32 *ret_line);

#endif
