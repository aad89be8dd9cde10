/* SPDX-License-Identifier: MIT */
#include "events/calls/call_source.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "events/expr/event_fields.h"
#include "fileformat/perfdata.h"
#include "fileformat/record_minor.h"

#define ABI_32 1 /* of pd_regs: structs of this task have another layout */

enum kind { KIND_OTHER, KIND_BEGIN, KIND_END, KIND_BEGIN_ONE, KIND_END_ONE };

struct call_event {
	enum kind kind;
	struct event_fields fields;
	const struct pd_trace_field *id, *args, *result;
	/* KIND_BEGIN_ONE: the arguments, and their texts where the kernel records them */
	struct call_shape shape;
	const struct pd_trace_field *arg_fields[MAX_CALL_ARGS], *texts[MAX_CALL_ARGS];
};

void call_source_init(struct call_source *src, struct call_trace *trace, struct session *s,
		      bool is_live)
{
	struct utsname own;

	*src = (struct call_source){ .trace = trace, .s = s, .is_live = is_live };
	src->is_own_arch =
		!uname(&own) && s->machine->arch && !strcmp(own.machine, s->machine->arch);
}

void call_source_fini(struct call_source *src)
{
	for (size_t i = 0; i < src->nr; i++)
		event_fields_fini(&src->events[i].fields);
	free(src->events);
	losses_fini(&src->losses);
	*src = (struct call_source){ 0 };
}

static const struct pd_trace_field *field_named(const struct call_event *k, const char *name)
{
	return event_fields_find(&k->fields, span_of(name, strlen(name)));
}

static bool is_same(struct span a, struct span b)
{
	return a.n == b.n && !memcmp(a.p, b.p, a.n);
}

/* What is known of the argument of this name; else it is a number in hexadecimal. */
static struct call_arg arg_like(const struct call_shape *known, struct span name)
{
	for (u32 i = 0; i < known->nr_args; i++)
		if (is_same(known->args[i].name, name))
			return known->args[i];
	return (struct call_arg){ .name = name, .kind = ARG_UNKNOWN };
}

/* Linux 6.19 and later put the text that argument `name` points to into a field __name_val. */
static const struct pd_trace_field *text_of(const struct call_event *k, struct span name)
{
	for (size_t i = 0; i < k->fields.nr; i++) {
		const struct pd_trace_field *f = &k->fields.fields[i];

		if (f->kind == PD_FIELD_TEXT && f->name.n == name.n + 6 &&
		    !memcmp(f->name.p, "__", 2) && !memcmp(f->name.p + 2, name.p, name.n) &&
		    !memcmp(f->name.p + 2 + name.n, "_val", 4))
			return f;
	}
	return NULL;
}

/* The arguments of a call as its own event has them. */
static void find_args(struct call_event *k, const char *name)
{
	struct call_shape known = call_shape_find(name);

	k->shape = (struct call_shape){ .name = name,
					.is_known = true,
					.result = known.result,
					.never_returns = known.never_returns };
	for (size_t i = 0; i < k->fields.nr && k->shape.nr_args < MAX_CALL_ARGS; i++) {
		const struct pd_trace_field *f = &k->fields.fields[i];
		u32 n = k->shape.nr_args;

		if (f == k->id || (f->name.n > 2 && !memcmp(f->name.p, "__", 2)))
			continue;
		k->shape.args[n] = arg_like(&known, f->name);
		k->shape.has_pointers |= call_arg_is_pointer(&k->shape.args[n]);
		k->arg_fields[n] = f;
		k->texts[n] = text_of(k, f->name);
		k->shape.nr_args++;
	}
}

static void find_kind(struct call_event *k, const struct perfdata *pd, const struct pd_event *pe,
		      bool has_raw)
{
	static const char enter[] = "syscalls:sys_enter_", leave[] = "syscalls:sys_exit_";

	if (pe->attr.type != PD_TYPE_TRACEPOINT || !(pe->attr.sample_type & PD_SAMPLE_RAW) ||
	    !pe->name)
		return;
	event_fields_of(&k->fields, pd, pe);
	k->id = field_named(k, "id");
	k->args = field_named(k, "args");
	k->result = field_named(k, "ret");
	if (!strcmp(pe->name, "raw_syscalls:sys_enter") && k->id)
		k->kind = KIND_BEGIN;
	else if (!strcmp(pe->name, "raw_syscalls:sys_exit") && k->id && k->result)
		k->kind = KIND_END;
	if (has_raw || k->kind != KIND_OTHER)
		return;
	k->id = field_named(k, "__syscall_nr");
	if (!strncmp(pe->name, enter, sizeof(enter) - 1) && k->id) {
		k->kind = KIND_BEGIN_ONE;
		find_args(k, pe->name + sizeof(enter) - 1);
	} else if (!strncmp(pe->name, leave, sizeof(leave) - 1) && k->id && k->result) {
		k->kind = KIND_END_ONE;
	}
}

/* Of a stream, the formats are there with the first sample. */
static void find_kinds(struct call_source *src)
{
	const struct perfdata *pd = src->s->pd;
	bool has_raw = false;

	if (src->events)
		return;
	src->nr = pd->nr_events;
	src->events = xcalloc(pd->nr_events + 1, sizeof(*src->events));
	for (size_t i = 0; i < pd->nr_events; i++)
		has_raw |= pd->events[i]->name &&
			   !strcmp(pd->events[i]->name, "raw_syscalls:sys_exit");
	for (size_t i = 0; i < pd->nr_events; i++) {
		struct call_event *k = &src->events[pd->events[i]->idx];

		find_kind(k, pd, pd->events[i], has_raw);
		src->has_ends |= k->kind == KIND_END || k->kind == KIND_END_ONE;
	}
}

int call_source_check(struct call_source *src, struct perr *e)
{
	find_kinds(src);
	if (src->has_ends)
		return 0;
	return perr_set(e, PERR_NOTFOUND,
			"it has no raw_syscalls:sys_exit with its fields; record it with prec -e "
			"raw_syscalls:sys_enter,raw_syscalls:sys_exit, or with perf trace record");
}

/* What is known of the memory of a sample's thread, if this call's arguments point to it. */
static struct call_memory *memory_of(struct call_source *src, const struct pd_sample *s,
				     const struct call_shape *shape, struct call_memory *ret)
{
	struct machine *mc = src->s->machine;
	struct thread *th;

	if (!src->is_own_arch || s->swap || s->user_regs.abi == ABI_32 || !shape ||
	    !shape->has_pointers || !call_trace_wants_memory(src->trace, shape))
		return NULL;
	*ret = (struct call_memory){ .tid = src->is_live ? s->tid : 0 };
	call_memory_of_sample(ret, s, mc->arch);
	th = threads_find(&mc->threads, s->pid, s->tid);
	if (th)
		ret->maps = machine_task(mc, th).user_maps;
	return ret;
}

static void begin(struct call_source *src, const struct pd_sample *s, u64 id,
		  const struct call_values *v)
{
	struct call_memory memory;
	const struct call_at at = { s->tid, s->time, memory_of(src, s, v->shape, &memory) };

	call_trace_begin(src->trace, &at, id, v);
}

static void end(struct call_source *src, const struct pd_sample *s, u64 id, s64 result)
{
	struct call_memory memory;
	const struct call_at at = { s->tid, s->time,
				    memory_of(src, s, call_trace_shape(src->trace, id), &memory) };

	call_trace_end(src->trace, &at, id, result);
}

static void begin_any(struct call_source *src, const struct call_event *k,
		      const struct pd_sample *s)
{
	u64 id = pd_trace_field_int(k->id, s->raw, s->swap);
	struct call_values v = { .shape = call_trace_shape(src->trace, id) };

	if (!v.shape)
		return;
	v.nr_args = k->args ? MAX_CALL_ARGS : 0;
	for (u32 i = 0; i < v.nr_args; i++)
		v.args[i] = pd_trace_field_elem(k->args, s->raw, s->swap, i);
	begin(src, s, id, &v);
}

static void begin_one(struct call_source *src, const struct call_event *k,
		      const struct pd_sample *s)
{
	struct call_values v = { .shape = &k->shape, .nr_args = k->shape.nr_args };

	for (u32 i = 0; i < v.nr_args; i++) {
		v.args[i] = pd_trace_field_int(k->arg_fields[i], s->raw, s->swap);
		if (k->texts[i])
			v.texts[i] = pd_trace_field_text(k->texts[i], s->raw, s->swap);
	}
	begin(src, s, pd_trace_field_int(k->id, s->raw, s->swap), &v);
}

void call_source_take(struct call_source *src, const struct pd_event *pe, const struct pd_sample *s)
{
	const struct call_event *k;

	find_kinds(src);
	if (pe->idx >= src->nr || s->time == UINT64_MAX)
		return;
	k = &src->events[pe->idx];
	switch (k->kind) {
	case KIND_BEGIN: begin_any(src, k, s); break;
	case KIND_BEGIN_ONE: begin_one(src, k, s); break;
	case KIND_END:
	case KIND_END_ONE:
		end(src, s, pd_trace_field_int(k->id, s->raw, s->swap),
		    (s64)pd_trace_field_int(k->result, s->raw, s->swap));
		break;
	case KIND_OTHER: break;
	}
}

void call_source_record(struct call_source *src, const struct replay_event *rec)
{
	struct pd_task task;
	struct pd_lost lost;
	struct perr ignored;
	bool swap = src->s->pd->swap;

	task_ids_record(&src->trace->tasks, rec, swap);
	losses_take(&src->losses, rec, swap);
	if (rec->rec.type == PD_RECORD_LOST && !pd_read_lost(&rec->rec, swap, &lost, &ignored))
		call_trace_lose(src->trace, lost.lost, rec->time);
	else if (rec->rec.type == PD_RECORD_EXIT && !pd_read_task(&rec->rec, swap, &task, &ignored))
		call_trace_exit(src->trace, task.tid);
}
