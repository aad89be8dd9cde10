/* SPDX-License-Identifier: MIT */
/*
 * Events and samples with copies of user stacks, written with call chains in place of the copies:
 * what an event's attr becomes, and what the bytes of a SAMPLE become. Knows nothing of where they
 * come from.
 */
#ifndef RECORD_LIVE_CHAINED_RECORD_H
#define RECORD_LIVE_CHAINED_RECORD_H

#include "base/wbuf.h"
#include "machine/chain_ips.h"

/*
 * True if samples of the event have what unwinding needs: user registers and stack copies. Call
 * stacks of the processor (LBR) are taken instead where there are any.
 */
bool chained_attr_wanted(const struct pd_attr *a);

/*
 * The attr as it is written: with call chains, without user registers and stack copies, or with
 * them (keep_copies).
 */
struct pd_attr chained_attr(const struct pd_attr *opened, bool keep_copies);

/*
 * Appends sample s of event ev, whose bytes are the record r, with c for its call chain; c->end and
 * STACK_JOINED go into misc. A chain without entries of its own user part is written as recorded.
 * All are of this machine's byte order. Returns how many entries of c were left out because a
 * record of 65,528 bytes does not hold them, outermost first. keep_copy: registers and stack copy
 * stay, the copy as far as a record holds it, without the bytes that are not valid.
 */
size_t chained_sample_put(struct wbuf *b, const struct pd_event *ev, const struct pd_record *r,
			  const struct pd_sample *s, const struct chain_ips *c, bool keep_copy);

#endif
