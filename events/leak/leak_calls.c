/* SPDX-License-Identifier: MIT */
#include "events/leak/leak_calls.h"

#include "base/mem.h"

#define NO_CALL UINT32_MAX
/* More pending calls of one thread come of missing returns. */
#define MAX_DEPTH 16

struct leak_call {
	enum leak_function f;
	u32 outer; /* the call that it is in, or the next unused one; NO_CALL: none */
	u32 depth;
	u64 ptr; /* that realloc() is given */
	u64 size;
};

void leak_calls_init(struct leak_calls *c, struct leak_table *table)
{
	*c = (struct leak_calls){ .table = table, .free = NO_CALL };
}

void leak_calls_fini(struct leak_calls *c)
{
	free(c->all);
	idmap_fini(&c->by_tid);
	*c = (struct leak_calls){ 0 };
}

enum leak_function leak_function_find(const char *event, bool *ret_is_return)
{
	static const struct {
		const char *name;
		enum leak_function f;
	} functions[] = {
		{ "malloc", LEAK_MALLOC },
		{ "valloc", LEAK_MALLOC },
		{ "calloc", LEAK_CALLOC },
		{ "realloc", LEAK_REALLOC },
		{ "reallocarray", LEAK_REALLOCARRAY },
		{ "aligned_alloc", LEAK_ALIGNED_ALLOC },
		{ "memalign", LEAK_ALIGNED_ALLOC },
		{ "free", LEAK_FREE },
	};
	const char *colon = strrchr(event, ':'), *name = colon ? colon + 1 : event;
	size_t n = strlen(name);

	*ret_is_return = !strncmp(event, "uretprobe:", 10);
	if (n > 8 && !strcmp(name + n - 8, "__return")) {
		*ret_is_return = true;
		n -= 8;
	}
	for (size_t i = 0; colon && i < ARRAY_SIZE(functions); i++)
		if (strlen(functions[i].name) == n && !memcmp(functions[i].name, name, n))
			return functions[i].f;
	return NR_LEAK_FUNCTIONS;
}

static u32 top_of(const struct leak_calls *c, u32 tid)
{
	u32 i = idmap_get(&c->by_tid, tid, 0);

	/* the map has no removal: the place behind the last one means that nothing is pending */
	return i == IDMAP_NONE || i == NO_CALL - 1 ? NO_CALL : i;
}

static void set_top(struct leak_calls *c, u32 tid, u32 call)
{
	idmap_put(&c->by_tid, tid, 0, call == NO_CALL ? NO_CALL - 1 : call);
}

/* Removes the innermost pending call. */
static struct leak_call pop(struct leak_calls *c, u32 tid)
{
	u32 i = top_of(c, tid);
	struct leak_call call = c->all[i];

	set_top(c, tid, call.outer);
	c->all[i].outer = c->free;
	c->free = i;
	return call;
}

static u64 product(u64 a, u64 b)
{
	u64 n;

	return __builtin_mul_overflow(a, b, &n) ? UINT64_MAX : n;
}

static void push(struct leak_calls *c, enum leak_function f, const struct leak_call_event *ev)
{
	u32 top = top_of(c, ev->tid), i = c->free;
	struct leak_call call = { .f = f,
				  .outer = top,
				  .depth = top == NO_CALL ? 1 : c->all[top].depth + 1 };

	switch (f) {
	case LEAK_MALLOC: call.size = ev->args[0]; break;
	case LEAK_CALLOC: call.size = product(ev->args[0], ev->args[1]); break;
	case LEAK_REALLOC:
		call.ptr = ev->args[0];
		call.size = ev->args[1];
		break;
	case LEAK_REALLOCARRAY:
		call.ptr = ev->args[0];
		call.size = product(ev->args[1], ev->args[2]);
		break;
	case LEAK_ALIGNED_ALLOC: call.size = ev->args[1]; break;
	case LEAK_FREE:
	case NR_LEAK_FUNCTIONS: break;
	}
	if (i == NO_CALL) {
		i = (u32)c->nr;
		vec_push(c->all, c->nr, c->cap, call);
	} else {
		c->free = c->all[i].outer;
		c->all[i] = call;
	}
	set_top(c, ev->tid, i);
}

/* Whether a function may call another one. malloc() calls none of them. */
static bool may_call(enum leak_function outer, enum leak_function inner)
{
	if (inner == LEAK_FREE)
		return outer == LEAK_REALLOC || outer == LEAK_REALLOCARRAY;
	return outer != LEAK_MALLOC && outer != inner;
}

size_t leak_calls_bytes(const struct leak_calls *c)
{
	return c->cap * sizeof(*c->all) + idmap_bytes(&c->by_tid);
}

void leak_calls_enter(struct leak_calls *c, enum leak_function f, const struct leak_call_event *ev)
{
	u32 top = top_of(c, ev->tid);

	if (c->table->full && idmap_get(&c->by_tid, ev->tid, 0) == IDMAP_NONE)
		return;

	/* else a return is missing, as after longjmp() out of a signal handler */
	if (top != NO_CALL && (!may_call(c->all[top].f, f) || c->all[top].depth >= MAX_DEPTH)) {
		leak_calls_end_thread(c, ev->tid);
		top = NO_CALL;
	}
	if (f != LEAK_FREE)
		push(c, f, ev);
	else if (top == NO_CALL) /* what realloc() frees itself, its return says */
		leak_table_free(c->table, ev->pid, ev->args[0], ev->time);
}

static bool has_entry(const struct leak_calls *c, enum leak_function f, u32 tid)
{
	u32 i = top_of(c, tid);

	while (i != NO_CALL && c->all[i].f != f)
		i = c->all[i].outer;
	return i != NO_CALL;
}

/* Removes pending calls up to one of f. Returns false if there is none. */
static bool pop_until(struct leak_calls *c, enum leak_function f, u32 tid, struct leak_call *ret)
{
	if (!has_entry(c, f, tid))
		return false;
	for (*ret = pop(c, tid); ret->f != f; *ret = pop(c, tid))
		c->nr_no_return++;
	return true;
}

void leak_calls_leave(struct leak_calls *c, enum leak_function f, const struct leak_call_event *ev)
{
	struct leak_call call = { 0 };
	struct leak_entry e;

	if (f == LEAK_FREE)
		return;
	if (!pop_until(c, f, ev->tid, &call))
		c->nr_no_entry++;
	if (top_of(c, ev->tid) != NO_CALL)
		return;
	e = (struct leak_entry){
		.ptr = ev->result, .size = call.size, .time = ev->time, .group = ev->group
	};
	/* a realloc() that fails leaves the object alone; one to size 0 may free it */
	if (call.ptr && (e.ptr || !call.size))
		leak_table_free(c->table, ev->pid, call.ptr, ev->time);
	if (call.ptr && !e.ptr && !call.size)
		return;
	leak_table_alloc(c->table, ev->pid, &e);
}

void leak_calls_end_thread(struct leak_calls *c, u32 tid)
{
	while (top_of(c, tid) != NO_CALL) {
		(void)pop(c, tid);
		c->nr_no_return++;
	}
}

void leak_calls_lost(struct leak_calls *c)
{
	idmap_clear(&c->by_tid);
	c->nr = 0;
	c->free = NO_CALL;
}
