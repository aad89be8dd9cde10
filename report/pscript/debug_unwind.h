/* SPDX-License-Identifier: MIT */
/* pscript --debug-unwind=TIME: how one sample's stack copy was unwound, step by step. */
#ifndef REPORT_PSCRIPT_DEBUG_UNWIND_H
#define REPORT_PSCRIPT_DEBUG_UNWIND_H

#include "report/pscript/sample_text.h"

/* A time as it was printed: all times that are printed so. */
struct debug_unwind {
	bool given;
	const char *text;
	u64 from, to;      /* ns, half-open */
	u64 before, after; /* of samples that were passed over: the nearest; 0, UINT64_MAX: none */
};

/* For OPT_PARSE: seconds with at most nine decimals. addr is a struct debug_unwind. */
int debug_unwind_parse(void *addr, const char *arg, struct perr *e) MUST_CHECK;

/* Whether this is the sample; remembers the nearest that is not. */
bool debug_unwind_is_at(struct debug_unwind *d, const struct pd_sample *s);

/* PERR_NOTFOUND, with the times of the samples on both sides. */
int debug_unwind_no_sample(const struct debug_unwind *d, struct perr *e) MUST_CHECK;

/*
 * What a stack copy's frames were found by, the callers that were joined to them and, where the
 * session unwinds by another way than our tables, which frames that finds in their stead.
 */
void debug_unwind_print(struct out *o, struct session *s, const struct sample_text_config *cfg,
			const struct replay_event *ev, const struct task_view *task);

#endif
