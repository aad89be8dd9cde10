/* SPDX-License-Identifier: MIT */
#include "events/state/state_source.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/perfdata.h"

/* PERF_COUNT_SW_CONTEXT_SWITCHES of linux/perf_event.h */
#define SW_CONTEXT_SWITCHES 3

enum kind { KIND_OTHER, KIND_INTERVAL, KIND_SWITCH, KIND_COUNTED_SWITCH, KIND_WAKING };

/* What one event of the recording is here. */
struct state_event_kind {
	enum kind kind;
	const struct pd_event *ev;
	struct event_fields fields;
	/* of KIND_SWITCH: prev_state, prev_pid, next_pid, next_comm; of KIND_WAKING: pid, comm */
	const struct pd_trace_field *state, *prev, *pid, *comm; /* NULL: none */
	const struct pd_trace_field *prev_comm;
};

void state_source_init(struct state_source *src, struct thread_states *states, struct session *s)
{
	*src = (struct state_source){ .states = states, .s = s };
}

void state_source_fini(struct state_source *src)
{
	for (size_t i = 0; i < src->nr_kinds; i++)
		event_fields_fini(&src->kinds[i].fields);
	free(src->kinds);
	losses_fini(&src->losses);
	switch_gaps_fini(&src->gaps);
	*src = (struct state_source){ 0 };
}

static const struct pd_trace_field *field_named(const struct state_event_kind *k, const char *name)
{
	return event_fields_find(&k->fields, span_of(name, strlen(name)));
}

static bool has_raw(const struct pd_event *ev)
{
	return ev->attr.sample_type & PD_SAMPLE_RAW;
}

static void find_tracepoint(struct state_source *src, struct state_event_kind *k)
{
	const char *name = k->ev->name;

	if (!strcmp(name, "sched:sched_switch")) {
		k->kind = KIND_COUNTED_SWITCH;
		k->state = has_raw(k->ev) ? field_named(k, "prev_state") : NULL;
		k->prev = has_raw(k->ev) ? field_named(k, "prev_pid") : NULL;
		k->pid = has_raw(k->ev) ? field_named(k, "next_pid") : NULL;
		k->comm = field_named(k, "next_comm");
		k->prev_comm = has_raw(k->ev) ? field_named(k, "prev_comm") : NULL;
		if (k->pid)
			k->kind = KIND_SWITCH;
		src->has_states |= k->state != NULL;
		src->has_switches = true;
	} else if (!strcmp(name, "sched:sched_waking") || !strcmp(name, "sched:sched_wakeup") ||
		   !strcmp(name, "sched:sched_wakeup_new")) {
		k->pid = has_raw(k->ev) ? field_named(k, "pid") : NULL;
		k->comm = field_named(k, "comm");
		if (!k->pid)
			return;
		k->kind = KIND_WAKING;
		src->has_wakings = true;
	}
}

static void find_kind(struct state_source *src, struct state_event_kind *k)
{
	event_fields_of(&k->fields, src->s->pd, k->ev);
	if (k->ev->attr.type == PD_TYPE_TRACEPOINT) {
		find_tracepoint(src, k);
	} else if (pd_is_offcpu_event(k->ev)) {
		k->kind = KIND_INTERVAL;
		src->has_intervals = src->has_states = true;
	} else if (k->ev->attr.type == PD_TYPE_SOFTWARE &&
		   k->ev->attr.config == SW_CONTEXT_SWITCHES) {
		k->kind = KIND_COUNTED_SWITCH;
		src->has_switches = true;
	}
	src->needs_tasks |= k->kind == KIND_INTERVAL || k->kind == KIND_COUNTED_SWITCH ||
			    (k->kind == KIND_SWITCH && !k->prev_comm);
	src->has_records |= pd_attr_has(&k->ev->attr, PD_ATTR_CONTEXT_SWITCH);
}

/* Of a stream, the formats are there with the first sample. */
static void find_kinds(struct state_source *src)
{
	const struct perfdata *pd = src->s->pd;

	if (src->kinds)
		return;
	src->nr_kinds = pd->nr_events;
	src->kinds = xcalloc(pd->nr_events + 1, sizeof(*src->kinds));
	src->needs_tasks = src->stacks;
	for (size_t i = 0; i < pd->nr_events; i++) {
		struct state_event_kind *k = &src->kinds[pd->events[i]->idx];

		k->ev = pd->events[i];
		find_kind(src, k);
	}
}

int state_source_check(struct state_source *src, struct perr *e)
{
	find_kinds(src);
	if (src->has_intervals || src->has_switches || src->has_records)
		return 0;
	return perr_set(e, PERR_NOTFOUND,
			"it does not say when threads ran; record it with prec --off-cpu, or all "
			"threads with prec -a -e sched:sched_switch,sched:sched_waking");
}

static const char *comm_of(struct state_source *src, u32 tid)
{
	const struct thread *th = threads_find(&src->s->machine->threads, UINT32_MAX, tid);

	return th && th->comm_given ? machine_comm(src->s->machine, th) : NULL;
}

/* The machine's text for a name in a sample; NULL: it is new, and there is no memory for it. */
static const char *name_in_machine(struct state_source *src, struct span text)
{
	struct intern *strings = &src->s->machine->strings;
	const char *s = (const char *)text.p;
	size_t before = strings->arena.total;
	u32 id;

	if (src->full && !intern_has(strings, s, text.n))
		return NULL;
	id = intern_n(strings, s, text.n);
	src->name_bytes += strings->arena.total - before;
	return intern_text(strings, id);
}

static const char *comm_in(struct state_source *src, const struct pd_trace_field *field,
			   const struct pd_sample *s)
{
	struct recent_comm *recent;
	struct span text;
	u64 words[2] = { 0 };

	if (!field)
		return NULL;
	text = pd_trace_field_text(field, s->raw, s->swap);
	if (text.n > sizeof(words))
		return name_in_machine(src, text);
	if (text.n)
		memcpy(words, text.p, text.n);
	recent = &src->recent[hash_u64(words[0] ^ words[1]) % ARRAY_SIZE(src->recent)];
	if (!recent->comm || recent->words[0] != words[0] || recent->words[1] != words[1])
		*recent =
			(struct recent_comm){ { words[0], words[1] }, name_in_machine(src, text) };
	return recent->comm;
}

static u32 stack_of(struct state_source *src, const struct sample_view *v)
{
	return src->stacks ? stack_texts_of(src->stacks, v) : 0;
}

/* A sample of sched_switch: one thread leaves, and where no SWITCH record says so, one comes. */
static int take_switch(struct state_source *src, const struct state_event_kind *k,
		       const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	struct state_event ev = { .tid = s->tid,
				  .cpu = s->cpu,
				  .time = s->time,
				  .comm = v->task.comm,
				  .source = SWITCH_BY_SAMPLE,
				  .pid = s->pid,
				  .stack = stack_of(src, v) };
	enum task_state state = TASK_WAITING;
	int err;

	if (k->state)
		state = task_state_of(pd_trace_field_int(k->state, s->raw, s->swap));
	if (k->prev_comm)
		ev.comm = comm_in(src, k->prev_comm, s);
	/* the sample itself has no id for a thread that has ended */
	if (k->prev)
		ev.tid = (u32)pd_trace_field_int(k->prev, s->raw, s->swap);
	err = ev.tid == UINT32_MAX ? 0 : thread_states_out(src->states, &ev, state, e);
	if (err || k->kind != KIND_SWITCH)
		return err;
	if (k->prev && k->ev->attr.sample_period_or_freq == 1)
		switch_gaps_take(&src->gaps, s->cpu,
				 (u32)pd_trace_field_int(k->prev, s->raw, s->swap), ev.comm,
				 (u32)pd_trace_field_int(k->pid, s->raw, s->swap));
	if (src->has_records)
		return 0;
	ev.tid = (u32)pd_trace_field_int(k->pid, s->raw, s->swap);
	ev.comm = comm_in(src, k->comm, s);
	ev.pid = UINT32_MAX;
	ev.stack = 0;
	return thread_states_in(src->states, &ev, e);
}

static int take_waking(struct state_source *src, const struct state_event_kind *k,
		       const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct state_event ev = { .tid = (u32)pd_trace_field_int(k->pid, s->raw, s->swap),
					.cpu = UINT32_MAX,
					.time = s->time,
					.comm = comm_in(src, k->comm, s),
					.pid = UINT32_MAX,
					.stack = src->wakers ? stack_of(src, v) : 0 };

	return thread_states_wake(src->states, &ev, e);
}

static int take_interval(struct state_source *src, const struct state_event_kind *k,
			 const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	enum task_state state = task_state_find(pd_offcpu_state(k->ev, s->id));
	const struct state_event ev = { .tid = s->tid,
					.cpu = s->cpu,
					.time = s->time,
					.comm = v->task.comm,
					.pid = s->pid,
					.stack = stack_of(src, v) };

	return thread_states_was_out(src->states, &ev, s->period,
				     state == NR_TASK_STATES ? TASK_WAITING : state, e);
}

int state_source_take(struct state_source *src, const struct sample_view *v, struct perr *e)
{
	const struct state_event_kind *k;

	find_kinds(src);
	if (v->ev->ev->idx >= src->nr_kinds || v->ev->sample.time == UINT64_MAX)
		return 0;
	k = &src->kinds[v->ev->ev->idx];
	src->nr_samples += k->kind != KIND_OTHER;
	switch (k->kind) {
	case KIND_INTERVAL: return take_interval(src, k, v, e);
	case KIND_WAKING: return take_waking(src, k, v, e);
	case KIND_SWITCH:
	case KIND_COUNTED_SWITCH: return src->has_intervals ? 0 : take_switch(src, k, v, e);
	case KIND_OTHER: break;
	}
	return 0;
}

static int take_task(struct state_source *src, const struct replay_event *ev, struct perr *e)
{
	struct state_event se = { .cpu = UINT32_MAX, .time = ev->time, .pid = UINT32_MAX };
	struct pd_task task;

	if (pd_read_task(&ev->rec, src->s->pd->swap, &task, e))
		return 0;
	se.tid = task.tid;
	se.pid = task.pid;
	se.comm = comm_of(src, task.tid);
	if (ev->rec.type == PD_RECORD_FORK)
		return thread_states_begin(src->states, &se, TASK_WOKEN, e);
	return thread_states_end(src->states, &se, e);
}

static int take_switch_record(struct state_source *src, const struct replay_event *ev,
			      struct perr *e)
{
	const struct state_event se = { .tid = ev->sample.tid,
					.cpu = ev->sample.cpu,
					.time = ev->time,
					.comm = comm_of(src, ev->sample.tid),
					.pid = ev->sample.pid,
					.source = SWITCH_BY_RECORD };
	bool preempted = ev->rec.misc & PD_MISC_SWITCH_OUT_PREEMPT;

	if (src->has_intervals)
		return 0;
	if (ev->rec.misc & PD_MISC_SWITCH_OUT)
		return thread_states_out(src->states, &se,
					 preempted ? TASK_PREEMPTED : TASK_WAITING, e);
	return thread_states_in(src->states, &se, e);
}

/* A thread that calls exec runs. This is how the recorded command begins. */
static int take_exec(struct state_source *src, const struct replay_event *ev, struct perr *e)
{
	const struct state_event se = { .tid = ev->sample.tid,
					.cpu = UINT32_MAX,
					.time = ev->time,
					.comm = comm_of(src, ev->sample.tid),
					.pid = ev->sample.pid };

	if (thread_states_find(src->states, se.tid) != IDMAP_NONE)
		return 0;
	return thread_states_begin(src->states, &se, TASK_RUNNING, e);
}

int state_source_take_record(struct state_source *src, const struct replay_event *ev,
			     struct perr *e)
{
	if (ev->rec.type == PD_RECORD_LOST_SAMPLES)
		losses_take(&src->losses, ev, src->s->pd->swap);
	/* records about what existed before the recording have no time */
	if (!ev->time || ev->time == UINT64_MAX)
		return 0;
	find_kinds(src);
	switch (ev->rec.type) {
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return take_task(src, ev, e);
	case PD_RECORD_COMM: return ev->rec.misc & PD_MISC_COMM_EXEC ? take_exec(src, ev, e) : 0;
	case PD_RECORD_SWITCH:
	case PD_RECORD_SWITCH_CPU_WIDE: return take_switch_record(src, ev, e);
	case PD_RECORD_LOST:
		losses_take(&src->losses, ev, src->s->pd->swap);
		switch_gaps_lost(&src->gaps);
		thread_states_lost(src->states);
		break;
	}
	return 0;
}
