/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict.h"

#include "base/mem.h"
#include "count/counts.h"
#include "profile/verdict/verdict_limits.h"
#include "profile/verdict/verdict_modules.h"
#include "profile/verdict/verdict_rows.h"
#include "session/switch_gaps.h"
#include "symbols/find/debuginfod.h"

/* True if the periods of all events can be added up: one event, or halves of a hybrid one. */
static bool do_periods_add_up(const struct verdict *v, const struct verdict_input *in)
{
	size_t nr = 0;
	u64 period = 0;

	for (size_t i = 0; i < v->nr_events; i++) {
		nr += v->events[i].all.samples > 0;
		period |= v->events[i].all.period;
	}
	return period && (nr == 1 || in->events_add_up) && !in->config->branch_rows;
}

struct verdict *verdict_new_losses(const struct verdict_input *in, const struct replay_stats *st)
{
	const struct perfdata *pd = in->session->pd;
	struct verdict *v = xcalloc(1, sizeof(*v));

	v->input = xstrdup(in->input);
	v->os_release =
		in->session->machine->os_release ? xstrdup(in->session->machine->os_release) : NULL;
	v->could_ask = !symbols_get_config(in->session->machine->symbols)->debuginfod;
	v->debuginfod_problem = debuginfod_get_problem(
		symbols_get_config(in->session->machine->symbols)->debuginfod_client);
	v->stats = *st;
	v->lost = st->nr_lost_records > st->nr_lost_samples ? st->nr_lost_records
							    : st->nr_lost_samples;
	v->nr_unknown_type = pd->counts.nr_unknown_type;
	v->unfinished = pd->unfinished;
	v->truncated = pd->truncated;
	v->last_time = pd->last_time;
	v->last_write = pd->last_write;
	v->by_samples = true;
	v->losses_only = true;
	v->is_stream = !session_can_repeat(in->session);
	v->is_not_joined = v->is_stream && pd_has_stack_copies(pd);
	return v;
}

struct verdict *verdict_new(const struct verdict_input *in)
{
	const u32 branches = 1u << COUNT_BRANCH_FROM | 1u << COUNT_BRANCH_TO;
	struct verdict *v = verdict_new_losses(in, &in->counts->stats);
	u32 columns = in->config->columns;

	if (!in->config->branch_rows)
		columns &= ~branches;
	v->has_places = columns & (branches | 1u << COUNT_STACK | 1u << COUNT_IP);
	v->names_unseen = in->names_unseen;
	v->losses_only = false;
	v->of_branches = in->config->branch_rows;
	v->leaves_only = !v->of_branches && !(columns >> COUNT_STACK & 1);
	verdict_set_limits(v, in);
	verdict_look_at_rows(in, v, columns);
	v->by_samples = !do_periods_add_up(v, in);
	verdict_sort_modules(v);
	return v;
}

void verdict_set_switches(struct verdict *v, const struct switch_gaps *gaps)
{
	struct out text;

	v->missing_switches = switch_gaps_missing(gaps);
	if (!v->missing_switches)
		return;
	out_init_mem(&text);
	switch_gaps_put_sentence(gaps, &text);
	v->missing_text = xstrndup(text.buf, text.len);
	out_fini(&text);
}

void verdict_free(struct verdict *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->nr_events; i++)
		free(v->events[i].name);
	for (size_t i = 0; i < v->nr_modules; i++)
		verdict_module_fini(&v->modules[i]);
	free(v->callerless.name);
	free(v->callerless.file);
	free(v->pointers.object);
	free(v->missing_text);
	free(v->events);
	free(v->modules);
	free(v->input);
	free(v->os_release);
	free(v);
}
