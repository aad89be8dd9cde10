/* SPDX-License-Identifier: MIT */
/* pscript --debug-unwind=TIME: how one sample's stack copy was unwound, step by step. */
#ifndef REPORT_PSCRIPT_DEBUG_UNWIND_H
#define REPORT_PSCRIPT_DEBUG_UNWIND_H

#include "report/pscript/sample_text.h"

/*
 * The argument of --debug-unwind: a time with at most nine decimals, which stands for all times
 * that print like it, and the nearest other samples met so far.
 */
struct debug_unwind {
	bool given;
	const char *text; /* the argument, borrowed from argv */
	u64 from, to;     /* the times that it stands for: ns, half-open */
	u64 before;       /* time of the nearest sample before them, ns; 0: none */
	u64 after;        /* time of the nearest sample after them, ns; UINT64_MAX: none */
};

/*
 * Parser of --debug-unwind for OPT_PARSE: seconds with at most nine decimals. addr is a struct
 * debug_unwind. Returns PERR_USAGE for any other text.
 */
int debug_unwind_parse(void *addr, const char *arg, struct perr *e) MUST_CHECK;

/* Returns true if the sample has the wanted time; otherwise keeps its time if it is the nearest. */
bool debug_unwind_is_at(struct debug_unwind *d, const struct pd_sample *s);

/* Returns PERR_NOTFOUND with a message that names the nearest samples before and after. */
int debug_unwind_no_sample(const struct debug_unwind *d, struct perr *e) MUST_CHECK;

/*
 * Unwinds the stack copy of a sample and prints each step to o: the frame and the rule that found
 * it, then the callers that joining adds. If --unwinder chose libdw or libunwind, the frames that
 * this library finds are printed as well.
 */
void debug_unwind_print(struct out *o, struct session *s, const struct sample_text_config *cfg,
			const struct replay_event *ev, const struct task_view *task);

#endif
