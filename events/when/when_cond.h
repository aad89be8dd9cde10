/* SPDX-License-Identifier: MIT */
/*
 * Conditions of plat when:
 *
 *	share(kernel) > 30%		of a CPU's time in a window; user, all
 *	count(sched:sched_switch) == 0	events of a CPU in a window
 *	gap(cpu-clock) > 20ms		from one event of a CPU to its next
 */
#ifndef EVENTS_WHEN_WHEN_COND_H
#define EVENTS_WHEN_WHEN_COND_H

#include "base/bytes.h"
#include "base/err.h"
#include "fileformat/perfdata.h"

enum when_kind { WHEN_SHARE, WHEN_COUNT, WHEN_GAP };
enum when_part { WHEN_ALL, WHEN_KERNEL, WHEN_USER };
enum when_op { WHEN_MORE, WHEN_MORE_EQUAL, WHEN_LESS, WHEN_LESS_EQUAL, WHEN_EQUAL };

#define WHEN_WHOLE 1000000 /* a share of 100 % */

struct when_cond {
	enum when_kind kind;
	enum when_part part; /* of WHEN_SHARE */
	enum when_op op;
	u64 value;         /* a share in millionths, a number, ns */
	struct span event; /* of the others: a name or a glob, borrowed */
	const char *text;  /* borrowed */
};

/* Reads a condition; text must outlive it. PERR_USAGE. */
int when_cond_parse(const char *text, struct when_cond *ret, struct perr *e) MUST_CHECK;

/* Whether a value fulfils it. */
bool when_cond_holds(const struct when_cond *c, u64 value);
/* Whether it stays fulfilled when the value grows. */
bool when_cond_grows(const struct when_cond *c);

/* Whether an event is the one that it is about. A share is about the first clock of a recording. */
bool when_cond_is_about(const struct when_cond *c, const struct pd_event *ev);

#endif
