/* SPDX-License-Identifier: MIT */
/*
 * Runs one recording, from the events of the command line to the finished file:
 *
 *	target -> attrs -> open -> rings -> file head -> synthesized records -> start
 *	   -> repeated sweeps: rings -> copier -> sink, a round mark, a commit -> end
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/model/rec_opts.h"

struct recorder_end {
	int status; /* exit status for prec: the command's; 0 without a command */
	/* signal that ended the command or the recorder, for prec to end with as well; 0: none */
	int signal;
};

/*
 * Records until the command or all threads of the target end, SIGINT, SIGTERM or SIGHUP arrives,
 * --control sends stop, or --max-size is reached. Prints perf's messages to o->talk and warnings to
 * o->diag. Signals are blocked in the calling thread meanwhile. If an error occurs after recording
 * has begun, the output is closed with what was written so far.
 *
 * Returns 0 or the error of the part that failed. PERR_KERNEL with sys_errno set and ret->status
 * 255: the command could not be executed, and e->text is perf's message for it.
 */
int recorder_run(struct rec_opts *o, struct rec_evlist *l, struct recorder_end *ret,
		 struct perr *e) MUST_CHECK;

#endif
