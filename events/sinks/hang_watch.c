/* SPDX-License-Identifier: MIT */
#include "events/sinks/hang_watch.h"

/* Begins lie in the order in which they came. */
static void look(struct hang_watch *w, const struct open_begins *open, u64 now)
{
	const struct open_begin *b = open_begins_oldest(open);

	w->next = now + w->limit / 16;
	if (now < w->limit)
		return;
	for (; b; b = b->newer == NO_BEGIN ? NULL : &open->pool[b->newer]) {
		if (b->at.time > now - w->limit)
			break;
		if (b->at.time <= w->reported)
			continue;
		w->nr++;
		w->found(w->ctx, b, now - b->at.time);
	}
	w->reported = now - w->limit;
}

void hang_watch_take(struct hang_watch *w, const struct open_begins *open, u64 time, u64 wall)
{
	if (time < w->time)
		return;
	w->time = time;
	w->wall = wall;
	if (time >= w->next)
		look(w, open, time);
}

void hang_watch_wait(struct hang_watch *w, const struct open_begins *open, u64 wall)
{
	u64 passed = wall > w->wall ? wall - w->wall : 0;

	/* a record that is still on its way may be the end of a begin */
	if (w->time && w->wall && passed > HANG_DELAY_NS &&
	    w->time + passed - HANG_DELAY_NS >= w->next)
		look(w, open, w->time + passed - HANG_DELAY_NS);
}
