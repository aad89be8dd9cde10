/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_limits.h"

#include "base/mem.h"

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
		v->has_unwound |= pd->events[i]->is_unwound;
	}
	v->unwound = in->counts->unwound;
	v->cut_by_option = cut < recorded;
	v->max_stack = cut < recorded ? cut : recorded;
}

static enum verdict_chain chain_of(const struct pd_event *ev)
{
	const struct pd_attr *a = &ev->attr;
	u64 type = a->sample_type;

	if (a->branch_sample_type & PD_BRANCH_CALL_STACK)
		return VERDICT_CHAIN_LBR;
	if (type & PD_SAMPLE_STACK_USER && type & PD_SAMPLE_REGS_USER)
		return VERDICT_CHAIN_COPIES;
	if (ev->is_unwound)
		return VERDICT_CHAIN_COPIES;
	if (!(type & PD_SAMPLE_CALLCHAIN))
		return VERDICT_CHAIN_NONE;
	return pd_attr_has(a, PD_ATTR_DEFER_CALLCHAIN) ? VERDICT_CHAIN_DEFERRED
						       : VERDICT_CHAIN_FRAME_POINTERS;
}

static bool has_half_chains(const struct pd_attr *a)
{
	return pd_attr_has(a, PD_ATTR_EXCLUDE_CALLCHAIN_KERNEL) ||
	       pd_attr_has(a, PD_ATTR_EXCLUDE_CALLCHAIN_USER);
}

u32 *verdict_list_events(const struct verdict_input *in, struct verdict *v)
{
	const struct perfdata *pd = in->session->pd;
	const struct counts *c = in->counts;
	u32 *of_idx = xcalloc(c->nr_events + 1, sizeof(*of_idx));
	size_t cap = 0;

	for (u32 idx = 0; idx < c->nr_events; idx++) {
		struct verdict_event ev = { .totals = c->events[idx] };

		if ((in->wanted && !in->wanted[idx]) || (!ev.totals.samples && !ev.totals.filtered))
			continue;
		ev.name = xstrdup(idx < pd->nr_events ? pd->events[idx]->name : "");
		if (idx < pd->nr_events) {
			ev.chain = chain_of(pd->events[idx]);
			ev.half_chains = has_half_chains(&pd->events[idx]->attr);
		}
		vec_push(v->events, v->nr_events, cap, ev);
		of_idx[idx] = (u32)v->nr_events;
	}
	return of_idx;
}
