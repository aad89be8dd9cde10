/* SPDX-License-Identifier: MIT */
/* Appends MMAP2 records of the mappings in /proc/PID/maps. */
#ifndef RECORD_BEFORE_SYNTH_MAPS_H
#define RECORD_BEFORE_SYNTH_MAPS_H

#include "record/before/synth_priv.h"

/* One line of a maps file (proc(5)): "START-END PERMS OFFSET MAJ:MIN INODE   NAME". */
struct maps_line {
	u64 start, end, pgoff;
	u32 prot; /* bits of PROT_* */
	bool shared;
	u32 maj, min;
	u64 ino;
	struct span name; /* as in the maps file, where a newline is written \012 */
};

/*
 * Parses a line of a maps file, without its newline. ret->name points into the line. Returns false
 * if the line has another form. Public so that tests can pass odd lines.
 */
bool maps_line_parse(struct span line, struct maps_line *ret);

/*
 * Appends to s->out an MMAP2 record of each executable mapping of process pid, with sample_address
 * of each readable one too. Reads the maps of thread tid of that process, because those of an ended
 * main thread are empty. Appends nothing for a process that has ended. Stops after
 * --proc-map-timeout and warns in s->o->diag.
 */
void synth_maps(struct synth *s, s32 pid, s32 tid);

#endif
