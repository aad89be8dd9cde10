/* SPDX-License-Identifier: MIT */
#include "record/sink/urgency.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* First version of struct sched_attr in the kernel's include/uapi/linux/sched/types.h. */
struct attr_v0 {
	u32 size, policy;
	u64 flags;
	s32 nice;
	u32 priority;
	u64 runtime, deadline, period;
};
_Static_assert(sizeof(struct attr_v0) == 48, "layout of struct sched_attr");
#define FLAG_RESET_ON_FORK 1u

static bool set_scheduler(u32 policy, u32 priority, s32 nice)
{
	struct attr_v0 a = {
		.size = sizeof(a),
		.policy = policy,
		.flags = FLAG_RESET_ON_FORK,
		.nice = nice,
		.priority = priority,
	};

	return !syscall(SYS_sched_setattr, 0, &a, 0);
}

bool urgency_raise(enum urgency how)
{
	if (how == URGENCY_READER && set_scheduler(SCHED_FIFO, 1, 0))
		return true;
	return set_scheduler(SCHED_OTHER, 0, -20) || set_scheduler(SCHED_OTHER, 0, -10);
}
