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
static __attribute__((noinline)) void find_kinds(struct sched_events *ev)
{
	const struct perfdata *pd = ev->s->pd;
	bool has_wakings = false;

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
	if (!ev->events)
		find_kinds(ev);
	if (ev->has_switches)
		return 0;
	return perr_set(e, PERR_NOTFOUND,
			"it has no sched:sched_switch with its fields; record it with prec -a -e "
			"sched:sched_switch,sched:sched_stat_runtime,sched:sched_wakeup_new,"
			"sched:sched_waking, or with perf sched record");
}

/* swap is a constant. */
static inline __attribute__((always_inline)) int
make_short(const struct sched_event *k, const struct pd_sample *s, bool swap, u64 words[3])
{
	words[0] = pd_trace_field_u32(k->tid, s->raw, swap) | (u64)s->cpu << 32;
	if (k->kind == KIND_WAKING)
		return 1;
	words[1] = pd_trace_field_int(k->value, s->raw, swap);
	if (k->kind == KIND_RUNTIME)
		return 2;
	words[2] = pd_trace_field_u32(k->next, s->raw, swap);
	return 3;
}

int sched_events_shorten(struct sched_events *ev, const struct pd_event *pe,
			 const struct pd_sample *s, u64 words[3])
{
	const struct sched_event *k;

	if (!ev->events)
		find_kinds(ev);
	if (pe->idx >= ev->nr || s->time == UINT64_MAX)
		return 0;
	k = &ev->events[pe->idx];
	if (k->kind == KIND_OTHER)
		return 0;
	return s->swap ? make_short(k, s, true, words) : make_short(k, s, false, words);
}

void sched_events_take(struct sched_events *ev, const struct pd_event *pe, u64 time,
		       const u64 words[3])
{
	u32 tid = (u32)words[0];
	struct latency_switch sw;

	switch (ev->events[pe->idx].kind) {
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
