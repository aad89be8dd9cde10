/* SPDX-License-Identifier: MIT */
/* One frame as perf script prints it: ip, symbol, object, source line. */
#ifndef REPORT_PSCRIPT_FRAME_TEXT_H
#define REPORT_PSCRIPT_FRAME_TEXT_H

#include "base/out.h"
#include "report/pscript/sample_text.h"
#include "session/frames.h"

/* "sym+0xoff" or "[unknown]"; name: in place of the symbol's, NULL for that. */
void frame_text_place(struct out *o, const struct frame *fr, const char *name, bool offset);

/* "(object)", with dsoff "(object+0xaddr)". */
void frame_text_dso(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		    bool dsoff);

/* ip, symbol, object and source line of a frame, as far as the fields ask; no newline behind. */
void frame_text(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		u64 fields);

/*
 * Lines of a call chain for one of its entries: those of the functions inlined there, innermost
 * first, then the function's own. *ret_stop: a name that chains are to end at was printed; it is
 * the last line then.
 */
void frame_text_chain(struct out *o, const struct frame *fr, const struct sample_text_config *cfg,
		      u64 fields, bool *ret_stop);

#endif
