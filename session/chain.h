/* SPDX-License-Identifier: MIT */
/*
 * Call chains of samples: as addresses (struct chain_ips) or as frame ids (struct chain), from the
 * recorded chain, the branch stack of LBR call stacks, or a copy of the user stack that is unwound.
 */
#ifndef SESSION_CHAIN_H
#define SESSION_CHAIN_H

#include "machine/machine_stacks.h"
#include "session/frames.h"
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

/*
 * A sample's call chain as addresses, leaf first: see chain_resolve, which looks these up. modes:
 * PD_CPUMODE_* of each.
 */
struct chain_ips {
	u64 *ips;
	u8 *modes;
	size_t nr, cap;
	bool leaf_of_branches; /* as in struct chain */
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
/* Makes room for n entries. */
void chain_ips_reserve(struct chain_ips *c, size_t n);
void chain_ips_fini(struct chain_ips *c);

/*
 * A sample's call chain as frame ids, leaf first: at most max_stack entries, of the recorded chain
 * (kernel part, user part, joined deferred part) or, for LBR call stacks, of the branch stack.
 * Result is valid until the next call; *ret_nr is 0 for a chain that is empty or damaged (one with
 * an unknown marker is discarded whole, as stock perf does).
 */
struct chain {
	u32 *ids;
	size_t nr, cap;
	struct chain_ips list;          /* list.user: the caller's, see there */
	const struct join_table *joins; /* the caller's; NULL: truncated stacks are not completed */
	/*
	 * Set when a truncated stack was not completed because there are no joins. Chains of
	 * several threads may share it. NULL: the caller does not need to know.
	 */
	bool *left_truncated;
	struct join_path path;
	bool leaf_of_branches; /* LBR call stacks begin with a branch's target, not the sample's ip
				*/
};
void chain_resolve(struct chain *c, struct frames *f, const struct pd_event *ev,
		   const struct pd_sample *sample, const struct task_view *task, u32 max_stack);
void chain_fini(struct chain *c);

#endif
