/* SPDX-License-Identifier: MIT */
/* One recording, from its path to its counted stacks. */
#ifndef FOLD_FOLD_RECORDING_H
#define FOLD_FOLD_RECORDING_H

#include "fold/pfold_options.h"
#include "profile/reader_command.h"

/* What became of one recording. */
struct fold_result {
	u64 nr_samples; /* that were folded */
	/* After an error: the samples before the damage were folded, so lines can be printed. */
	bool partial;
	char *choices;           /* after a PERR_USAGE: as of event_choose_one; else NULL */
	struct verdict *verdict; /* of the folded samples; NULL: none. To be freed by the caller. */
	/* Of the weights: "ns", "samples", or the event's name; malloc'd and the caller's. */
	char *unit;
	/* private: what the recording was read with */
	struct perfdata *pd;
	struct session *session;
	struct counts *counts;
};

/*
 * Counts the recording opt->inputs[side] and adds its stacks to f. *ret is filled in any case and
 * has to be closed. Errors: the reader's, and PERR_USAGE of event_choose_one.
 */
int fold_recording(const struct reader_command *rc, struct pfold_options *opt, unsigned int side,
		   struct folded *f, struct fold_result *ret, struct perr *e) MUST_CHECK;

/* Frees all of the result but its verdict and unit. Slow for large recordings: can be run in a
 * thread. */
void fold_result_close(struct fold_result *r);

#endif
