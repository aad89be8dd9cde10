/* SPDX-License-Identifier: MIT */
/*
 * Call chains of samples as addresses, from the recorded chain, the branch stack of LBR call
 * stacks, or a copy of the user stack that is unwound; and how they ended.
 */
#ifndef MACHINE_CHAIN_IPS_H
#define MACHINE_CHAIN_IPS_H

#include "machine/machine_stacks.h"
#include "unwind/join/join.h"

/*
 * How a call chain ended: STACK_RECORDED where the kernel or the processor walked it, so that it is
 * not known; STACK_END(enum unwind_end) of a stack copy; with STACK_JOINED, callers of another
 * stack follow those of the copy.
 */
#define STACK_RECORDED 0
#define STACK_END(unwind_end) ((u8)(1 + (unwind_end)))
#define STACK_JOINED 0x80
#define STACK_ROOT STACK_END(UNWIND_ROOT)

/* The end of a sample's stack as prec noted it when it unwound the event; else STACK_RECORDED. */
static inline u8 chain_noted_end(const struct pd_event *ev, const struct pd_sample *s)
{
	u8 end = (s->misc & PD_MISC_STACK_END_MASK) >> PD_MISC_STACK_END_SHIFT;

	if (!ev->is_unwound || end > STACK_END(UNWIND_NR_ENDS - 1))
		return STACK_RECORDED;
	return s->misc & PD_MISC_STACK_JOINED ? end | STACK_JOINED : end;
}

/* The bits of misc for chain_noted_end(). */
static inline u16 chain_end_misc(u8 end)
{
	return (u16)((end & ~STACK_JOINED) << PD_MISC_STACK_END_SHIFT |
		     (end & STACK_JOINED ? PD_MISC_STACK_JOINED : 0));
}

/*
 * The most entries of a recorded chain that are used, by the limits for recorded chains and for
 * stacks that are unwound.
 */
static inline u32 chain_limit(const struct pd_event *ev, u32 max_stack, u32 max_user_stack)
{
	return ev->is_unwound && max_user_stack > max_stack ? max_user_stack : max_stack;
}

/*
 * A sample's call chain as addresses, leaf first, for looking frames up. modes:
 * PD_CPUMODE_* of each.
 */
struct chain_ips {
	u64 *ips;
	u8 *modes;
	size_t nr, cap;
	bool leaf_of_branches; /* LBR call stacks begin with a branch's target, not the sample's ip
				*/
	bool finds_circle;     /* chain_find_circle is wanted */
	/* the caller's: */
	struct machine_stacks *user;    /* NULL: stack copies are left alone */
	const struct mapset *user_maps; /* with user: of the sample's process */
	/* of the last chain_list: */
	u8 end;
	size_t nr_kernel; /* with unwound: entries before it */
	u32 circle;       /* the CHAIN_REPEAT entry that the chain goes on with; 0: none */
	const struct unwind_frames *unwound; /* until the next use of user; NULL: no stack copy */
};
/* Leaves the further turns of a circle at the end out. Of a recorded chain chain_list does it. */
void chain_find_circle(struct chain_ips *c);
void chain_list(struct chain_ips *c, const struct pd_event *ev, const struct pd_sample *sample,
		u32 max_stack);
/* How many frames chain_list_join may add. */
u32 chain_room(const struct chain_ips *c, u32 max_user);
/* Adds the callers that a join found, up to max_user user frames, and says so in c->end. */
void chain_list_join(struct chain_ips *c, const struct join_path *path, u32 max_user);
/* Whether a chain of the last chain_list may go on in another stack of its thread. */
bool chain_is_joinable(const struct chain_ips *c, const struct pd_sample *s);
/* The sample's thread, for joins. */
static inline u64 chain_join_task(const struct pd_sample *s)
{
	return (u64)s->pid << 32 | s->tid;
}
/*
 * The callers of a truncated stack by the joins, as chain_list_join() takes them; only after a
 * chain_list() whose chain is joinable, before the next use of c->user.
 */
void chain_find_callers(const struct chain_ips *c, const struct pd_sample *s,
			const struct join_table *joins, struct join_path *ret);
/* Makes room for n entries. */
void chain_ips_reserve(struct chain_ips *c, size_t n);
void chain_ips_fini(struct chain_ips *c);

#endif
