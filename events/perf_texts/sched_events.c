/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/sched_events.h"

#include <stdlib.h>

#include "base/mem.h"
#include "events/expr/event_fields.h"
#include "fileformat/perfdata.h"
#include "fileformat/record_minor.h"

enum kind { KIND_OTHER, KIND_SWITCH, KIND_RUNTIME, KIND_WAKING };

struct sched_event {
	enum kind kind;
	struct event_fields fields;
	/* tid: prev_pid of a switch, pid of others; value: prev_state, runtime */
	const struct pd_trace_field *tid, *next, *value;
};

void sched_events_init(struct sched_events *ev, struct sched_latency *latency, struct session *s)
{
	*ev = (struct sched_events){ .latency = latency, .s = s };
}

void sched_events_fini(struct sched_events *ev)
{
	for (size_t i = 0; i < ev->nr; i++)
		event_fields_fini(&ev->events[i].fields);
	free(ev->events);
	*ev = (struct sched_events){ 0 };
}

static const struct pd_trace_field *field_named(const struct sched_event *k, const char *name)
{
	return event_fields_find(&k->fields, span_of(name, strlen(name)));
}

static bool is_named(const struct pd_event *pe, const char *name)
{
	return pe->name && !strcmp(pe->name, name);
}

static void find_kind(struct sched_event *k, const struct perfdata *pd, const struct pd_event *pe,
		      bool has_wakings)
{
	if (pe->attr.type != PD_TYPE_TRACEPOINT || !(pe->attr.sample_type & PD_SAMPLE_RAW))
		return;
	event_fields_of(&k->fields, pd, pe);
	k->tid = field_named(k, "pid");
	if (is_named(pe, "sched:sched_switch")) {
		k->tid = field_named(k, "prev_pid");
		k->next = field_named(k, "next_pid");
		k->value = field_named(k, "prev_state");
		k->kind = k->tid && k->next && k->value ? KIND_SWITCH : KIND_OTHER;
	} else if (is_named(pe, "sched:sched_stat_runtime")) {
		k->value = field_named(k, "runtime");
		k->kind = k->tid && k->value ? KIND_RUNTIME : KIND_OTHER;
	} else if (is_named(pe, "sched:sched_waking") || is_named(pe, "sched:sched_wakeup_new") ||
		   (is_named(pe, "sched:sched_wakeup") && !has_wakings)) {
		/* a waking comes before its wakeup, so only one of them counts */
		k->kind = k->tid ? KIND_WAKING : KIND_OTHER;
	}
}

/* Of a stream, the formats are there with the first sample. */
static void find_kinds(struct sched_events *ev)
{
	const struct perfdata *pd = ev->s->pd;
	bool has_wakings = false;

	if (ev->events)
		return;
	ev->nr = pd->nr_events;
	ev->events = xcalloc(pd->nr_events + 1, sizeof(*ev->events));
	for (size_t i = 0; i < pd->nr_events; i++)
		has_wakings |= is_named(pd->events[i], "sched:sched_waking");
	for (size_t i = 0; i < pd->nr_events; i++) {
		struct sched_event *k = &ev->events[pd->events[i]->idx];

		find_kind(k, pd, pd->events[i], has_wakings);
		ev->has_switches |= k->kind == KIND_SWITCH;
	}
}

int sched_events_check(struct sched_events *ev, struct perr *e)
{
	find_kinds(ev);
	if (ev->has_switches)
		return 0;
	return perr_set(e, PERR_NOTFOUND,
			"it has no sched:sched_switch with its fields; record it with prec -a -e "
			"sched:sched_switch,sched:sched_stat_runtime,sched:sched_wakeup_new,"
			"sched:sched_waking, or with perf sched record");
}

/* The event's use, also when a stream has its formats with the first sample. */
static const struct sched_event *event_of(struct sched_events *ev, const struct pd_event *pe)
{
	static const struct sched_event other;

	find_kinds(ev);
	return pe->idx < ev->nr ? &ev->events[pe->idx] : &other;
}

int sched_events_shorten(struct sched_events *ev, const struct pd_event *pe,
			 const struct pd_sample *s, u64 words[3])
{
	const struct sched_event *k = event_of(ev, pe);

	words[0] = words[1] = words[2] = 0;
	if (k->kind == KIND_OTHER || s->time == UINT64_MAX)
		return 0;
	words[0] = (u32)pd_trace_field_int(k->tid, s->raw, s->swap) | (u64)s->cpu << 32;
	words[1] = k->value ? pd_trace_field_int(k->value, s->raw, s->swap) : 0;
	if (k->kind != KIND_SWITCH)
		return 2;
	words[2] = (u32)pd_trace_field_int(k->next, s->raw, s->swap);
	return 3;
}

void sched_events_take(struct sched_events *ev, const struct pd_event *pe, u64 time,
		       const u64 words[3])
{
	u32 tid = (u32)words[0];
	struct latency_switch sw;

	switch (event_of(ev, pe)->kind) {
	case KIND_SWITCH:
		sw = (struct latency_switch){ .cpu = (u32)(words[0] >> 32),
					      .prev = tid,
					      .next = (u32)words[2],
					      .prev_state = words[1],
					      .time = time };
		sched_latency_switch(ev->latency, &sw);
		break;
	case KIND_RUNTIME: sched_latency_runtime(ev->latency, tid, words[1], time); break;
	case KIND_WAKING: sched_latency_wake(ev->latency, tid, time); break;
	case KIND_OTHER: break;
	}
}

void sched_events_record(struct sched_events *ev, const struct replay_event *rec)
{
	struct pd_lost lost;
	struct perr ignored;

	task_ids_record(&ev->latency->tasks, rec, ev->s->pd->swap);
	if (rec->rec.type != PD_RECORD_LOST)
		return;
	ev->latency->nr_losses++;
	if (!pd_read_lost(&rec->rec, ev->s->pd->swap, &lost, &ignored))
		ev->latency->nr_lost += lost.lost;
}
