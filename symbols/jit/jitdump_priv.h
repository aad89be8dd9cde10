/* SPDX-License-Identifier: MIT */
/* Parts of the parser of jitdumps that its two readers share. */
#ifndef SYMBOLS_JIT_JITDUMP_PRIV_H
#define SYMBOLS_JIT_JITDUMP_PRIV_H

#include "base/hash.h"
#include "symbols/jit/jitdump.h"

#define JITDUMP_HEADER_SIZE 40
#define JITDUMP_RECORD_SIZE 16

/* State of the parser: the records that describe the next CODE_LOAD, and the loads by index. */
struct jitdump_reader {
	struct jitdump *d;
	struct idmap by_index;
	struct span lines;
	size_t nr_lines;
	/* the least distance so far from a function's start to its first line */
	u64 least_distance;
	struct span eh_frame, eh_frame_hdr;
};

/*
 * Reads the header, of which c has to have all bytes, and sets the byte order of c. d->file: what
 * there is of the file. Fails as jitdump_parse().
 */
int jitdump_read_header(struct jitdump *d, struct cursor *c, struct perr *e) MUST_CHECK;

/*
 * Reads one record, whose functions are appended to r->d. Returns false if it is not complete.
 * *closed is set by the last record of a dump.
 */
bool jitdump_read_record(struct jitdump_reader *r, struct cursor *file, bool *closed);

#endif
