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
	u64 words[2];

	if (!field)
		return NULL;
	if (field->kind != PD_FIELD_TEXT || field->place != PD_FIELD_FIXED ||
	    field->size != sizeof(words) || (u64)field->offset + sizeof(words) > s->raw.n)
		return name_in_machine(src, pd_trace_field_text(field, s->raw, s->swap));
	/* also what is behind a NUL: the same name may be there more than once */
	memcpy(words, s->raw.p + field->offset, sizeof(words));
	recent = &src->recent[(words[0] ^ words[0] >> 32 ^ words[1]) * 0x9e3779b97f4a7c15ull >> 58];
	if (!recent->comm || recent->words[0] != words[0] || recent->words[1] != words[1])
		*recent = (struct recent_comm){
			{ words[0], words[1] },
			name_in_machine(src, pd_trace_field_text(field, s->raw, s->swap))
		};
	return recent->comm;
}

static u32 stack_of(struct state_source *src, const struct sample_view *v)
{
	return src->stacks ? stack_texts_of(src->stacks, v) : 0;
}

/* One thread leaves, which is *ev, and where no SWITCH record says so, one comes. */
static int take_threads(struct state_source *src, const struct state_event_kind *k,
			const struct state_event *ev, enum task_state state, u32 next,
			const char *next_comm, struct perr *e)
{
	struct state_event in = { .tid = next,
				  .cpu = ev->cpu,
				  .time = ev->time,
				  .comm = next_comm,
				  .source = SWITCH_BY_SAMPLE,
				  .pid = UINT32_MAX };
	int err = ev->tid == UINT32_MAX ? 0 : thread_states_out(src->states, ev, state, e);

	if (err || k->kind != KIND_SWITCH)
		return err;
	if (k->prev && k->ev->attr.sample_period_or_freq == 1) {
		if (!src->gaps.all_threads)
			switch_gaps_note(&src->gaps, ev->tid, ev->comm);
		switch_gaps_take_tids(&src->gaps, ev->cpu, ev->tid, next);
	}
	return src->has_records ? 0 : thread_states_in(src->states, &in, e);
}

static enum task_state state_in(const struct state_event_kind *k, const struct pd_sample *s)
{
	return k->state ? task_state_of(pd_trace_field_int(k->state, s->raw, s->swap))
			: TASK_WAITING;
}

/* A sample of sched_switch. */
static int take_switch(struct state_source *src, const struct state_event_kind *k,
		       const struct sample_view *v, struct perr *e)
{
	const struct pd_sample *s = &v->ev->sample;
	struct state_event ev = { .tid = s->tid,
				  .cpu = s->cpu,
				  .time = s->time,
				  .comm = v->task.comm,
				  .source = SWITCH_BY_SAMPLE,
				  .pid = s->pid };
	const char *next_comm = NULL;
	u32 next = 0;

	if (k->prev_comm)
		ev.comm = comm_in(src, k->prev_comm, s);
	/* the sample itself has no id for a thread that has ended */
	if (k->prev)
		ev.tid = pd_trace_field_u32(k->prev, s->raw, s->swap);
	/* the idle thread is not followed */
	if (ev.tid)
		ev.stack = stack_of(src, v);
	if (k->pid)
		next = pd_trace_field_u32(k->pid, s->raw, s->swap);
	if (k->pid && !src->has_records)
		next_comm = comm_in(src, k->comm, s);
	return take_threads(src, k, &ev, state_in(k, s), next, next_comm, e);
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
	src->has_begun = true;
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

/* ---- samples that come short ---- */

/*
 * The words of a short sample of sched_switch, and of a waking. The last two are there with stacks,
 * of wakings with those of wakers: the ids of the sample's thread, and its chain; CHAIN_NONE: its
 * stack is not needed.
 */
enum switch_word {
	SWITCH_CPU,     /* {u32 cpu, u32 state} */
	SWITCH_THREADS, /* {u32 prev, u32 next} */
	SWITCH_PID,     /* of the sample's thread */
	SWITCH_PREV_COMM,
	SWITCH_NEXT_COMM,
	SWITCH_WORDS,
};
enum waking_word { WAKING_TID, WAKING_COMM, WAKING_WORDS };
enum stack_word { SHORT_IDS, SHORT_CHAIN, STACK_WORDS };

/* Adds the words of a stack to n ones. Returns how many there are, or PD_SHORT_NOT. */
static int put_stack_words(struct state_source *src, const struct pd_event *ev,
			   const struct pd_sample *s, bool needed, u64 *words, int n)
{
	u32 chain = needed ? stack_texts_hold(src->stacks, ev, s) : CHAIN_NONE;

	words[n + SHORT_IDS] = s->pid | (u64)s->tid << 32;
	words[n + SHORT_CHAIN] = chain;
	return needed && chain == CHAIN_NONE ? PD_SHORT_NOT : n + STACK_WORDS;
}

/* What stack_of() would have returned for the sample. */
static u32 short_stack(struct state_source *src, struct sample_sink *k, const struct pd_short *s,
		       const u64 *words)
{
	u32 chain = (u32)words[SHORT_CHAIN], pid = (u32)words[SHORT_IDS], stack;

	if (chain == CHAIN_NONE)
		return 0;
	stack = stack_texts_of_held(src->stacks, chain, s->ev,
				    sink_thread(k, pid, (u32)(words[SHORT_IDS] >> 32), s->time));
	stack_texts_drop(src->stacks, chain);
	return stack;
}

int state_source_shorten(struct state_source *src, const struct pd_event *ev,
			 const struct pd_sample *s, u64 *words)
{
	const struct state_event_kind *k;

	find_kinds(src);
	if (ev->idx >= src->nr_kinds)
		return PD_SHORT_NOT;
	k = &src->kinds[ev->idx];
	if (k->kind == KIND_WAKING) {
		words[WAKING_TID] = pd_trace_field_u32(k->pid, s->raw, s->swap);
		words[WAKING_COMM] = (u64)(uintptr_t)comm_in(src, k->comm, s);
		return src->wakers ? put_stack_words(src, ev, s, true, words, WAKING_WORDS)
				   : WAKING_WORDS;
	}
	if (k->kind == KIND_OTHER || (k->kind == KIND_SWITCH && src->has_intervals))
		return 0;
	if (k->kind != KIND_SWITCH || !k->prev || !k->prev_comm)
		return PD_SHORT_NOT;
	words[SWITCH_CPU] = s->cpu | (u64)state_in(k, s) << 32;
	words[SWITCH_THREADS] = pd_trace_field_u32(k->prev, s->raw, s->swap) |
				(u64)pd_trace_field_u32(k->pid, s->raw, s->swap) << 32;
	words[SWITCH_PID] = s->pid;
	words[SWITCH_PREV_COMM] = (u64)(uintptr_t)comm_in(src, k->prev_comm, s);
	words[SWITCH_NEXT_COMM] = src->has_records ? 0 : (u64)(uintptr_t)comm_in(src, k->comm, s);
	if (!src->stacks)
		return SWITCH_WORDS;
	return put_stack_words(src, ev, s, (u32)words[SWITCH_THREADS] != 0, words, SWITCH_WORDS);
}

static int take_short_switch(struct state_source *src, struct sample_sink *k,
			     const struct pd_short *s, struct perr *e)
{
	const u64 *w = s->words;
	const struct state_event ev = {
		.tid = (u32)w[SWITCH_THREADS],
		.cpu = (u32)w[SWITCH_CPU],
		.time = s->time,
		.comm = (const char *)(uintptr_t)w[SWITCH_PREV_COMM],
		.source = SWITCH_BY_SAMPLE,
		.pid = (u32)w[SWITCH_PID],
		.stack = src->stacks ? short_stack(src, k, s, w + SWITCH_WORDS) : 0,
	};

	return take_threads(src, &src->kinds[s->ev->idx], &ev,
			    (enum task_state)(w[SWITCH_CPU] >> 32), (u32)(w[SWITCH_THREADS] >> 32),
			    (const char *)(uintptr_t)w[SWITCH_NEXT_COMM], e);
}

static int take_short_waking(struct state_source *src, struct sample_sink *k,
			     const struct pd_short *s, struct perr *e)
{
	const u64 *w = s->words;
	const struct state_event ev = {
		.tid = (u32)w[WAKING_TID],
		.cpu = UINT32_MAX,
		.time = s->time,
		.comm = (const char *)(uintptr_t)w[WAKING_COMM],
		.pid = UINT32_MAX,
		.stack = src->wakers ? short_stack(src, k, s, w + WAKING_WORDS) : 0,
	};

	return thread_states_wake(src->states, &ev, e);
}

int state_source_take_shorts(struct state_source *src, struct sample_sink *k,
			     const struct pd_short *s, size_t nr, struct perr *e)
{
	int err = 0;

	for (size_t i = 0; i < nr && !err; i++)
		err = src->kinds[s[i].ev->idx].kind == KIND_WAKING
			      ? take_short_waking(src, k, &s[i], e)
			      : take_short_switch(src, k, &s[i], e);
	src->has_begun = true;
	src->nr_samples += nr;
	return err;
}

/* ---- other records ---- */

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
	src->has_begun = true;
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
