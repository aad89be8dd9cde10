/* SPDX-License-Identifier: MIT */
/* One frame as perf script prints it: ip, symbol, object, source line. */
#ifndef REPORT_PSCRIPT_FRAME_TEXT_H
#define REPORT_PSCRIPT_FRAME_TEXT_H

#include "base/out.h"
#include "report/pscript/sample_text.h"
#include "session/frames.h"

/*
 * Appends the frame's symbol, with `offset` as "sym+0xoff", or "[unknown]". name replaces the name
 * of the symbol if it is not NULL.
 */
void frame_text_place(struct out *o, const struct frame *fr, const char *name, bool offset);

/* Appends the frame's object as "(object)", with dsoff as "(object+0xaddr)". */
void frame_text_dso(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		    bool dsoff);

/* Appends those of a frame's ip, symbol, object and source line that fields has; no newline. */
void frame_text(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		u64 fields);

/*
 * Appends the lines of one frame of a call chain: one for each function inlined at its ip,
 * innermost first, then the line of the function itself. Stops behind a line whose name is in
 * cfg->stop_bt and sets *ret_stop, because the chain ends there.
 */
void frame_text_chain(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		      u64 fields, bool *ret_stop);

#endif
