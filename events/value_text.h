/* SPDX-License-Identifier: MIT */
/* Values of expressions, fields of samples and call stacks as text. */
#ifndef EVENTS_VALUE_TEXT_H
#define EVENTS_VALUE_TEXT_H

#include "events/expr/expr.h"
#include "events/occurrence.h"
#include "events/rows.h"
#include "session/chain.h"

/* Writes texts about one session. */
struct value_text {
	struct session *s;
	struct frames frames;
	struct chain chain;
	u32 epoch, max_stack;
	u64 nr_stacks; /* that were written */
};

/* s is borrowed until value_text_fini(). max_stack: frames that the kernel recorded; max_user: of
 * stack copies. */
void value_text_init(struct value_text *t, struct session *s, u32 max_stack, u32 max_user);
void value_text_fini(struct value_text *t);

/* Appends a value as its expression says. rows has the texts. */
void value_text_put(struct value_text *t, struct out *o, enum expr_show show, u64 value,
		    const struct rows *rows);

/* Appends all fields of a kept sample as " name=value". */
void value_text_put_fields(struct value_text *t, struct out *o, const struct occurrence *at,
			   const struct event_fields *ef);

/* Appends the call stack of a kept sample, one line for each frame, behind `indent` blanks. */
void value_text_put_stack(struct value_text *t, struct out *o, const struct occurrence *at,
			  int indent);

#endif
