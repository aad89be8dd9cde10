/* SPDX-License-Identifier: MIT */
/*
 * Frames by id. A frame is an ip in a map of one address space; equal frames have one id, so what
 * is costly (symbol lookup, formatting) is done once per distinct frame. The table is bounded: when
 * it is full it starts anew under a new epoch, and ids of older epochs are void.
 */
#ifndef SESSION_FRAMES_H
#define SESSION_FRAMES_H

#include "session/session.h"
#include "machine/machine_stacks.h"
#include "unwind/join.h"

struct frame {
	u64 ip;
	const struct map *map; /* NULL: no map holds ip */
	bool looked_up;
	bool has_sym;
	struct sym_hit sym; /* valid with has_sym */
};

struct frames {
	struct frame *items;
	size_t nr, cap, max;
	u32 epoch;
	struct idmap by_place;          /* (map id, ip) -> id */
	struct frame_cache_line *cache; /* (mapset id, ip) -> id, direct mapped */
};

/* max: distinct frames kept before a new epoch (~200 bytes each with a user's text of it). */
void frames_init(struct frames *f, size_t max);
void frames_fini(struct frames *f);

/* Call between samples: makes room by starting a new epoch when the table is full. */
void frames_make_room(struct frames *f);

/* Id of the frame at ip, in the task's user space or the kernel as cpumode says. */
u32 frames_get(struct frames *f, const struct task_view *task, u8 cpumode, u64 ip);

/* The frame, its symbol looked up. Borrowed until the next frames_get or frames_make_room. */
const struct frame *frames_resolve(struct frames *f, u32 id);

/*
 * The functions that were inlined at a resolved frame's place and the frame's own, innermost first:
 * the last one is the frame as it is without them (dso_find_inlines has the details). Returns how
 * many; 0 when that is not known or the frame has no symbol: it stands for itself then. *ret lives
 * as long as the session. Looked up once per place, but not free: keep what is made of it.
 */
size_t frame_inlines(const struct frame *fr, const struct inline_frame **ret);
size_t frame_inlines_with_lines(const struct frame *fr, const struct inline_frame **ret);

/* The cpumode that a callchain marker switches to; -1 for a marker nobody knows. */
int chain_marker_cpumode(u64 marker);

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
	u32 circle;       /* the COUNT_REPEAT entry that the chain goes on with; 0: none */
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
	const struct join_table *joins; /* the caller's; NULL: truncated stacks stay so */
	struct join_path path;
	bool leaf_of_branches; /* LBR call stacks begin with a branch's target, not the sample's ip
				*/
};
void chain_resolve(struct chain *c, struct frames *f, const struct pd_event *ev,
		   const struct pd_sample *sample, const struct task_view *task, u32 max_stack);
void chain_fini(struct chain *c);

#endif
