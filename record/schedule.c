/* SPDX-License-Identifier: MIT */
#include "record/schedule.h"

#define NS_PER_MS 1000000ull

void schedule_start(struct schedule *s, const struct rec_opts *o, u64 now)
{
	*s = (struct schedule){ .o = o, .start_ns = now, .end_ns = UINT64_MAX };
	if (o->duration_ms && __builtin_add_overflow(now, o->duration_ms * NS_PER_MS, &s->end_ns))
		s->end_ns = UINT64_MAX;
	if (o->switch_output == REC_SWITCH_TIME && o->switch_ms)
		s->next_switch_ns = now + o->switch_ms * NS_PER_MS;
}

bool schedule_starts_disabled(const struct rec_opts *o)
{
	if (o->nr_ranges)
		return true;
	return o->has_delay && o->delay_ms;
}

/* Returns the time in ns at which -D next enables or disables the events; U64_MAX: never. */
static u64 edge_ns(const struct schedule *s)
{
	const struct rec_opts *o = s->o;

	if (s->next_edge < 2 * o->nr_ranges) {
		const struct rec_range *r = &o->ranges[s->next_edge / 2];

		return s->start_ns + (s->next_edge % 2 ? r->end_ms : r->start_ms) * NS_PER_MS;
	}
	if (!o->nr_ranges && o->has_delay && o->delay_ms > 0 && !s->delay_over)
		return s->start_ns + (u64)o->delay_ms * NS_PER_MS;
	return UINT64_MAX;
}

enum due schedule_due(struct schedule *s, u64 now)
{
	u64 edge = edge_ns(s);

	if (s->end_ns <= now) {
		s->end_ns = UINT64_MAX;
		return DUE_END;
	}
	if (edge <= now) {
		if (!s->o->nr_ranges) {
			s->delay_over = true;
			return DUE_ENABLE;
		}
		return s->next_edge++ % 2 ? DUE_DISABLE : DUE_ENABLE;
	}
	if (s->next_switch_ns && s->next_switch_ns <= now) {
		s->next_switch_ns = now + s->o->switch_ms * NS_PER_MS;
		return DUE_SWITCH;
	}
	return DUE_NOTHING;
}

int schedule_wait_ms(const struct schedule *s, u64 now, int most)
{
	u64 at = edge_ns(s), ms;

	if (s->next_switch_ns && s->next_switch_ns < at)
		at = s->next_switch_ns;
	if (s->end_ns < at)
		at = s->end_ns;
	if (at <= now)
		return 0;
	ms = (at - now + NS_PER_MS - 1) / NS_PER_MS;
	return ms < (u64)most ? (int)ms : most;
}
