/* SPDX-License-Identifier: MIT */
/*
 * uprobe:PATH:FUNC and uretprobe:PATH:FUNC: probes at functions of an ELF file through the uprobe
 * PMU, so that nothing is left in the kernel when the recorder ends, however it ends.
 */
#ifndef RECORD_PROBE_UPROBE_EVENT_H
#define RECORD_PROBE_UPROBE_EVENT_H

#include "record/model/rec_opts.h"

/*
 * Appends one event per function of file `path` (or library by bare name, see
 * record/probe/library_path.h) that FUNC names. FUNC is a symbol as the file has it, its demangled
 * form with or without parameters (C++, Rust, Go), a glob over either, or any of them + offset.
 * Where the file is stripped, the names of its separate debug file count.
 *
 * The events are named "uprobe:BASENAME:NAME", NAME being readable, without blanks, and found again
 * when it is given as FUNC; functions of the same name get "@0xFILE_OFFSET" behind it. They have a
 * sample period of 1, and uprobe_path is absolute.
 *
 * The offset is not checked to begin an instruction: a probe inside one breaks the program.
 *
 * On failure l is as before. PERR_NOTFOUND: no such file, or no function has that name; `help`
 * (size bytes) then has the nearest ones, else it is "". PERR_IO, PERR_FORMAT, PERR_UNSUPPORTED:
 * the file is no program or library, or this kernel has no uprobe PMU. PERR_USAGE: offset beyond
 * the function, return probe where nothing returns. PERR_LIMIT: more functions than are probed at
 * once. Surprises that lie ahead (return probes and exceptions, Go, IFUNCs) go to o->diag.
 */
int uprobe_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		     const char *func, bool is_return, char *help, size_t help_size,
		     struct perr *e) MUST_CHECK;

#endif
