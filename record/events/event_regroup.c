/* SPDX-License-Identifier: MIT */
#include "record/events/event_regroup.h"

#define FLAG(name) (1ull << PD_ATTR_##name)

/* A member is enabled through its leader. Alone, it needs the leader's own start flags. */
static void take_start(struct rec_event *to, const struct rec_event *from)
{
	to->attr.flags |= from->attr.flags & (FLAG(DISABLED) | FLAG(ENABLE_ON_EXEC));
}

static void take_lead(struct rec_event *to, const struct rec_event *from)
{
	take_start(to, from);
	to->attr.flags |= from->attr.flags & (FLAG(PINNED) | FLAG(EXCLUSIVE));
	to->weak_group = from->weak_group;
	if (!from->sample_read)
		return;
	/* in {..}:S only the leader takes samples */
	to->attr.sample_period_or_freq = from->attr.sample_period_or_freq;
	to->attr.flags |= from->attr.flags & FLAG(FREQ);
	to->attr.sample_type = from->attr.sample_type;
	to->attr.read_format = from->attr.read_format;
}

static void take_tracking(struct rec_event *to, const struct rec_event *from)
{
	u64 side_band = FLAG(MMAP) | FLAG(COMM) | FLAG(TASK) | FLAG(MMAP_DATA) | FLAG(MMAP2) |
			FLAG(COMM_EXEC) | FLAG(CONTEXT_SWITCH) | FLAG(NAMESPACES) | FLAG(KSYMBOL) |
			FLAG(BPF_EVENT) | FLAG(CGROUP) | FLAG(TEXT_POKE) | FLAG(BUILD_ID);

	to->is_tracking = true;
	to->attr.flags |= from->attr.flags & side_band;
}

void event_leave_out(struct rec_evlist *l, u32 idx)
{
	struct rec_event *ev = l->events[idx];

	if (ev->leader_idx == idx && ev->nr_members > 1)
		take_lead(l->events[idx + 1], ev);
	if (ev->is_tracking)
		take_tracking(l->events[idx ? 0 : 1], ev);
	evlist_remove(l, idx);
}

void event_break_up_group(struct rec_evlist *l, u32 leader_idx)
{
	struct rec_event *leader = l->events[leader_idx];
	u32 end = leader_idx + leader->nr_members;

	for (u32 i = leader_idx; i < end && i < l->nr; i++) {
		struct rec_event *ev = l->events[i];

		take_start(ev, leader);
		ev->leader_idx = i;
		ev->nr_members = 1;
		ev->in_group = ev->weak_group = false;
	}
}
