/* SPDX-License-Identifier: MIT */
/*
 * jitdump: the file into which a JIT writes the code it makes (the kernel's
 * tools/perf/Documentation/jitdump-specification.txt, version 1). In the byte order of its writer:
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
 * DEBUG_INFO and UNWINDING_INFO speak of the CODE_LOAD that comes next. Times are CLOCK_MONOTONIC
 * in ns, or the CPU's time stamp counter.
 */
#ifndef SYMBOLS_JIT_JITDUMP_H
#define SYMBOLS_JIT_JITDUMP_H

#include "base/bytes.h"
#include "base/err.h"

/* One function at one place: a CODE_LOAD, or what a CODE_MOVE made of one. */
struct jitdump_func {
	u64 start, size;   /* ips; size > 0, start + size does not wrap */
	u64 time;          /* from when on it is there */
	u64 index;         /* the writer's number of it */
	const char *name;  /* as written */
	struct span code;  /* shorter than size when the file has less */
	struct span lines; /* nr_lines entries of DEBUG_INFO, checked to be whole */
	size_t nr_lines;
	u64 home; /* start of the CODE_LOAD: differs from start once it moved */
	struct span eh_frame, eh_frame_hdr; /* from UNWINDING_INFO, empty when there was none */
};

struct jitdump {
	struct span file;
	bool swap;
	bool arch_times; /* times are those of the time stamp counter */
	u32 machine, pid;
	u64 time;                   /* when the file was begun */
	struct jitdump_func *funcs; /* in the order of the file */
	size_t nr, cap;
	u64 lines_bias;    /* what the writer adds to every address of DEBUG_INFO, see jitdump.c */
	size_t damaged_at; /* where what follows is no whole record; 0: nowhere */
	char *path;        /* NULL: bytes of the caller */
	void *mapping;
};

/*
 * Reads the dump in file, whose bytes are borrowed by *ret. Whole records before a damaged one are
 * kept. PERR_FORMAT: no jitdump; PERR_UNSUPPORTED: another version. jitdump_fini in any case.
 */
int jitdump_parse(struct span file, struct jitdump *ret, struct perr *e) MUST_CHECK;

/* As jitdump_parse of the file at path, which is mapped. PERR_IO, PERR_FORMAT as well. */
int jitdump_open(const char *path, struct jitdump **ret, struct perr *e) MUST_CHECK;

void jitdump_fini(struct jitdump *d);
/* What jitdump_open gave; NULL will do. */
void jitdump_close(struct jitdump *d);

/* Whether the machine's code is for 64-bit registers. */
bool jitdump_is_64(const struct jitdump *d);

/*
 * The source line of the code at ip in f: the entry with the highest address at or before it. *file
 * is borrowed from the dump. False when there is none.
 */
bool jitdump_find_line(const struct jitdump *d, const struct jitdump_func *f, u64 ip,
		       const char **ret_file, u32 *ret_line);

#endif
