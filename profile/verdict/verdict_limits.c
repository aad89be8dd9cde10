/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_limits.h"

#include "count/counts.h"

#define USUAL_MAX_STACK 127 /* kernel.perf_event_max_stack's default */
#define MAX_MARKERS 8       /* kernel.perf_event_max_contexts_per_stack's default */

/*
 * The most frames that a chain of the event can have. Stock perf does not record a limit that was
 * raised; a longer chain proves it, and then it is not known.
 */
static u32 limit_of_chains(const struct pd_event *ev, const struct counts *c)
{
	if (ev->attr.sample_max_stack)
		return ev->attr.sample_max_stack;
	return !ev->is_unwound && ev->idx < c->nr_events &&
			       c->events[ev->idx].longest_chain > USUAL_MAX_STACK + MAX_MARKERS
		       ? UINT32_MAX
		       : USUAL_MAX_STACK;
}

void verdict_set_limits(struct verdict *v, const struct verdict_input *in)
{
	u32 cut = in->config->max_stack ? in->config->max_stack : USUAL_MAX_STACK, recorded = 0;
	const struct perfdata *pd = in->session->pd;

	for (size_t i = 0; i < pd->nr_events; i++) {
		u32 own = limit_of_chains(pd->events[i], in->counts);

		recorded = own > recorded ? own : recorded;
		if (pd_attr_has(&pd->events[i]->attr, PD_ATTR_FREQ) &&
		    pd->events[i]->attr.sample_period_or_freq > v->rate)
			v->rate = pd->events[i]->attr.sample_period_or_freq;
		if (pd->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER &&
		    pd->events[i]->attr.sample_stack_user > v->copy_size)
			v->copy_size = pd->events[i]->attr.sample_stack_user;
		if (pd->events[i]->unwound_copy > v->copy_size)
			v->copy_size = pd->events[i]->unwound_copy;
	}
	v->unwound = in->counts->unwound;
	v->cut_by_option = cut < recorded;
	v->max_stack = cut < recorded ? cut : recorded;
}
