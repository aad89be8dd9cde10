/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_data.h"

#include "fileformat/feature/feature.h"
#include "report/table/sort_key.h"

#define MEMORY (PD_SAMPLE_DATA_SRC | PD_SAMPLE_ADDR | PD_SAMPLE_WEIGHT | PD_SAMPLE_WEIGHT_STRUCT)

bool prep_any_event(const struct perfdata *pd, u64 sample_type)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.sample_type & sample_type)
			return true;
	return false;
}

/*
 * Whether rows are branches unless the user chooses, as in perf: the header says so, not the
 * events. perf decides before it has read the features of a stream.
 */
static bool is_of_branches(const struct perfdata *pd)
{
	return pd->kind != PD_PIPE && pd_feature_get(pd, PD_FEAT_BRANCH_STACK) &&
	       prep_any_event(pd, PD_SAMPLE_BRANCH_STACK) &&
	       !prep_any_event(pd, PD_SAMPLE_STACK_USER);
}

/* Whether rows are tracepoint texts, for which -b has no effect: without -s and -F. */
static bool has_rows_of_traces(const struct perfdata *pd, const struct prep_options *o)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd->events[i]->attr.type != PD_TYPE_TRACEPOINT)
			return false;
	return !o->table.sort && !o->table.fields;
}

bool prep_has_branch_rows(const struct prep_options *o, const struct perfdata *pd)
{
	if (has_rows_of_traces(pd, o))
		return false;
	return o->branch_stack < 0 ? is_of_branches(pd) : o->branch_stack;
}

bool prep_has_switches(const struct perfdata *pd)
{
	for (size_t i = 0; i < pd->nr_events; i++)
		if (pd_attr_has(&pd->events[i]->attr, PD_ATTR_CONTEXT_SWITCH))
			return true;
	return false;
}

/* Whether anything but a default depends on how many threads ran. */
static bool wants_parallelism(const struct prep_options *o, const struct hist_layout *l)
{
	return o->table.latency_first || o->filter.parallelism.bits ||
	       l->columns & COUNT_BIT(COUNT_PARALLELISM);
}

int prep_check_switches(const struct prep_options *o, const struct perfdata *pd,
			const struct hist_layout *l, struct perr *e)
{
	if (!wants_parallelism(o, l) || prep_has_switches(pd))
		return 0;
	return perr_set(e, PERR_USAGE,
			"latency and parallelism need context switches, and the file has none: "
			"record with --latency");
}

int prep_check_data(const struct prep_options *o, const struct perfdata *pd, u32 keys,
		    struct perr *e)
{
	bool chains = prep_any_event(pd, PD_SAMPLE_CALLCHAIN);

	if (o->wall && (o->table.mode != TABLE_NORMAL || o->table.latency_first))
		return perr_set(e, PERR_USAGE,
				"--wall adds up times on and off the CPU: leave -b, --mem-mode and "
				"--latency out");
	if (pd->kind == PD_PIPE)
		return 0;
	if (keys & KEY_PARENT && !chains)
		return perr_set(e, PERR_USAGE,
				"the parent key needs call chains, and the file has none: record "
				"with -g");
	if (o->chain.asked && o->chain.mode != CHAIN_NONE && !chains)
		return perr_set(e, PERR_USAGE,
				"-g needs call chains, and the file has none: record with -g");
	if (o->branch_stack == 1 && !prep_any_event(pd, PD_SAMPLE_BRANCH_STACK) &&
	    !has_rows_of_traces(pd, o))
		return perr_set(e, PERR_USAGE,
				"-b needs branch stacks, and the file has none: record with -b");
	if (o->table.mode == TABLE_MEMORY && !prep_any_event(pd, MEMORY))
		return perr_set(e, PERR_USAGE,
				"--mem-mode needs memory accesses, and the file has none: record "
				"with -d and an event of them");
	return 0;
}
