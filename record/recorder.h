/* SPDX-License-Identifier: MIT */
/*
 * One recording from its events to its file:
 *
 *	target -> attrs -> open -> rings -> file head -> what was there before -> start
 *	   -> sweep after sweep: rings -> copier -> sink, a round mark, a commit -> end
 */
#ifndef RECORD_RECORDER_H
#define RECORD_RECORDER_H

#include "record/model/rec_opts.h"

struct recorder_end {
	int status; /* exit status: the command's own, 0 without one */
	int signal; /* the command or the recorder was ended by it: to be raised again; 0 none */
};

/*
 * Runs until the command or the target ends, a signal comes, --control says stop, or --max-size is
 * reached. What happens is told on o->talk in perf's words. On an error after the first bytes were
 * written the file is closed as far as it got. Errors are those of every part; PERR_KERNEL with
 * sys_errno set and ret->status 255: the command could not be executed.
 */
int recorder_run(struct rec_opts *o, struct rec_evlist *l, struct recorder_end *ret,
		 struct perr *e) MUST_CHECK;

#endif
