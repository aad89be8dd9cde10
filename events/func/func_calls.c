/* SPDX-License-Identifier: MIT */
#include "events/func/func_calls.h"

#include "base/mem.h"

/* More calls of one thread come of missing returns. */
#define MAX_FRAMES 65536
/* So many calls have the place of their return address in common: the kernel follows no more. */
#define MAX_AT_PLACE FUNC_KERNEL_DEPTH

struct func_frame {
	u32 func, row, stack;
	u32 inner;  /* the list of the calls in it that have ended */
	bool deep;  /* the kernel does not follow it */
	bool exact; /* see struct func_entry */
	u64 start, sp;
	u64 children; /* ns of the calls in it that have ended */
	u64 epoch;
};

struct func_thread {
	u32 tid;
	struct func_frame *frames;
	size_t nr, cap;
	u32 *active; /* frames of each function */
	size_t nr_active;
	u64 epoch;                /* when the thread was in no call last */
	u32 list;                 /* of calls that have ended since then and were in no other one */
	struct func_call longest; /* of them; ns 0: none */
	/* a call that has returned, whose place is also that of the frame below it */
	bool is_pending;
	struct func_frame pending;
	u64 pending_end;
	/* the sample before this one was a return without entry, at this instruction; 0: it was
	 * not */
	u64 early_ip;
	u32 early_func;
};

void func_calls_init(struct func_calls *c, const struct func_calls_ops *ops, void *ctx)
{
	*c = (struct func_calls){ .ops = ops, .ctx = ctx };
}

void func_calls_fini(struct func_calls *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		free(c->threads[i].frames);
		free(c->threads[i].active);
	}
	free(c->threads);
	idmap_fini(&c->by_tid);
	*c = (struct func_calls){ 0 };
}

/* The thread of a sample, or its goroutine, which threads run in turn. */
static struct func_thread *thread_of(struct func_calls *c, const struct func_entry *e)
{
	const struct func_thread fresh = { .epoch = c->epoch, .list = FUNC_NO_NODE };
	u64 key = e->goroutine ? e->pid : e->tid;
	u32 i = idmap_get(&c->by_tid, key, e->goroutine);

	if (i == IDMAP_NONE) {
		i = (u32)c->nr;
		vec_push(c->threads, c->nr, c->cap, fresh);
		idmap_put(&c->by_tid, key, e->goroutine, i);
	}
	c->threads[i].tid = e->tid;
	return &c->threads[i];
}

static u32 *active_of(struct func_thread *t, u32 func)
{
	while (t->nr_active <= func) {
		size_t nr = t->nr_active ? t->nr_active * 2 : 16;

		t->active = xrealloc(t->active, nr * sizeof(*t->active));
		memset(t->active + t->nr_active, 0, (nr - t->nr_active) * sizeof(*t->active));
		t->nr_active = nr;
	}
	return &t->active[func];
}

static struct func_frame *top_of(struct func_thread *t)
{
	return t->nr ? &t->frames[t->nr - 1] : NULL;
}

/* The list that a call belongs to when it has ended. */
static u32 *list_of(struct func_thread *t)
{
	return t->nr ? &top_of(t)->inner : &t->list;
}

static struct func_frame pop(struct func_thread *t)
{
	struct func_frame f = t->frames[--t->nr];

	--*active_of(t, f.func);
	return f;
}

/* The innermost call ends without a return. The time of calls in it is no time of its caller. */
static void drop(struct func_calls *c, struct func_thread *t, enum func_end end)
{
	struct func_frame f = pop(t);

	if (end == FUNC_UNWOUND && f.deep)
		end = FUNC_TOO_DEEP;
	if (t->nr)
		top_of(t)->children += f.children;
	c->nr_ends[end]++;
	*list_of(t) = c->ops->no_return(c->ctx, f.row, *list_of(t), f.inner);
}

/* Whether the sample before this one was the return of this entry. */
static bool has_returned(struct func_calls *c, struct func_thread *t, const struct func_entry *e)
{
	if (!e->exact || !t->early_ip || t->early_ip != e->ip || t->early_func != e->func)
		return false;
	if (!c->nr_no_entry) /* it was counted in the interval before */
		return true;
	c->nr_no_entry--;
	c->nr_no_entry_lost -= t->epoch != c->epoch;
	return true;
}

static void finish(struct func_calls *c, struct func_thread *t, const struct func_frame *f, u64 end)
{
	u64 ns = end > f->start ? end - f->start : 0;
	struct func_call call = { .func = f->func,
				  .row = f->row,
				  .stack = f->stack,
				  .tid = t->tid,
				  .start = f->start,
				  .ns = ns,
				  .self = ns > f->children ? ns - f->children : 0,
				  .depth = (u32)t->nr,
				  .nested = *active_of(t, f->func),
				  .broken = f->epoch != c->epoch,
				  .inner = f->inner };

	c->nr_returns++;
	c->nr_broken += call.broken;
	if (t->nr)
		top_of(t)->children += ns;
	else if (!call.broken && ns > t->longest.ns)
		t->longest = call;
	*list_of(t) = c->ops->returned(c->ctx, &call, *list_of(t));
}

/* The pending call is one of the frame below it, which returns at the same place. */
static void finish_pending(struct func_calls *c, struct func_thread *t)
{
	t->is_pending = false;
	finish(c, t, &t->pending, t->pending_end);
}

/* The pending call is not one of the frames at the same place: these had ended before. */
static void settle_pending(struct func_calls *c, struct func_thread *t)
{
	if (!t->is_pending)
		return;
	while (t->nr && top_of(t)->sp == t->pending.sp)
		drop(c, t, FUNC_UNWOUND);
	finish_pending(c, t);
}

/* Drops the calls whose return addresses lie below sp: the stack has been cut. */
static void cut(struct func_calls *c, struct func_thread *t, u64 sp)
{
	while (t->nr && sp && top_of(t)->sp && top_of(t)->sp < sp)
		drop(c, t, FUNC_UNWOUND);
}

static void say_if_empty(struct func_calls *c, struct func_thread *t)
{
	if (t->nr || t->is_pending)
		return;
	t->epoch = c->epoch;
	c->ops->emptied(c->ctx, t->tid, t->list, t->longest.ns ? &t->longest : NULL);
	t->list = FUNC_NO_NODE;
	t->longest.ns = 0;
}

/* The oldest call at the top's place is none any more when there are too many of them. */
static void limit_place(struct func_calls *c, struct func_thread *t, u64 sp)
{
	size_t n = 0;

	while (n < t->nr && t->frames[t->nr - 1 - n].sp == sp)
		n++;
	if (!sp || n < MAX_AT_PLACE)
		return;
	/* all but the newest are gone */
	for (; n > 1; n--) {
		struct func_frame newest = pop(t);

		drop(c, t, FUNC_UNWOUND);
		++*active_of(t, newest.func);
		t->frames[t->nr++] = newest;
	}
}

void func_calls_enter(struct func_calls *c, const struct func_entry *e)
{
	struct func_thread *t = thread_of(c, e);
	struct func_frame f = { .func = e->func,
				.row = e->row,
				.stack = e->stack,
				.start = e->time,
				.sp = e->sp,
				.exact = e->exact,
				.inner = FUNC_NO_NODE,
				.epoch = c->epoch };
	size_t before = t->nr;
	bool is_over = has_returned(c, t, e);

	t->early_ip = 0;
	settle_pending(c, t);
	cut(c, t, e->sp);
	while (t->nr && e->sp && top_of(t)->sp == e->sp && top_of(t)->exact)
		drop(c, t, FUNC_UNWOUND);
	if (before && !t->nr)
		say_if_empty(c, t);
	limit_place(c, t, e->sp);
	if (!t->nr)
		t->epoch = c->epoch;
	if (is_over) {
		finish(c, t, &f, e->time);
		say_if_empty(c, t);
		return;
	}
	if (t->nr >= MAX_FRAMES) {
		c->nr_ends[FUNC_TOO_DEEP]++;
		(void)c->ops->no_return(c->ctx, e->row, FUNC_NO_NODE, FUNC_NO_NODE);
		return;
	}
	f.deep = !e->exact && t->nr >= FUNC_KERNEL_DEPTH;
	vec_push(t->frames, t->nr, t->cap, f);
	++*active_of(t, e->func);
}

/* The innermost frame that a return may belong to; t->nr: there is none. */
static size_t find_entry(const struct func_thread *t, const struct func_entry *e)
{
	for (size_t i = t->nr; i-- > 0;) {
		const struct func_frame *f = &t->frames[i];

		if (e->sp && f->sp && f->sp > e->sp)
			break;
		if (f->func == e->func && (!e->sp || !f->sp || f->sp == e->sp))
			return i;
	}
	return t->nr;
}

/* Whether a jump was taken for one out of its function: the call of it that the thread is in lies
 * further up on the stack. */
static bool is_inner_jump(const struct func_calls *c, const struct func_thread *t,
			  const struct func_entry *e)
{
	if (!e->exact || !e->sp || t->epoch != c->epoch)
		return false;
	for (size_t i = t->nr; i-- > 0;)
		if (t->frames[i].func == e->func)
			return t->frames[i].sp > e->sp;
	return false;
}

void func_calls_leave(struct func_calls *c, const struct func_entry *e)
{
	struct func_thread *t = thread_of(c, e);
	struct func_frame f;
	size_t at;

	t->early_ip = 0;
	if (is_inner_jump(c, t, e))
		return;
	if (t->is_pending && t->nr && top_of(t)->func == e->func && top_of(t)->sp == e->sp)
		finish_pending(c, t);
	else
		settle_pending(c, t);
	cut(c, t, e->sp);
	at = find_entry(t, e);
	if (at == t->nr) {
		c->nr_no_entry++;
		c->nr_no_entry_lost += t->epoch != c->epoch;
		t->early_ip = e->ip;
		t->early_func = e->func;
		say_if_empty(c, t);
		return;
	}
	while (t->nr > at + 1)
		drop(c, t, FUNC_UNWOUND);
	f = pop(t);
	if (t->nr && f.sp && top_of(t)->sp == f.sp && !f.exact) {
		t->is_pending = true;
		t->pending = f;
		t->pending_end = e->time;
		return;
	}
	finish(c, t, &f, e->time);
	say_if_empty(c, t);
}

static void end_thread(struct func_calls *c, struct func_thread *t, enum func_end end)
{
	bool was_in_call = t->nr || t->is_pending;

	settle_pending(c, t);
	while (t->nr)
		drop(c, t, end);
	if (was_in_call)
		say_if_empty(c, t);
}

void func_calls_end_thread(struct func_calls *c, u32 tid, enum func_end end)
{
	u32 i = idmap_get(&c->by_tid, tid, 0);

	if (i == IDMAP_NONE)
		return;
	end_thread(c, &c->threads[i], end);
	free(c->threads[i].frames);
	free(c->threads[i].active);
	c->threads[i] = (struct func_thread){ .tid = tid, .epoch = c->epoch, .list = FUNC_NO_NODE };
}

void func_calls_lost(struct func_calls *c)
{
	c->epoch++;
}

void func_calls_restart(struct func_calls *c)
{
	c->nr_returns = c->nr_broken = 0;
	c->nr_no_entry = c->nr_no_entry_lost = 0;
	memset(c->nr_ends, 0, sizeof(c->nr_ends));
}

void func_calls_end(struct func_calls *c)
{
	for (size_t i = 0; i < c->nr; i++)
		end_thread(c, &c->threads[i], FUNC_OPEN);
}
