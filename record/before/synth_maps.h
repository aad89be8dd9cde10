/* SPDX-License-Identifier: MIT */
/* The mappings of a process that runs already: /proc/PID/maps as MMAP2 records. */
#ifndef RECORD_BEFORE_SYNTH_MAPS_H
#define RECORD_BEFORE_SYNTH_MAPS_H

#include "record/before/synth_priv.h"

/* One line of a maps file (proc(5)): "START-END PERMS OFFSET MAJ:MIN INODE   NAME". */
struct maps_line {
	u64 start, end, pgoff;
	u32 prot; /* PROT_* */
	bool shared;
	u32 maj, min;
	u64 ino;
	struct span name; /* as in the file: a newline in it is written \012 */
};

/* The line without its newline. False when it has another form. */
bool maps_line_parse(struct span line, struct maps_line *ret);

/*
 * Appends an MMAP2 for each executable mapping of the process pid (all readable ones as well, with
 * sample_address), as read from the thread tid's maps. A process that is gone has none.
 */
void synth_maps(struct synth *s, s32 pid, s32 tid);

#endif
