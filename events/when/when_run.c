/* SPDX-License-Identifier: MIT */
#include "events/when/when_run.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/screen/message.h"
#include "events/analysis.h"
#include "events/losses.h"
#include "events/stacks/stack_texts.h"
#include "events/value_text.h"
#include "events/when/when_options.h"
#include "events/event_ring.h"
#include "events/when/when_watch.h"
#include "fileformat/record_minor.h"

#define STACK_INDENT 12
#define SEC_NS 1000000000
#define KERNEL_HALF (1ull << 63)

/* --around, of a CPU */
struct around {
	struct event_ring ring;
	u64 until; /* events up to this time are printed as they come */
	u64 since; /* events from this time on are kept: when the last event or window began */
};

struct when_run {
	struct analysis pass;
	const struct when_options *opt;
	struct when_watch watch;
	struct losses losses;
	struct stack_texts stacks;
	struct value_text text;
	struct event_fields *fields; /* by pd_event.idx, with --around */
	size_t nr_fields;
	bool *is_about; /* by pd_event.idx */
	size_t nr_events;
	struct around *around; /* by CPU */
	size_t nr_around, cap_around;
	u64 last_time;
	struct out *o;
};

static struct when_run *run_of(struct sample_sink *k)
{
	return (struct when_run *)analysis_of(k);
}

/* ---- which events ---- */

static int find_events(struct when_run *r, struct perr *e)
{
	const struct perfdata *pd = r->pass.pd;
	const struct when_cond *c = &r->opt->cond;
	bool found = false;

	if (r->is_about)
		return 0;
	r->nr_events = pd->nr_events;
	r->is_about = xcalloc(pd->nr_events + 1, sizeof(*r->is_about));
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		/* several clocks would count the time twice */
		r->is_about[ev->idx] =
			when_cond_is_about(c, ev) && !(c->kind == WHEN_SHARE && found);
		found |= r->is_about[ev->idx];
	}
	if (found)
		return 0;
	free(r->is_about);
	r->is_about = NULL;
	if (c->kind == WHEN_SHARE)
		return perr_set(e, PERR_NOTFOUND,
				"it has no cpu-clock event, whose samples say how long a CPU was "
				"busy; plat busy --print-record says how to record it");
	return perr_set(e, PERR_NOTFOUND, "it has no event '%.*s' for %s", (int)c->event.n,
			(const char *)c->event.p, c->text);
}

/* ---- text ---- */

static void put_when(struct out *o, u64 ns)
{
	out_printf(o, "%" PRIu64 ".%09" PRIu64, ns / SEC_NS, ns % SEC_NS);
}

static void put_value(struct when_run *r, u64 value)
{
	switch (r->opt->cond.kind) {
	case WHEN_SHARE:
		out_printf(r->o, "%" PRIu64 ".%" PRIu64 "%%", value / 10000, value / 1000 % 10);
		return;
	case WHEN_COUNT: out_printf(r->o, "%" PRIu64 " events", value); return;
	case WHEN_GAP:
		out_printf(r->o, "%" PRIu64 ".%03" PRIu64 " ms", value / 1000000,
			   value / 1000 % 1000);
		return;
	}
}

/* Groups with most weight first. */
static int by_weight(const void *x, const void *y, void *groups)
{
	u32 a = *(const u32 *)x, b = *(const u32 *)y;
	u64 wa = tuple_table_entry(groups, a)[WHEN_GROUP_WORDS];
	u64 wb = tuple_table_entry(groups, b)[WHEN_GROUP_WORDS];

	if (wa != wb)
		return wa > wb ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void put_groups(struct when_run *r, const struct tuple_table *groups)
{
	u32 *order = xcalloc(groups->nr + 1, sizeof(*order));
	u64 all = 0;

	for (u32 i = 0; i < groups->nr; i++) {
		order[i] = i;
		all += tuple_table_entry(groups, i)[WHEN_GROUP_WORDS];
	}
	qsort_r(order, groups->nr, sizeof(*order), by_weight, (void *)groups);
	for (size_t i = 0; i < groups->nr && i < r->opt->top; i++) {
		const u64 *g = tuple_table_entry(groups, order[i]);
		const char *comm = (const char *)(uintptr_t)g[WHEN_COMM];

		out_printf(r->o, "%10.1f%%  ", 100.0 * (double)g[WHEN_GROUP_WORDS] / (double)all);
		out_str(r->o, comm ? comm : "");
		out_char(r->o, '\n');
		if (r->opt->stacks)
			stack_texts_put(&r->stacks, r->o, (u32)g[WHEN_STACK], STACK_INDENT);
	}
	free(order);
}

static void put_event(struct when_run *r, const struct occurrence *at)
{
	out_str(r->o, "    ");
	put_when(r->o, at->time);
	out_printf(r->o, " [%03d] ", (int)at->cpu);
	out_str(r->o, at->comm ? at->comm : "");
	out_printf(r->o, " %d/%d ", (int)at->pid, (int)at->tid);
	out_str(r->o, at->ev->name);
	out_char(r->o, ':');
	if (at->ev->idx < r->nr_fields)
		value_text_put_fields(&r->text, r->o, at, &r->fields[at->ev->idx]);
	out_char(r->o, '\n');
	if (r->opt->stacks)
		value_text_put_stack(&r->text, r->o, at, STACK_INDENT);
}

/* ---- around a hit ---- */

static struct around *around_of(struct when_run *r, u32 cpu)
{
	const struct around fresh = { 0 };

	cpu = cpu < 65536 ? cpu : 0;
	while (r->nr_around <= cpu)
		vec_push(r->around, r->nr_around, r->cap_around, fresh);
	return &r->around[cpu];
}

static void put_around(struct when_run *r, const struct when_hit *h)
{
	struct around *a = around_of(r, h->cpu);
	u64 from = h->from > r->opt->around ? h->from - r->opt->around : 0;

	if (a->ring.dropped >= from && a->ring.dropped)
		out_printf(r->o, "    (older events are not kept: the last %d)\n",
			   EVENT_RING_EVENTS);
	for (size_t i = 0; i < a->ring.nr; i++)
		if (event_ring_at(&a->ring, i)->time >= from)
			put_event(r, event_ring_at(&a->ring, i));
	event_ring_forget(&a->ring, UINT64_MAX);
	a->until = h->to + r->opt->around;
}

static void take_around(struct when_run *r, const struct sample_view *v, bool is_about)
{
	struct around *a = around_of(r, v->ev->sample.cpu);
	u64 time = v->ev->sample.time, since;

	/* a window begins where the last one ended */
	since = r->opt->cond.kind == WHEN_GAP ? a->since : r->watch.start;
	since = since ? since : time;
	event_ring_forget(&a->ring, since > r->opt->around ? since - r->opt->around : 0);
	if (is_about)
		a->since = time;
	if (time <= a->until) {
		struct occurrence at;

		occurrence_init(&at, v, true);
		put_event(r, &at);
		occurrence_fini(&at);
		return;
	}
	event_ring_add(&a->ring, v);
}

/* ---- hits ---- */

static void take_hit(void *ctx, const struct when_hit *h)
{
	struct when_run *r = ctx;

	if (r->opt->max && r->watch.nr_hits > r->opt->max)
		return;
	put_when(r->o, h->from);
	out_str(r->o, " - ");
	put_when(r->o, h->to);
	out_printf(r->o, "  CPU %u  ", h->cpu);
	put_value(r, h->value);
	if (h->lost)
		out_str(r->o, " at least: records were lost");
	if (r->opt->cond.kind == WHEN_GAP && !h->at_event)
		out_str(r->o, " until the end");
	out_char(r->o, '\n');
	if (h->groups)
		put_groups(r, h->groups);
	if (r->opt->around)
		put_around(r, h);
}

/* After a gap: what ran when the event came at last. */
static void put_event_after(struct when_run *r, const struct sample_view *v)
{
	struct occurrence at;

	if (r->opt->max && r->watch.nr_hits > r->opt->max)
		return;
	occurrence_init(&at, v, true);
	put_event(r, &at);
	occurrence_fini(&at);
}

static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct when_run *r = run_of(k);
	const struct pd_sample *s = &v->ev->sample;
	const struct when_cond *c = &r->opt->cond;
	int err = find_events(r, e);
	u32 idx = v->ev->ev->idx;
	u64 hits = r->watch.nr_hits;
	struct when_event ev;

	if (err || s->time == UINT64_MAX)
		return err;
	ev = (struct when_event){ .is_about = idx < r->nr_events && r->is_about[idx],
				  .cpu = s->cpu == UINT32_MAX ? 0 : s->cpu,
				  .time = s->time,
				  .weight = c->kind == WHEN_SHARE ? s->period : 1,
				  .comm = (u64)(uintptr_t)v->task.comm };
	r->last_time = s->time > r->last_time ? s->time : r->last_time;
	/* the idle loop is no work */
	if (c->kind == WHEN_SHARE &&
	    (!s->tid ||
	     (c->part != WHEN_ALL && (c->part == WHEN_KERNEL) != (s->ip >= KERNEL_HALF))))
		ev.is_about = false;
	if (r->opt->stacks && ev.is_about && c->kind != WHEN_GAP)
		ev.stack = stack_texts_of(&r->stacks, v);
	when_watch_take(&r->watch, &ev);
	if (r->opt->around && !(c->kind == WHEN_SHARE && idx < r->nr_events && r->is_about[idx]))
		take_around(r, v, ev.is_about);
	else if (c->kind == WHEN_GAP && r->watch.nr_hits > hits)
		put_event_after(r, v);
	return r->o->failed ? perr_io(e, "cannot write") : 0;
}

static int take_record(struct sample_sink *k, const struct replay_event *ev, struct perr *e)
{
	struct when_run *r = run_of(k);

	(void)e;
	losses_take(&r->losses, ev, r->pass.pd->swap);
	if (ev->rec.type == PD_RECORD_LOST)
		when_watch_lost(&r->watch, ev->sample.cpu);
	return 0;
}

static void put_notes(struct when_run *r)
{
	const struct when_watch *w = &r->watch;

	if (r->opt->max && w->nr_hits > r->opt->max)
		out_printf(r->o, "# further hits, which are not printed: %" PRIu64 "\n",
			   w->nr_hits - r->opt->max);
	out_str(r->o, "# ");
	out_str(r->o, r->opt->cond.text);
	out_printf(r->o, ": %" PRIu64 " hits", w->nr_hits);
	if (r->opt->cond.kind != WHEN_GAP)
		out_printf(r->o, " in %" PRIu64 " windows of a CPU", w->nr_windows);
	out_printf(r->o,
		   "\n# losses: %" PRIu64 " gaps of %" PRIu64 " records; %s that cannot be judged "
		   "for lost records or because the recording ended: %" PRIu64 "\n",
		   r->losses.nr, r->losses.events,
		   r->opt->cond.kind == WHEN_GAP ? "gaps" : "windows", w->nr_unknown);
	losses_put_without_time(&r->losses, r->o);
}

/* A stream has no more records now: what is printed so far is to be seen. */
static void show_output(void *ctx)
{
	struct when_run *r = ctx;

	if (r->o->len)
		(void)out_flush(r->o);
}

static void read_fields(struct when_run *r)
{
	const struct perfdata *pd = r->pass.pd;

	if (r->fields)
		return;
	r->nr_fields = pd->nr_events;
	r->fields = xcalloc(pd->nr_events + 1, sizeof(*r->fields));
	for (size_t i = 0; i < pd->nr_events; i++)
		event_fields_of(&r->fields[pd->events[i]->idx], pd, pd->events[i]);
}

static int take_first(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	read_fields(run_of(k));
	k->sample = take_sample;
	return take_sample(k, v, e);
}

static void fini(struct when_run *r)
{
	for (size_t i = 0; i < r->nr_around; i++)
		event_ring_fini(&r->around[i].ring);
	free(r->around);
	for (size_t i = 0; i < r->nr_fields; i++)
		event_fields_fini(&r->fields[i]);
	free(r->fields);
	free(r->is_about);
	value_text_fini(&r->text);
	stack_texts_fini(&r->stacks);
	when_watch_fini(&r->watch);
	losses_fini(&r->losses);
}

/* Reads and prints. What came before damage is printed. */
static int run_and_print(void *ctx, struct out *o, struct perr *e)
{
	struct when_run *r = ctx;
	const struct when_options *opt = r->opt;
	const struct sample_query query = { .pass = "watching events" };
	struct perr other;
	int err = 0, more;

	r->o = o;
	r->watch = (struct when_watch){
		.cond = &opt->cond, .window = opt->window, .found = take_hit, .ctx = r
	};
	stack_texts_init(&r->stacks, r->pass.s, opt->stack.max_stack, opt->stack.max_user_stack);
	value_text_init(&r->text, r->pass.s, opt->stack.max_stack, opt->stack.max_user_stack);
	if (session_can_repeat(r->pass.s))
		err = find_events(r, e);
	r->pass.sink = (struct sample_sink){ .flags = SINK_RECORDS,
					     .sample = take_first,
					     .record = take_record };
	if (!err) {
		pd_on_wait(r->pass.pd, show_output, r);
		err = analysis_read(&r->pass, query, e);
		pd_on_wait(r->pass.pd, NULL, NULL);
	}
	more = find_events(r, err ? &other : e);
	if (!more) {
		when_watch_end(&r->watch, r->last_time);
		put_notes(r);
	}
	fini(r);
	return err ? err : more;
}

int when_main(int argc, char **argv)
{
	struct when_options opt = { 0 };
	struct when_run r = { .opt = &opt };
	struct record_words words = { 0 };
	struct perr e = { .off = -1 };
	struct diag diag;
	bool is_live;
	int ret;

	diag_init(&diag);
	ret = when_options_parse(&opt, &diag, argc, argv);
	is_live = record_target_given(&opt.live);
	if (ret < 0 && is_live && when_options_record(&opt, true, &words, &e)) {
		message(stderr, "plat: %s\n", e.text);
		ret = OPT_STATUS_USAGE;
	}
	if (ret < 0)
		ret = analysis_run(&r.pass,
				   &(struct analysis_input){ .path = opt.input,
							     .symbols = &opt.symbols,
							     .pager = &opt.pager,
							     .diag = &diag,
							     .record = is_live ? &words : NULL,
							     .record_file = opt.record_file,
							     .no_user_maps = !opt.stacks },
				   run_and_print, &r);
	record_words_fini(&words);
	pager_end(&opt.pager);
	diag_fini(&diag);
	when_options_fini(&opt);
	return ret;
}
