/* SPDX-License-Identifier: MIT */
/*
 * Call stacks of samples as texts, each distinct one once: the names of its functions, innermost
 * first, one a line.
 */
#ifndef EVENTS_STACKS_STACK_TEXTS_H
#define EVENTS_STACKS_STACK_TEXTS_H

#include "base/intern.h"
#include "base/out.h"
#include "events/stacks/chain_texts.h"
#include "session/chain.h"
#include "session/sample_sink.h"

struct stack_texts {
	struct session *s;
	struct frames frames;
	struct chain chain;
	struct intern texts; /* 0: the empty stack */
	struct idmap known;  /* hash of the frames -> text, within one epoch of the frames */
	struct chain_texts chains;
	u32 epoch, max_stack;
	u64 nr_named;
	size_t max_bytes;  /* the caller's: with so many, new stacks are one, "[other stacks]"; 0:
			    * no limit */
	struct out text;   /* of the stack that is being named */
	struct intern old; /* the texts, while some are forgotten */
	size_t left_bytes; /* of texts when some were forgotten last */
};

/* s is borrowed until stack_texts_fini(). max_stack: frames that the kernel recorded; max_user: of
 * stack copies. */
void stack_texts_init(struct stack_texts *t, struct session *s, u32 max_stack, u32 max_user);
void stack_texts_fini(struct stack_texts *t);

/* The number of a sample's stack; 0: it has none. The sample comes from a sink without
 * SINK_LATE_KERNEL. */
u32 stack_texts_of(struct stack_texts *t, const struct sample_view *v);

/*
 * The stack of a sample that comes short (struct sample_sink): as it is read, stack_texts_hold()
 * keeps its chain and returns its number; CHAIN_NONE: the sample cannot come short. When its turn
 * has come, stack_texts_of_held() is as stack_texts_of(), th the thread of then. Each chain that is
 * held must be dropped once.
 */
u32 stack_texts_hold(struct stack_texts *t, const struct pd_event *ev, const struct pd_sample *s);
u32 stack_texts_of_held(struct stack_texts *t, u32 chain, const struct pd_event *ev,
			const struct thread *th);
static inline void stack_texts_drop(struct stack_texts *t, u32 chain)
{
	chain_texts_drop(&t->chains, chain);
}

/* Writes a stack, one function a line behind `indent` blanks. */
void stack_texts_put(const struct stack_texts *t, struct out *o, u32 stack, int indent);
/* Writes a stack as flame graphs have it: outermost first, with ; between functions. */
void stack_texts_put_folded(const struct stack_texts *t, struct out *o, u32 stack);
/* Writes the function at the top of a stack. */
void stack_texts_put_top(const struct stack_texts *t, struct out *o, u32 stack);

/*
 * To forget the stacks that nothing refers to any more, when stack_texts_are_many(): between begin
 * and end, stack_texts_keep() is called for each one that is still needed, and returns its new
 * number. All other numbers are void then. Kept in the order of their numbers, stacks stay in it.
 */
bool stack_texts_are_many(const struct stack_texts *t);
void stack_texts_begin_forget(struct stack_texts *t);
u32 stack_texts_keep(struct stack_texts *t, u32 stack);
void stack_texts_end_forget(struct stack_texts *t);

/* Bytes of memory of all texts. */
size_t stack_texts_bytes(const struct stack_texts *t);

#endif
