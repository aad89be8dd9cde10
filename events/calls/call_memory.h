/* SPDX-License-Identifier: MIT */
/*
 * The memory of a process at an event, as far as it is known: the copy of its stack that the event
 * has; what files that it maps hold, if it cannot write there; and, of a process that still runs,
 * what its memory holds now.
 */
#ifndef EVENTS_CALLS_CALL_MEMORY_H
#define EVENTS_CALLS_CALL_MEMORY_H

#include "fileformat/sample.h"
#include "machine/mapset.h"

/* All zero: nothing is known. Borrowed: all. Addresses are those of the process. */
struct call_memory {
	u64 sp; /* where `stack` begins */
	struct span stack;
	const struct mapset *maps; /* NULL: not known */
	u32 tid;                   /* of the thread whose memory is read now; 0: none is */
	bool is_late;              /* set by reads: some bytes are those of now */
};

/* Sets what an event says: its copy of the stack. machine: as uname -m prints it. */
void call_memory_of_sample(struct call_memory *m, const struct pd_sample *s, const char *machine);

/* Copies up to n bytes at addr. Returns how many it has; those behind are not known. */
size_t call_memory_read(struct call_memory *m, u64 addr, void *to, size_t n);

/*
 * Copies a text of less than `size` bytes that ends with a NUL, which is not copied. Returns false
 * if its end is not known; *ret_n is the number of bytes without NUL that are there then.
 */
bool call_memory_read_text(struct call_memory *m, u64 addr, char *to, size_t size, size_t *ret_n);

#endif
