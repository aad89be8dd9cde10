/* SPDX-License-Identifier: MIT */
/*
 * Makes events for uprobe:PATH:FUNC, uretprobe:PATH:FUNC and uret:PATH:FUNC, probes at functions of
 * an ELF file.
 * They use the uprobe PMU (Linux 4.17), so the kernel removes them when prec ends, even if it is
 * killed.
 */
#ifndef RECORD_PROBE_UPROBE_EVENT_H
#define RECORD_PROBE_UPROBE_EVENT_H

#include "record/model/rec_opts.h"

enum uprobe_kind {
	UPROBE_ENTRY,
	UPROBE_RETURN, /* the kernel replaces the return address on the stack */
	UPROBE_RETS,   /* at the instructions that return, see record/probe/ret_points.h */
};

/*
 * Appends an event for each function that `func` names in the file at `path`, or in the library of
 * that bare name (record/probe/library_path.h). func is a name in the symbol table, its demangled
 * form with or without parameters (C++, Rust, Go), a glob over either, or one of these + offset. If
 * the file is stripped, the names in its separate debug file are used.
 *
 * Events are called "uprobe:BASENAME:NAME" ("uretprobe:..."), where NAME is readable, has no blanks
 * and selects the function again if given as func; "@0xFILE_OFFSET" is added to equal names. Their
 * sample period is 1, and uprobe_path is absolute. Those of UPROBE_RETS are "uret:...", in Go
 * programs "goret:...", and end with @0xFILE_OFFSET.
 *
 * A probe without an offset may lie some bytes behind the start of its function, where it costs
 * less (record/probe/probe_point.h); with the offset +0 it does not.
 *
 * On x86 an offset must be the start of an instruction; the kernels of other machines check that
 * themselves.
 *
 * Warns in o->diag about risks: return probes with exceptions or in Go programs, and IFUNCs. On
 * failure l is unchanged. PERR_NOTFOUND: no such file or function; help (help_size bytes) then has
 * the nearest names, else "". PERR_IO, PERR_FORMAT, PERR_UNSUPPORTED: the file cannot be read or is
 * not a program or library, or the kernel has no uprobe PMU. PERR_USAGE: the offset is beyond the
 * function or within an instruction, or a return probe is at code that does not return. PERR_LIMIT:
 * more than 4096 functions match. UPROBE_RETS warns of functions whose returns cannot be probed;
 * PERR_UNSUPPORTED: this is all of them.
 */
int uprobe_event_add(struct rec_evlist *l, const struct rec_opts *o, const char *path,
		     const char *func, enum uprobe_kind kind, char *help, size_t help_size,
		     struct perr *e) MUST_CHECK;

#endif
