/* SPDX-License-Identifier: MIT */
/*
 * Reads the commands that --control fd:CTL[,ACK] or fifo:CTL[,ACK] sends to a running recorder, one
 * command per line, in the syntax of perf record (FORMAT.md 5.9).
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include "base/err.h"

enum control_command {
	CONTROL_NONE,    /* no complete line has arrived */
	CONTROL_UNKNOWN, /* an unknown command; perf record sends no reply to it either */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_EVLIST,
};

struct control {
	int fd, ack_fd; /* descriptors of the commands and of the replies; -1: not open */
	/* control_close closes both descriptors: control_open opened them as fifos */
	bool close_them;
	char line[256];
	size_t len;
	/* argument of the last command: an event name for enable and disable, options for evlist */
	char arg[256];
};

/*
 * Opens the descriptors or fifos that `text`, the value of --control, names. The caller ends with
 * control_close. Fails with PERR_USAGE for a malformed text and with PERR_IO if a fifo cannot be
 * opened or a descriptor is not open.
 */
int control_open(struct control *c, const char *text, struct perr *e) MUST_CHECK;
/*
 * Closes the fifos that control_open opened. Descriptors of the fd: form stay open: they belong to
 * the process that started prec.
 */
void control_close(struct control *c);

/*
 * Returns the next command that has arrived, or CONTROL_NONE if no complete line has; never waits.
 * When the other end closes, sets c->fd to -1 and returns CONTROL_NONE. Characters of a line beyond
 * 255 are dropped.
 */
enum control_command control_next(struct control *c);

/* Writes "ack\n" to the reply descriptor, if --control named one. Write errors are ignored. */
void control_ack(const struct control *c);

#endif
