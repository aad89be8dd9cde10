/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_source.h"

#include "base/mem.h"
#include "events/sample_reg.h"
#include "fileformat/perfdata.h"

/* Numbers of registers in PERF_SAMPLE_REGS_USER: asm/perf_regs.h of each architecture. */
static const struct call_regs {
	const char *arch;
	u8 args[3], result;
} call_regs[] = {
	{ "x86_64", { 5 /* di */, 4 /* si */, 3 /* dx */ }, 0 /* ax */ },
	{ "aarch64", { 0, 1, 2 }, 0 },
};

/* One event of calls. */
struct leak_probe {
	enum leak_function f; /* NR_LEAK_FUNCTIONS: none */
	bool is_return;
};

void leak_source_init(struct leak_source *src, struct session *s, struct leak_table *table,
		      const struct leak_preset *preset)
{
	*src = (struct leak_source){ .s = s, .table = table, .preset = preset };
	leak_calls_init(&src->calls, table);
	tuple_table_init(&src->groups, LEAK_GROUP_WORDS, 0);
}

static void forget_events(struct leak_source *src)
{
	for (size_t i = 0; src->sizes && i < src->roles.nr; i++)
		expr_free(src->sizes[i]);
	free(src->sizes);
	src->sizes = NULL;
	roles_fini(&src->roles);
	free(src->probes);
	src->probes = NULL;
}

void leak_source_fini(struct leak_source *src)
{
	forget_events(src);
	leak_calls_fini(&src->calls);
	tuple_table_fini(&src->groups);
	losses_fini(&src->losses);
}

/* ---- which events ---- */

static int compile_size(const struct leak_source *src, const struct role *role, struct expr **ret,
			struct perr *e)
{
	const struct leak_preset *p = src->preset;
	const struct event_fields *fields = &src->roles.fields[role->event];
	int err = expr_compile(p->size, fields, ret, e);

	if (err == PERR_NOTFOUND && p->old_size)
		err = expr_compile(p->old_size, fields, ret, e);
	if (!err && expr_is_text(*ret))
		return perr_set(e, PERR_USAGE, "--size '%s' is a text, not a number", p->size);
	return err;
}

static int find_tracepoints(struct leak_source *src, struct perr *e)
{
	const struct leak_preset *p = src->preset;
	const char *allocs[] = { p->alloc }, *frees[] = { p->free };
	const struct role_texts texts = { .begins = allocs,
					  .nr_begins = 1,
					  .ends = frees,
					  .nr_ends = 1,
					  .key = p->ptr,
					  .record = p->record };
	int err = roles_init(&src->roles, src->s->pd, &texts, e);

	if (err)
		return err;
	if (src->roles.nr_key != 1 || expr_is_text(src->roles.all[0].key[0]))
		return perr_set(e, PERR_USAGE, "--ptr '%s': one number is needed", p->ptr);
	src->sizes = xcalloc(src->roles.nr + 1, sizeof(struct expr *));
	for (size_t i = 0; i < src->roles.nr && p->size && !err; i++)
		if (src->roles.all[i].kind == ROLE_BEGIN)
			err = compile_size(src, &src->roles.all[i], &src->sizes[i], e);
	return err;
}

static const struct call_regs *find_regs(const struct leak_source *src)
{
	for (size_t i = 0; i < ARRAY_SIZE(call_regs); i++)
		if (src->s->machine->arch && !strcmp(src->s->machine->arch, call_regs[i].arch))
			return &call_regs[i];
	return NULL;
}

#define HOW "plat leak malloc --print-record says how to record it"

static int find_probes(struct leak_source *src, struct perr *e)
{
	const struct perfdata *pd = src->s->pd;
	bool allocates = false, frees = false;

	src->nr_probes = pd->nr_events;
	src->probes = xcalloc(pd->nr_events + 1, sizeof(*src->probes));
	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];
		struct leak_probe *p = &src->probes[ev->idx];

		p->f = leak_function_find(ev->name, &p->is_return);
		if (p->f == NR_LEAK_FUNCTIONS)
			continue;
		allocates |= p->f != LEAK_FREE && p->is_return;
		frees |= p->f == LEAK_FREE && !p->is_return;
		if (!ev->attr.sample_regs_user)
			return perr_set(e, PERR_UNSUPPORTED,
					"samples of %s have no registers; " HOW, ev->name);
	}
	if (!allocates || !frees)
		return perr_set(e, PERR_NOTFOUND,
				"it has no returns of malloc, calloc or realloc, or no calls of "
				"free; " HOW);
	if (!find_regs(src))
		return perr_set(e, PERR_UNSUPPORTED,
				"calls are known of x86_64 and aarch64, not of %.40s",
				src->s->machine->arch ? src->s->machine->arch : "this machine");
	return 0;
}

static int find_events(struct leak_source *src, struct perr *e)
{
	return src->preset->alloc ? find_tracepoints(src, e) : find_probes(src, e);
}

/* No preset was named. */
static int search(struct leak_source *src, struct perr *e)
{
	for (size_t i = 0; i < nr_leak_presets; i++) {
		struct perr why;
		int err;

		src->preset = &leak_presets[i];
		err = find_events(src, &why);
		if (err == PERR_NOTFOUND) {
			forget_events(src);
			continue;
		}
		if (err)
			*e = why;
		return err;
	}
	src->preset = NULL;
	return perr_set(
		e, PERR_NOTFOUND,
		"it has no allocations with their frees; plat leak kmalloc --print-record "
		"says how to record them; there are kmalloc, slab, pages, percpu and malloc, "
		"and --alloc with --free for others");
}

int leak_source_start(struct leak_source *src, struct perr *e)
{
	int err;

	if (src->ready)
		return 0;
	err = src->preset ? find_events(src, e) : search(src, e);
	if (err)
		forget_events(src);
	src->ready = !err;
	return err;
}

bool *leak_source_events(const struct leak_source *src)
{
	size_t nr = src->s->pd->nr_events;
	bool *used = xcalloc(nr + 1, sizeof(*used));

	for (size_t i = 0; i < nr; i++) {
		if (src->probes)
			used[i] = i < src->nr_probes && src->probes[i].f != NR_LEAK_FUNCTIONS;
		else
			used[i] = src->roles.first[i] != src->roles.first[i + 1];
	}
	return used;
}

/* ---- samples ---- */

size_t leak_source_bytes(const struct leak_source *src)
{
	const struct tuple_table *g = &src->groups;

	return leak_table_bytes(src->table) + leak_calls_bytes(&src->calls) +
	       (src->stacks ? stack_texts_bytes(src->stacks) : 0) + g->cap * sizeof(u64) +
	       (g->mask + 1) * sizeof(u64);
}

/* LEAK_NO_GROUP: it is new, and there is no memory for it. */
static u32 group_of(struct leak_source *src, const struct sample_view *v)
{
	const u64 key[LEAK_GROUP_WORDS] = {
		[LEAK_GROUP_STACK] = src->stacks ? stack_texts_of(src->stacks, v) : 0,
		[LEAK_GROUP_PID] = v->ev->sample.pid,
		[LEAK_GROUP_COMM] = (u64)(uintptr_t)v->task.comm,
	};

	if (src->table->full && tuple_table_find(&src->groups, key) == UINT32_MAX)
		return LEAK_NO_GROUP;
	return tuple_table_id(&src->groups, key);
}

/* Groups are looked through for those to forget when there are so many more than twice those that
 * were needed the last time. */
#define FORGET_GROUPS 4096

/* By number of a stack: its new one, for those of used groups. malloc'd. */
static u32 *forget_stacks(struct leak_source *src, const bool *used)
{
	size_t nr = src->stacks->texts.nr;
	u32 *numbers = xcalloc(nr, sizeof(*numbers));

	for (u32 i = 0; i < src->groups.nr; i++)
		if (used[i])
			numbers[tuple_table_get(&src->groups, i)[LEAK_GROUP_STACK]] = 1;
	stack_texts_begin_forget(src->stacks);
	for (u32 i = 0; i < nr; i++)
		if (numbers[i])
			numbers[i] = stack_texts_keep(src->stacks, i);
	stack_texts_end_forget(src->stacks);
	return numbers;
}

/* Puts the used groups into a table of their own, in their order. Returns the new numbers by the
 * old ones, malloc'd. */
static u32 *move_groups(struct leak_source *src, const bool *used, const u32 *stacks)
{
	struct tuple_table old = src->groups;
	u32 *numbers = xcalloc(old.nr + 1, sizeof(*numbers));

	tuple_table_init(&src->groups, LEAK_GROUP_WORDS, 0);
	for (u32 i = 0; i < old.nr; i++) {
		u64 key[LEAK_GROUP_WORDS];

		if (!used[i])
			continue;
		memcpy(key, tuple_table_get(&old, i), sizeof(key));
		key[LEAK_GROUP_STACK] = stacks ? stacks[key[LEAK_GROUP_STACK]] : 0;
		numbers[i] = tuple_table_id(&src->groups, key);
	}
	tuple_table_fini(&old);
	return numbers;
}

void leak_source_forget(struct leak_source *src)
{
	size_t nr = src->groups.nr;
	u32 *numbers, *stacks;
	bool *used;

	if (nr < 2 * src->nr_left + FORGET_GROUPS &&
	    !(src->stacks && stack_texts_are_many(src->stacks)))
		return;
	used = xcalloc(nr + 1, sizeof(*used));
	leak_table_find_groups(src->table, used, nr);
	stacks = src->stacks ? forget_stacks(src, used) : NULL;
	numbers = move_groups(src, used, stacks);
	leak_table_number_groups(src->table, numbers, nr);
	src->nr_left = src->groups.nr;
	free(stacks);
	free(numbers);
	free(used);
}

static u64 value_of(const struct expr *x, const struct expr_input *in)
{
	struct expr_value v;

	expr_eval(x, in, &v);
	return v.n;
}

static void take_tracepoint(struct leak_source *src, const struct sample_view *v)
{
	const struct pd_sample *s = &v->ev->sample;
	const struct expr_input in = {
		.raw = s->raw, .swap = s->swap, .sample = s, .comm = v->task.comm
	};
	const struct roles *r = &src->roles;
	u32 idx = v->ev->ev->idx;

	for (u32 i = r->first[idx]; i < r->first[idx + 1]; i++) {
		const struct role *role = &r->all[i];
		struct leak_entry e = { .time = s->time };

		if (role->condition && !expr_is_true(role->condition, &in))
			continue;
		e.ptr = value_of(role->key[0], &in);
		if (role->kind == ROLE_END) {
			leak_table_free(src->table, LEAK_KERNEL, e.ptr, s->time);
			continue;
		}
		e.size = src->sizes[i] ? value_of(src->sizes[i], &in) : 0;
		e.group = group_of(src, v);
		leak_table_alloc(src->table, LEAK_KERNEL, &e);
	}
}

static void take_probe(struct leak_source *src, const struct leak_probe *p,
		       const struct sample_view *v)
{
	/* how many arguments each function has */
	static const u8 nr_args[NR_LEAK_FUNCTIONS] = {
		[LEAK_MALLOC] = 1,       [LEAK_CALLOC] = 2,        [LEAK_REALLOC] = 2,
		[LEAK_REALLOCARRAY] = 3, [LEAK_ALIGNED_ALLOC] = 2, [LEAK_FREE] = 1,
	};
	const struct pd_sample *s = &v->ev->sample;
	const struct call_regs *regs = find_regs(src);
	struct leak_call_event ev = { .pid = s->pid, .tid = s->tid, .time = s->time };
	/* 2: of a 64-bit process; others pass arguments on the stack */
	bool known = regs && s->user_regs.abi == 2;

	if (p->is_return)
		known = known && sample_reg(&s->user_regs, s->swap, regs->result, &ev.result);
	for (size_t i = 0; !p->is_return && i < nr_args[p->f]; i++)
		known = known && sample_reg(&s->user_regs, s->swap, regs->args[i], &ev.args[i]);
	if (!known) {
		src->nr_no_regs++;
		return;
	}
	if (!p->is_return) {
		leak_calls_enter(&src->calls, p->f, &ev);
		return;
	}
	/* at the entry, a chain of frame pointers lacks the caller, which this is all about */
	ev.group = p->f == LEAK_FREE ? 0 : group_of(src, v);
	leak_calls_leave(&src->calls, p->f, &ev);
}

void leak_source_take(struct leak_source *src, const struct sample_view *v)
{
	u32 idx = v->ev->ev->idx;

	if (v->ev->sample.time == UINT64_MAX)
		return;
	if (v->ev->sample.time > src->last_time)
		src->last_time = v->ev->sample.time;
	if (!src->probes && idx < src->roles.nr_events)
		take_tracepoint(src, v);
	else if (src->probes && idx < src->nr_probes && src->probes[idx].f != NR_LEAK_FUNCTIONS)
		take_probe(src, &src->probes[idx], v);
}

/* ---- other records ---- */

static void take_exit(struct leak_source *src, const struct replay_event *ev)
{
	struct pd_task task;
	struct perr e;

	if (pd_read_task(&ev->rec, src->s->pd->swap, &task, &e))
		return;
	leak_calls_end_thread(&src->calls, task.tid);
	if (task.pid == task.tid)
		leak_table_end_process(src->table, task.pid, ev->time);
}

void leak_source_take_record(struct leak_source *src, const struct replay_event *ev)
{
	bool has_time = ev->time && ev->time != UINT64_MAX;

	switch (ev->rec.type) {
	case PD_RECORD_EXIT:
		if (has_time)
			take_exit(src, ev);
		break;
	case PD_RECORD_COMM:
		if (has_time && ev->rec.misc & PD_MISC_COMM_EXEC) {
			leak_calls_end_thread(&src->calls, ev->sample.tid);
			leak_table_end_process(src->table, ev->sample.pid, ev->time);
		}
		break;
	case PD_RECORD_LOST_SAMPLES: losses_take(&src->losses, ev, src->s->pd->swap); break;
	case PD_RECORD_LOST:
		losses_take(&src->losses, ev, src->s->pd->swap);
		leak_calls_lost(&src->calls);
		leak_table_lost(src->table, has_time ? ev->time : src->last_time + 1);
		break;
	}
}
