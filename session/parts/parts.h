/* SPDX-License-Identifier: MIT */
/*
 * The records of a recording in time order, for several threads that work on different parts at
 * once. Each thread also reads, scans and sorts: it takes the next piece of the file when no part
 * is left to take.
 *
 *	each thread:
 *		while ((part = parts_take(parts, &scanner))) {
 *			... what looks only at the part itself ...
 *			parts_wait_turn(parts, part);
 *			... what needs all earlier records: one thread at a time, in time order ...
 *			parts_pass_turn(parts);
 *			... what remains to be done about the part ...
 *			parts_done(parts, part);
 *		}
 *	one thread:
 *		err = parts_error(parts, e);
 *
 * The records are those of pd_order, in the same order. Memory grows with the data between two
 * FINISHED_ROUNDs and with the number of threads.
 */
#ifndef SESSION_PARTS_PARTS_H
#define SESSION_PARTS_PARTS_H

#include "session/parts/part_order.h"

struct parts;

/*
 * Whether the recording can be read in parts: it lies in memory (no stream), its events are known
 * and all its records have times.
 */
bool parts_can(struct perfdata *pd);

/* pd must outlive it; only its threads may use pd until parts_free(). parts_can() has said yes. */
struct parts *parts_new(struct perfdata *pd);
/* When all threads have ended. NULL allowed. */
void parts_free(struct parts *p);

/*
 * The oldest part that nobody has taken; its records are those of part->records. NULL: there are
 * no more. Waits when other threads have the last pieces. s: the calling thread's own.
 */
struct part *parts_take(struct parts *p, struct part_scanner *s);

/* Waits until the turns of all older parts have been passed. Each part's turn is passed once. */
void parts_wait_turn(struct parts *p, const struct part *part);
void parts_pass_turn(struct parts *p);

/* Frees a part: nobody reads its records any more. */
void parts_done(struct parts *p, struct part *part);

/* When all parts are done: 0, or the error that the reader met behind them. */
int parts_error(const struct parts *p, struct perr *e) MUST_CHECK;

#endif
