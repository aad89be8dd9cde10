/* SPDX-License-Identifier: MIT */
/*
 * Events as they happen: plat starts prec, which writes its recording into a pipe, and reads that
 * as standard input. One process can do so once.
 */
#ifndef EVENTS_LIVE_H
#define EVENTS_LIVE_H

#include <pthread.h>
#include <sys/types.h>

#include "base/err.h"

/* The descriptor of prec that is this process's standard output. */
#define LIVE_STDOUT 100
#define LIVE_STDOUT_TEXT "100"

struct live {
	pid_t prec; /* 0: not running */
	/* --record: the thread that writes the stream to the file as well as into the pipe */
	pthread_t copier;
	bool copies;
	int from, to, file; /* the copier's descriptors; -1: none */
	int file_errno;     /* why the file is not complete; 0: it is */
};

/*
 * Starts prec with the arguments argv (argv[0] is its name) and makes standard input the end of its
 * pipe. It is the prec beside this program, else that in PATH. From then on SIGINT and SIGTERM end
 * the recording, not this process, which reads what is left. record: a file that gets the stream,
 * too; NULL: none. Errors: PERR_IO.
 */
int live_start(struct live *l, char **argv, const char *record, struct perr *e) MUST_CHECK;

/*
 * Ends the recording if it still runs, and waits for it. *ret_status: prec's wait status. PERR_IO:
 * the file of --record is not complete. Call it after the stream was closed.
 */
int live_end(struct live *l, int *ret_status, struct perr *e) MUST_CHECK;

#endif
