/* SPDX-License-Identifier: MIT */
/*
 * --control fd:CTL[,ACK] and fifo:CTL[,ACK]: commands to a running recorder, one per line, as perf
 * record takes them (FORMAT.md 5.9).
 */
#ifndef RECORD_CONTROL_H
#define RECORD_CONTROL_H

#include "base/err.h"

enum control_command {
	CONTROL_NONE,    /* no whole line yet */
	CONTROL_UNKNOWN, /* a line that is no command; it gets no reply */
	CONTROL_ENABLE,
	CONTROL_DISABLE,
	CONTROL_SNAPSHOT,
	CONTROL_STOP,
	CONTROL_PING,
	CONTROL_EVLIST,
};

struct control {
	int fd, ack_fd;  /* -1: none */
	bool close_them; /* fifos are ours */
	char line[256];
	size_t len;
	char arg[256]; /* of the last command: event name of enable/disable, options of evlist */
};

/* PERR_USAGE: the text is malformed; PERR_IO: a fifo cannot be opened. */
int control_open(struct control *c, const char *text, struct perr *e) MUST_CHECK;
void control_close(struct control *c);

/*
 * Next command that has arrived, CONTROL_NONE when there is none; never waits. The other end
 * closing is no command: c->fd is then -1.
 */
enum control_command control_next(struct control *c);

/* Writes "ack\n" to the ack descriptor, if --control gave one. */
void control_ack(const struct control *c);

#endif
