/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/lock_events.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "events/expr/event_fields.h"
#include "fileformat/chain_entries.h"
#include "fileformat/perfdata.h"
#include "machine/machine.h"

#define MAX_FRAMES ((size_t)1 << 16)

enum kind { KIND_OTHER, KIND_BEGIN, KIND_END };

struct lock_event {
	enum kind kind;
	struct event_fields fields;
	const struct pd_trace_field *lock, *flags;
};

void lock_events_init(struct lock_events *ev, struct lock_contention *contention, enum lock_by by,
		      struct session *s)
{
	*ev = (struct lock_events){ .contention = contention,
				    .by = by,
				    .max_stack = LOCK_MAX_STACK,
				    .skip = LOCK_STACK_SKIP,
				    .s = s };
	frames_init(&ev->frames, MAX_FRAMES);
	frames_follow(&ev->frames, s);
	task_ids_init(&ev->tasks);
}

void lock_events_fini(struct lock_events *ev)
{
	for (size_t i = 0; i < ev->nr; i++)
		event_fields_fini(&ev->events[i].fields);
	free(ev->events);
	frames_fini(&ev->frames);
	task_ids_fini(&ev->tasks);
	losses_fini(&ev->losses);
	*ev = (struct lock_events){ 0 };
}

static void find_kind(struct lock_event *k, const struct perfdata *pd, const struct pd_event *pe)
{
	if (pe->attr.type != PD_TYPE_TRACEPOINT || !(pe->attr.sample_type & PD_SAMPLE_RAW) ||
	    !pe->name)
		return;
	event_fields_of(&k->fields, pd, pe);
	k->lock = event_fields_find(&k->fields, span_of("lock_addr", 9));
	k->flags = event_fields_find(&k->fields, span_of("flags", 5));
	if (!strcmp(pe->name, "lock:contention_begin") && k->lock && k->flags)
		k->kind = KIND_BEGIN;
	else if (!strcmp(pe->name, "lock:contention_end") && k->lock)
		k->kind = KIND_END;
}

/* Of a stream, the formats are there with the first sample. */
static void find_kinds(struct lock_events *ev)
{
	const struct perfdata *pd = ev->s->pd;

	if (ev->events)
		return;
	ev->nr = pd->nr_events;
	ev->events = xcalloc(pd->nr_events + 1, sizeof(*ev->events));
	for (size_t i = 0; i < pd->nr_events; i++) {
		struct lock_event *k = &ev->events[pd->events[i]->idx];

		find_kind(k, pd, pd->events[i]);
		ev->has_ends |= k->kind == KIND_END;
	}
}

int lock_events_check(struct lock_events *ev, struct perr *e)
{
	find_kinds(ev);
	if (ev->has_ends)
		return 0;
	return perr_set(
		e, PERR_NOTFOUND,
		"it has no lock:contention_end with its fields; record it with prec -a -g -e "
		"lock:contention_begin,lock:contention_end, or with perf lock record");
}

/* --- callers
 * -------------------------------------------------------------------------------------- */

/*
 * Functions of locks lie in two sections, between symbols that the kernel's linker script makes;
 * the tracepoint's own functions in none.
 */
static void find_lock_code(struct lock_events *ev)
{
	static const char *const names[][2] = { { "__sched_text_start", "__sched_text_end" },
						{ "__lock_text_start", "__lock_text_end" },
						{ "__traceiter_contention_begin", NULL },
						{ "trace_contention_begin", NULL } };
	struct dso *kernel = ev->s->machine->kernel_dso;
	struct lock_code *c = &ev->code;
	struct sym_listed *all = NULL;
	size_t nr = kernel ? dso_list_symbols(kernel, &all) : 0;
	u64 start[ARRAY_SIZE(names)] = { 0 }, end[ARRAY_SIZE(names)] = { 0 };

	c->is_known = true;
	for (size_t i = 0; i < nr; i++) {
		const char *name = dso_listed_name(kernel, all[i].id);

		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			if (!strcmp(name, names[k][0])) {
				start[k] = all[i].start;
				end[k] = names[k][1] ? end[k] : all[i].end;
			} else if (names[k][1] && !strcmp(name, names[k][1])) {
				end[k] = all[i].start;
			}
		}
	}
	free(all);
	/* perf knows none without the first section */
	for (size_t k = 0; k < ARRAY_SIZE(names) && start[0]; k++)
		if (end[k] > start[k]) {
			c->ranges[c->nr].start = start[k];
			c->ranges[c->nr++].end = end[k];
		}
}

static bool is_of_locks(struct lock_events *ev, const struct frame *fr)
{
	if (!fr->has_sym || !fr->map || fr->map->dso != ev->s->machine->kernel_dso)
		return false;
	if (!ev->code.is_known)
		find_lock_code(ev);
	for (u32 i = 0; i < ev->code.nr; i++)
		if (ev->code.ranges[i].start <= fr->sym->addr &&
		    fr->sym->addr < ev->code.ranges[i].end)
			return true;
	return false;
}

/* The next frame of a stack that may be a caller; NULL: there is no more. */
static const struct frame *next_caller(struct lock_events *ev, struct chain_entries *it, u32 *nr,
				       const struct task_view *task)
{
	u64 ip;

	while (*nr < ev->max_stack && chain_entry_next(it, &ip) > 0) {
		const struct frame *fr;

		if (++*nr <= ev->skip)
			continue;
		fr = frames_resolve(&ev->frames, frames_get(&ev->frames, task, (u8)it->mode, ip));
		if (!is_of_locks(ev, fr))
			return fr;
	}
	return NULL;
}

/* A number for the stack of callers: the same for the same addresses, in the way that perf has it.
 */
static u64 number_of_stack(struct lock_events *ev, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, s->cpumode);
	const struct frame *fr;
	u64 number = 0;
	u32 nr = 0;

	while ((fr = next_caller(ev, &it, &nr, &v->task))) {
		/* to perf an inlined function is a frame at the same address: two of them cancel
		 * out */
		const struct inline_frame *inlines;
		size_t at_ip = it.mode == PD_CPUMODE_USER ? frame_inlines(fr, &inlines) : 1;

		if (!at_ip || at_ip % 2)
			number ^= fr->ip * 0x61c8864680b583ebull;
	}
	return number;
}

/* "name+0x10" */
static void name_place(const struct frame *fr, char *buf, size_t size)
{
	if (fr->sym->addr > fr->sym->start)
		snprintf(buf, size, "%s+%#llx", fr->sym->name,
			 (unsigned long long)(fr->sym->addr - fr->sym->start));
	else
		snprintf(buf, size, "%s", fr->sym->name);
}

static void name_caller(struct lock_events *ev, const struct sample_view *v, char *buf, size_t size)
{
	const struct pd_sample *s = &v->ev->sample;
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, s->cpumode);
	const struct frame *fr;
	u32 nr = 0;

	snprintf(buf, size, "Unknown");
	while ((fr = next_caller(ev, &it, &nr, &v->task)) && !fr->has_sym)
		;
	if (fr)
		name_place(fr, buf, size);
}

static const struct frame *frame_of_lock(struct lock_events *ev, const struct sample_view *v,
					 u64 lock)
{
	return frames_resolve(&ev->frames,
			      frames_get(&ev->frames, &v->task, PD_CPUMODE_KERNEL, lock));
}

static void name_lock(struct lock_events *ev, const struct sample_view *v, u64 lock, char *buf,
		      size_t size)
{
	const struct frame *fr = frame_of_lock(ev, v, lock);

	snprintf(buf, size, "%s", fr->has_sym ? fr->sym->name : "");
}

/* Writes the frames of a stack that are looked at, a line each: "0xADDRESS NAME". */
static void write_stack(struct lock_events *ev, const struct sample_view *v, struct out *o)
{
	const struct pd_sample *s = &v->ev->sample;
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, s->cpumode);
	u64 ip;

	for (u32 nr = 0; nr < ev->max_stack && chain_entry_next(&it, &ip) > 0; nr++) {
		const struct frame *fr = frames_resolve(
			&ev->frames, frames_get(&ev->frames, &v->task, (u8)it.mode, ip));
		char name[256] = "";

		if (fr->has_sym)
			name_place(fr, name, sizeof(name));
		out_printf(o, "%s%#llx %s", nr ? "\n" : "", (unsigned long long)ip, name);
	}
}

static bool stack_has_function(struct lock_events *ev, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	struct chain_entries it = chain_entries_of(s->callchain, s->swap, s->cpumode);
	u64 ip;

	for (u32 nr = 0; nr < ev->max_stack && chain_entry_next(&it, &ip) > 0; nr++) {
		const struct frame *fr = frames_resolve(
			&ev->frames, frames_get(&ev->frames, &v->task, (u8)it.mode, ip));

		if (it.mode == PD_CPUMODE_KERNEL && fr->has_sym &&
		    lock_filter_has_function(ev->filter, fr->sym->name))
			return true;
	}
	return false;
}

/* Whether a wait counts. */
static bool is_wanted(struct lock_events *ev, const struct sample_view *v, u64 lock, u32 flags)
{
	const struct lock_filter *f = ev->filter;
	const struct frame *fr;

	if (!f || !lock_filter_has_kind(f, flags))
		return !f;
	if (f->locks.nr || f->lock_names.nr) {
		fr = frame_of_lock(ev, v, lock);
		if (!lock_filter_has_lock(
			    f, lock,
			    fr->has_sym && fr->sym->addr == fr->sym->start ? fr->sym->name : NULL))
			return false;
	}
	return !f->stack.nr || stack_has_function(ev, v);
}

/* ------------------------------------------------------------------------------------------------
 */

static u64 key_of(struct lock_events *ev, const struct sample_view *v, u64 lock)
{
	switch (ev->by) {
	case LOCK_BY_THREAD: return v->ev->sample.tid;
	case LOCK_BY_ADDRESS: return lock;
	case LOCK_BY_CALLER: break;
	}
	return number_of_stack(ev, v);
}

static void keep_stack(struct lock_events *ev, const struct sample_view *v, struct lock_row *row)
{
	struct out o;

	out_init_mem(&o);
	write_stack(ev, v, &o);
	row->stack = intern_n(&ev->contention->strings, o.buf, o.len);
	out_fini(&o);
}

static void take_begin(struct lock_events *ev, const struct lock_event *k,
		       const struct sample_view *v, u64 lock)
{
	const struct pd_sample *s = &v->ev->sample;
	u64 key = key_of(ev, v, lock);
	u32 flags = (u32)pd_trace_field_int(k->flags, s->raw, s->swap);
	struct lock_row *row = lock_contention_row(ev->contention, key);
	char name[256] = "";

	if (!row) {
		if (ev->by == LOCK_BY_CALLER)
			name_caller(ev, v, name, sizeof(name));
		else if (ev->by == LOCK_BY_ADDRESS)
			name_lock(ev, v, lock, name, sizeof(name));
		row = lock_contention_add(ev->contention, key, name, flags);
	}
	if (!is_wanted(ev, v, lock, flags))
		return;
	if (ev->keep_stacks && ev->by == LOCK_BY_CALLER && !row->stack)
		keep_stack(ev, v, row);
	lock_contention_begin(ev->contention, row, s->tid, lock, s->time);
}

void lock_events_take(struct lock_events *ev, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct lock_event *k;
	u64 lock;

	find_kinds(ev);
	if (v->ev->ev->idx >= ev->nr || s->time == UINT64_MAX)
		return;
	k = &ev->events[v->ev->ev->idx];
	if (k->kind == KIND_OTHER)
		return;
	frames_make_room(&ev->frames);
	lock = pd_trace_field_int(k->lock, s->raw, s->swap);
	if (k->kind == KIND_BEGIN)
		take_begin(ev, k, v, lock);
	else
		lock_contention_end(ev->contention,
				    lock_contention_row(ev->contention, key_of(ev, v, lock)),
				    s->tid, lock, s->time);
}

void lock_events_record(struct lock_events *ev, const struct replay_event *rec)
{
	/* perf lock knows a thread's name only from its own COMM records */
	if (rec->rec.type == PD_RECORD_COMM)
		task_ids_record(&ev->tasks, rec, ev->s->pd->swap);
	losses_take(&ev->losses, rec, ev->s->pd->swap);
}

const char *lock_events_comm(void *events, u32 tid)
{
	const struct lock_events *ev = events;
	u32 i = task_ids_find(&ev->tasks, tid);

	return i == IDMAP_NONE ? NULL : ev->tasks.all[i].comm;
}

static bool kernel_has_symbol(const struct lock_events *ev, const char *name)
{
	struct dso *kernel = ev->s->machine->kernel_dso;
	struct sym_listed *all = NULL;
	size_t nr = kernel ? dso_list_symbols(kernel, &all) : 0;
	bool found = false;

	for (size_t i = 0; i < nr && !found; i++)
		found = !strcmp(dso_listed_name(kernel, all[i].id), name);
	free(all);
	return found;
}

const char *lock_events_unknown_lock(struct lock_events *ev)
{
	const struct name_list *names = ev->filter ? &ev->filter->lock_names : NULL;

	for (size_t i = 0; names && i < names->nr; i++)
		if (!kernel_has_symbol(ev, names->names[i]))
			return names->names[i];
	return NULL;
}
