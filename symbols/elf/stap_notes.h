/* SPDX-License-Identifier: MIT */
/*
 * Static probes that programs are built with (USDT): the notes that sys/sdt.h writes. A note of
 * type 3 of "stapsdt" holds three addresses of the file's word size (the probe, the section
 * .stapsdt.base as the linker saw it, the semaphore or 0), then provider, name and arguments, each
 * up to a NUL. Source: the description of the format in the SystemTap wiki, "User Space Probe
 * Implementation".
 */
#ifndef SYMBOLS_ELF_STAP_NOTES_H
#define SYMBOLS_ELF_STAP_NOTES_H

#include "symbols/elf/object.h"

struct stap_note {
	const char *provider, *name; /* borrowed from the file */
	const char *args;            /* "-4@%edi 8@-16(%rbp)"; may be "" */
	u64 off;                     /* file offset of the instruction that is probed */
	u64 semaphore_off;           /* file offset of the semaphore, a u16; 0: there is none */
};

/* Where a search is. */
struct stap_notes {
	const struct object *o;
	size_t section;
	struct cursor c;
};

/* o is borrowed as long as the notes. */
void stap_notes_begin(struct stap_notes *n, const struct object *o);
/* Gets the next note. Notes that are damaged, and those whose addresses are not in the file, are
 * left out. Returns false at the end. */
bool stap_notes_next(struct stap_notes *n, struct stap_note *ret);

#endif
