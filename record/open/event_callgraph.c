/* SPDX-License-Identifier: MIT */
#include "record/open/event_callgraph.h"

#include <string.h>

#include "record/host/proc_threads.h"
#include "record/model/regs_option.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define USUAL_MAX_STACK 127 /* kernel.perf_event_max_stack's default */

/*
 * Branch records that hold a call stack: user level, call stack, no flags, no cycles, hardware
 * index.
 */
#define BRANCH_LBR_CALLGRAPH \
	(1ull << 0 | PD_BRANCH_CALL_STACK | 1ull << 14 | 1ull << 15 | PD_BRANCH_HW_INDEX)

bool event_is_function_trace(const struct rec_event *ev)
{
	return ev->tp_system && ev->tp_name && !strcmp(ev->tp_system, "ftrace") &&
	       !strcmp(ev->tp_name, "function");
}

/* all_regs: whatever --user-regs says. */
static void set_dwarf(const struct rec_opts *o, struct pd_attr *a, u32 stack_size, bool all_regs)
{
	a->sample_type |= PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER;
	a->sample_regs_user |=
		all_regs || !o->user_regs ? regs_option_all(false) : regs_option_minimal();
	a->sample_stack_user = stack_size ? stack_size : REC_STACK_MAX;
	a->flags |= FLAG(EXCLUDE_CALLCHAIN_USER);
}

/*
 * The kernel's limit of a chain, for a chain without one of its own: 0 if it is the usual one. If
 * the limit was raised, the attr says so, because readers cannot see it in the chains.
 */
static u16 unusual_limit(const struct rec_opts *o)
{
	s64 limit;

	if (rec_host_number(o->host.procfs, "sys/kernel/perf_event_max_stack", &limit) ||
	    limit == USUAL_MAX_STACK || limit <= 0 || limit > UINT16_MAX)
		return 0;
	return (u16)limit;
}

void event_callgraph_set(const struct rec_opts *o, struct rec_event *ev,
			 const struct event_callgraph *g)
{
	struct pd_attr *a = &ev->attr;

	a->sample_type |= PD_SAMPLE_CALLCHAIN;
	a->sample_max_stack = g->max_stack ? g->max_stack : unusual_limit(o);
	if (o->kernel_callchains)
		a->flags |= FLAG(EXCLUDE_CALLCHAIN_USER);
	if (o->user_callchains)
		a->flags |= FLAG(EXCLUDE_CALLCHAIN_KERNEL);

	if (event_is_function_trace(ev)) {
		/* reading the user's stack would cause page faults, which are traced in turn */
		a->flags |= FLAG(EXCLUDE_CALLCHAIN_USER);
		diag_warn(o->diag, "ftrace:function: call graphs are limited to the kernel");
		return;
	}
	if (g->mode == REC_CG_DWARF || (g->mode == REC_CG_UNWIND && !o->kernel_callchains)) {
		ev->unwound = g->mode == REC_CG_UNWIND;
		set_dwarf(o, a, g->stack_size, ev->unwound);
		if (o->user_regs && ev->unwound && !ev->is_dummy)
			diag_warn(o->diag,
				  "--user-regs: %s has no registers in the recording: "
				  "--call-graph unwind replaces them by call chains",
				  ev->name);
		if (o->user_regs && !ev->unwound && o->user_regs != regs_option_all(false))
			diag_warn(o->diag,
				  "stacks are unwound by all user registers: with --user-regs "
				  "stacks may end early");
	}
	if (g->mode != REC_CG_LBR)
		return;
	if (o->branch_sample_type) {
		diag_warn(o->diag, "-b or -j uses the processor's branch records: call "
				   "graphs use frame pointers instead of lbr");
	} else if (pd_attr_has(a, PD_ATTR_EXCLUDE_USER)) {
		diag_warn(o->diag,
			  "lbr call graphs are limited to user space: those of %s use "
			  "frame pointers",
			  ev->name);
	} else {
		a->sample_type |= PD_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = BRANCH_LBR_CALLGRAPH;
	}
}

void event_callgraph_reset(const struct rec_opts *o, struct rec_event *ev)
{
	struct pd_attr *a = &ev->attr;

	ev->unwound = false;
	a->sample_type &= ~(u64)(PD_SAMPLE_CALLCHAIN | PD_SAMPLE_REGS_USER | PD_SAMPLE_STACK_USER);
	a->flags &= ~(FLAG(EXCLUDE_CALLCHAIN_USER) | FLAG(EXCLUDE_CALLCHAIN_KERNEL));
	a->sample_regs_user = a->sample_stack_user = 0;
	a->sample_max_stack = 0;
	if (!o->branch_sample_type) {
		a->sample_type &= ~(u64)PD_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = 0;
	}
	/* registers of --user-regs stay */
	if (o->user_regs) {
		a->sample_type |= PD_SAMPLE_REGS_USER;
		a->sample_regs_user = o->user_regs;
	}
}

/* Unwinding orders the records of all rings by their times. */
void event_callgraph_settle(struct rec_evlist *l)
{
	bool unwinds = false;

	for (size_t i = 0; i < l->nr; i++)
		unwinds |= l->events[i]->unwound;
	for (size_t i = 0; unwinds && i < l->nr; i++)
		l->events[i]->attr.sample_type |= PD_SAMPLE_TIME;
}

bool event_callgraph_unwinds(const struct rec_opts *o, const struct rec_evlist *l)
{
	bool any = o->callgraph == REC_CG_UNWIND;

	for (size_t i = 0; i < l->nr; i++)
		any |= l->events[i]->terms.callgraph == REC_CG_UNWIND;
	return any;
}
