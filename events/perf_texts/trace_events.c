/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/trace_events.h"

#include <stdlib.h>

#include "base/mem.h"
#include "events/expr/event_fields.h"
#include "events/syscall_names.h"
#include "fileformat/perfdata.h"

enum kind { KIND_OTHER, KIND_BEGIN, KIND_END };

struct trace_event {
	enum kind kind;
	struct event_fields fields;
	const struct pd_trace_field *id, *result;
};

void trace_events_init(struct trace_events *ev, struct trace_summary *summary, struct session *s)
{
	*ev = (struct trace_events){ .summary = summary, .s = s };
}

void trace_events_fini(struct trace_events *ev)
{
	for (size_t i = 0; i < ev->nr; i++)
		event_fields_fini(&ev->events[i].fields);
	free(ev->events);
	losses_fini(&ev->losses);
	*ev = (struct trace_events){ 0 };
}

static const struct pd_trace_field *field_named(const struct trace_event *k, const char *name)
{
	return event_fields_find(&k->fields, span_of(name, strlen(name)));
}

static void find_kind(struct trace_event *k, const struct perfdata *pd, const struct pd_event *pe)
{
	if (pe->attr.type != PD_TYPE_TRACEPOINT || !(pe->attr.sample_type & PD_SAMPLE_RAW) ||
	    !pe->name)
		return;
	event_fields_of(&k->fields, pd, pe);
	k->id = field_named(k, "id");
	k->result = field_named(k, "ret");
	if (!strcmp(pe->name, "raw_syscalls:sys_enter") && k->id)
		k->kind = KIND_BEGIN;
	else if (!strcmp(pe->name, "raw_syscalls:sys_exit") && k->id && k->result)
		k->kind = KIND_END;
}

/* Of a stream, the formats are there with the first sample. */
static __attribute__((noinline)) void find_kinds(struct trace_events *ev)
{
	const struct perfdata *pd = ev->s->pd;

	ev->nr = pd->nr_events;
	ev->events = xcalloc(pd->nr_events + 1, sizeof(*ev->events));
	for (size_t i = 0; i < pd->nr_events; i++) {
		struct trace_event *k = &ev->events[pd->events[i]->idx];

		find_kind(k, pd, pd->events[i]);
		ev->has_ends |= k->kind == KIND_END;
	}
}

int trace_events_check(struct trace_events *ev, struct perr *e)
{
	if (!ev->events)
		find_kinds(ev);
	if (ev->has_ends)
		return 0;
	return perr_set(e, PERR_NOTFOUND,
			"it has no raw_syscalls:sys_exit with its fields; record it with prec -e "
			"raw_syscalls:sys_enter,raw_syscalls:sys_exit, or with perf trace record");
}

static inline const char *name_of(struct trace_events *ev, u64 id)
{
	struct recent_name *recent = &ev->recent[id % ARRAY_SIZE(ev->recent)];

	if (!recent->is_known || recent->id != id)
		*recent = (struct recent_name){ true, id, syscall_name(ev->s->machine->arch, id) };
	return recent->name;
}

/* swap is a constant. */
static inline __attribute__((always_inline)) int
make_short(const struct trace_event *k, const struct pd_sample *s, bool swap, u64 words[2])
{
	/* numbers of calls have 32 bits, those that are none, such as -1, a sign */
	words[0] = s->tid | pd_trace_field_int(k->id, s->raw, swap) << 32;
	if (k->kind == KIND_BEGIN)
		return 1;
	words[1] = pd_trace_field_int(k->result, s->raw, swap);
	return 2;
}

int trace_events_shorten(struct trace_events *ev, const struct pd_event *pe,
			 const struct pd_sample *s, u64 words[2])
{
	const struct trace_event *k;

	if (!ev->events)
		find_kinds(ev);
	if (pe->idx >= ev->nr || s->time == UINT64_MAX)
		return 0;
	k = &ev->events[pe->idx];
	if (k->kind == KIND_OTHER)
		return 0;
	return s->swap ? make_short(k, s, true, words) : make_short(k, s, false, words);
}

void trace_events_take(struct trace_events *ev, const struct pd_event *pe, u64 time,
		       const u64 words[2])
{
	enum kind kind = ev->events[pe->idx].kind;
	u32 tid = (u32)words[0];
	u64 id = (u64)((s64)words[0] >> 32);

	if (kind == KIND_BEGIN)
		trace_summary_begin(ev->summary, tid, name_of(ev, id), time);
	else if (kind == KIND_END)
		trace_summary_end(ev->summary, tid, id, name_of(ev, id), (s64)words[1], time);
}

void trace_events_record(struct trace_events *ev, const struct replay_event *rec)
{
	task_ids_record(&ev->summary->tasks, rec, ev->s->pd->swap);
	losses_take(&ev->losses, rec, ev->s->pd->swap);
}
