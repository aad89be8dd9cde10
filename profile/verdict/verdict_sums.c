/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict.h"

static void sum(struct verdict_weight *to, const struct verdict_weight *w)
{
	to->samples += w->samples;
	to->period += w->period;
}

void verdict_sum(const struct verdict *v, struct verdict_sums *ret)
{
	*ret = (struct verdict_sums){ 0 };
	for (size_t i = 0; i < v->nr_events; i++) {
		const struct verdict_event *ev = &v->events[i];

		sum(&ret->all, &ev->all);
		sum(&ret->leaf_unnamed, &ev->leaf_unnamed);
		sum(&ret->any_unnamed, &ev->any_unnamed);
		sum(&ret->lone_user, &ev->lone_user);
		sum(&ret->jit_ends, &ev->jit_ends);
		for (int k = 0; k < VERDICT_ENDS; k++)
			sum(&ret->ends[k], &ev->ends[k]);
		if (ev->half_chains)
			sum(&ret->empty_by_choice, &ev->ends[VERDICT_END_EMPTY]);
		ret->counted += ev->totals.samples;
		ret->filtered += ev->totals.filtered;
	}
}
