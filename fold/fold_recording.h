/* SPDX-License-Identifier: MIT */
/* One recording, from its path to its counted stacks. */
#ifndef FOLD_FOLD_RECORDING_H
#define FOLD_FOLD_RECORDING_H

#include "fold/pfold_options.h"

/* What a recording was read with; to close it takes a while. */
struct fold_source {
	struct perfdata *pd;
	struct session *s;
	struct counts *c;
};

/*
 * Counts the recording opt->inputs[side] and adds it to f. *ret_choices as of fold_events_choose.
 * After an error in the middle of the recording what came before it was added and *ret_partial is
 * set. *ret_samples: how many were folded. *ret_verdict: how far they can be trusted, NULL when
 * nothing was added; the caller's. *src is to be closed in any case; nothing else needs it.
 */
int fold_recording(struct pfold_options *opt, unsigned int side, struct folded *f,
		   struct diag *diag, struct fold_source *src, u64 *ret_samples, bool *ret_partial,
		   char **ret_choices, struct verdict **ret_verdict, struct perr *e) MUST_CHECK;
void fold_source_close(struct fold_source *src);

#endif
