/* SPDX-License-Identifier: MIT */
/* Follows the calls of all tasks through their stacks, in recording order. */
#include "base/mem.h"
#include "unwind/join/join_priv.h"

/*
 * A frame of a task as of its last stack. Its caller, if known, is the frame before it among the
 * task's frames.
 */
struct alive {
	u64 cfa, function;
	u64 caller_ip;
	u64 last; /* rank of the last stack that contains it */
	u32 call; /* number in the join_table; JOIN_NO_CALL: not in it yet */
	bool has_caller, at_root;
};

/* The live frames of a task, outermost first: each cfa is below the previous one. */
struct task {
	struct alive *frames;
	size_t nr, cap;
};

struct join_model {
	struct join_table *t;
	struct idmap numbers; /* task -> index */
	struct task *tasks;
	size_t nr_tasks, cap_tasks;
	u64 last_task;
	u32 last_number;
	struct alive *rest; /* buffer for frames that make room for new ones */
	size_t cap_rest;
	size_t bytes; /* memory used by the tasks' frames */
};

struct join_model *join_model_new(bool finds_by_time)
{
	struct join_model *m = xcalloc(1, sizeof(*m));

	m->t = xcalloc(1, sizeof(*m->t));
	m->t->finds_by_time = finds_by_time;
	m->last_number = UINT32_MAX;
	return m;
}

static void model_fini(struct join_model *m)
{
	for (size_t i = 0; i < m->nr_tasks; i++)
		free(m->tasks[i].frames);
	free(m->tasks);
	idmap_fini(&m->numbers);
	free(m->rest);
	free(m);
}

void join_model_free(struct join_model *m)
{
	if (!m)
		return;
	join_table_free(m->t);
	model_fini(m);
}

size_t join_model_bytes(const struct join_model *m)
{
	return m->bytes + m->t->bytes + m->t->cap_calls * sizeof(*m->t->calls);
}

static struct task *task_of(struct join_model *m, u64 task)
{
	if (m->last_number != UINT32_MAX && m->last_task == task)
		return &m->tasks[m->last_number];
	m->last_task = task;
	m->last_number = idmap_get(&m->numbers, task, 0);
	if (m->last_number == IDMAP_NONE) {
		m->last_number = (u32)m->nr_tasks;
		idmap_put(&m->numbers, task, 0, m->last_number);
		vec_push(m->tasks, m->nr_tasks, m->cap_tasks, (struct task){ 0 });
		m->bytes += sizeof(struct task) + 2 * sizeof(struct idmap_slot);
	}
	return &m->tasks[m->last_number];
}

/* Adds a frame's call to the table and returns its number there. */
static u32 keep_call(struct join_table *t, struct alive *f)
{
	if (f->call == JOIN_NO_CALL) {
		f->call = (u32)t->nr_calls;
		vec_push(t->calls, t->nr_calls, t->cap_calls, (struct live_call){ 0 });
	}
	return f->call;
}

/* The calls of the n frames at f have returned. before: the frame before the first, or NULL. */
static void end_calls(struct join_table *t, struct alive *before, struct alive *f, size_t n)
{
	/* inner frames first, because adding a call to the table also adds its caller's call */
	while (n--) {
		u32 caller = JOIN_NO_CALL;

		if (f[n].call == JOIN_NO_CALL)
			continue;
		if (f[n].has_caller)
			caller = keep_call(t, n ? &f[n - 1] : before);
		t->calls[f[n].call] = (struct live_call){ .last = f[n].last,
							  .caller_ip = f[n].caller_ip,
							  .caller = caller,
							  .at_root = f[n].at_root };
	}
}

/* State of the comparison of a task's live frames with its next stack. */
struct join_cursor {
	struct task *task;
	size_t pos;    /* number of frames compared */
	size_t before; /* index after the last compared frame that the previous stack had, too */
	struct alive *old; /* frames of the previous stack that were not compared yet */
	size_t nr_old;
};

/* Ends the calls of the previous stack that the new stack does not contain: they have returned. */
static void end_old_frames(struct join_table *t, struct join_cursor *g)
{
	struct alive *frames = g->task->frames;

	end_calls(t, g->before ? &frames[g->before - 1] : NULL, g->old, g->nr_old);
	g->nr_old = 0;
}

/* Makes room for a new frame by moving the frames that have not been compared yet. */
static struct alive *begin_frame(struct join_model *m, struct join_cursor *g)
{
	struct task *task = g->task;

	if (g->nr_old && g->old == task->frames + g->pos) {
		vec_reserve(m->rest, m->cap_rest, g->nr_old);
		memcpy(m->rest, g->old, g->nr_old * sizeof(*m->rest));
		g->old = m->rest;
	}
	return &task->frames[g->pos++];
}

/*
 * Compares the next frame of a stack (outer frames come first) with the task's live frames. If the
 * live frame with its cfa is of the same function and called from the same address, it is the same
 * call. Otherwise the live frames at or below this cfa have returned, and a new frame is added.
 * caller: the calling frame; NULL: unknown.
 */
static void join_see_frame(struct join_model *m, struct join_cursor *g, const struct batch_frame *f,
			   const struct batch_frame *caller, bool at_root, u64 rank)
{
	struct alive *a = g->old, *to;
	u64 caller_ip = caller ? caller->ip : 0;
	bool has_caller = caller != NULL;

	if (g->nr_old && a->cfa >= f->cfa) {
		bool is_known = a->has_caller || a->at_root, same;

		same = a->cfa == f->cfa && a->function == f->function;
		if (same && is_known && (has_caller || at_root))
			same = a->at_root == at_root && a->caller_ip == caller_ip &&
			       (at_root || g->before == g->pos);
		if (same) {
			to = &g->task->frames[g->pos++];
			if (to != a)
				*to = *a;
			if (!is_known) {
				to->has_caller = has_caller;
				to->at_root = at_root;
				to->caller_ip = caller_ip;
			}
			to->last = rank;
			g->before = g->pos;
			g->old++;
			g->nr_old--;
			return;
		}
		end_old_frames(m->t, g);
	}
	to = begin_frame(m, g);
	*to = (struct alive){ .cfa = f->cfa,
			      .function = f->function,
			      .caller_ip = caller_ip,
			      .last = rank,
			      .call = JOIN_NO_CALL,
			      .has_caller = has_caller,
			      .at_root = at_root };
}

/*
 * The common case of join_see_frame(): the next live frame is this frame, called from the same
 * address. Returns false in all other cases.
 */
static inline bool join_see_again(struct join_cursor *g, const struct batch_frame *f, u64 rank)
{
	struct alive *a = g->old;

	if (!g->nr_old || a->cfa != f->cfa || a->function != f->function || !a->has_caller ||
	    a->caller_ip != f[1].ip || g->before != g->pos || a != &g->task->frames[g->pos])
		return false;
	a->last = rank;
	g->before = ++g->pos;
	g->old++;
	g->nr_old--;
	return true;
}

static void reserve_frames(struct join_model *m, struct task *task, size_t n)
{
	size_t cap = task->cap;

	vec_reserve(task->frames, task->cap, n);
	m->bytes += (task->cap - cap) * sizeof(*task->frames);
}

/* Returns the number of live frames above cfa. */
static size_t nr_above(const struct task *task, u64 cfa)
{
	size_t lo = 0, hi = task->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (task->frames[mid].cfa > cfa)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Updates the task's live frames with its next stack. Returns the outermost frame of that stack. */
static struct alive *add_stack(struct join_model *m, struct task *task, const struct batch_stack *s,
			       const struct batch_frame *f)
{
	struct join_cursor g = { .task = task };
	size_t first, i = s->nr - 1;

	/* live frames above the copy of the stack stay: their calls may not have returned */
	first = g.pos = g.before = nr_above(task, f[i].cfa);
	reserve_frames(m, task, g.pos + s->nr);
	g.old = task->frames + g.pos;
	g.nr_old = task->nr - g.pos;
	join_see_frame(m, &g, &f[i], NULL, s->at_root, s->rank);
	while (i--)
		if (!join_see_again(&g, &f[i], s->rank))
			join_see_frame(m, &g, &f[i], &f[i + 1], false, s->rank);
	end_old_frames(m->t, &g);
	task->nr = g.pos;
	return &task->frames[first];
}

/*
 * Finds the outermost frame f of a batch_stack with `apart` among the task's live frames; NULL if
 * it is not there.
 */
static struct alive *find_alive(const struct task *task, const struct batch_frame *f)
{
	size_t i = nr_above(task, f->cfa);
	struct alive *a = &task->frames[i];

	return i < task->nr && a->cfa == f->cfa && a->function == f->function ? a : NULL;
}

void join_model_add(struct join_model *m, struct join_batch *b)
{
	const struct batch_frame *f = b->frames;
	struct join_table *t = m->t;
	u32 *answers = b->nr_questions ? xmalloc(b->nr_questions * sizeof(*answers)) : NULL;

	for (size_t i = 0; i < b->nr; f += b->stacks[i++].nr) {
		const struct batch_stack *s = &b->stacks[i];
		struct task *task = task_of(m, s->task);
		struct alive *a;

		a = s->apart ? find_alive(task, f) : add_stack(m, task, s, f);
		if (s->question == JOIN_NO_QUESTION)
			continue;
		answers[s->question] = a ? keep_call(t, a) : JOIN_NO_CALL;
		if (a && t->finds_by_time) {
			const struct join_frame last = { f[s->nr - 1].function, f[s->nr - 1].cfa };

			idmap_put(&t->by_time, join_key(s->task, &last), s->time, (u32)t->nr_asked);
			vec_push(t->asked, t->nr_asked, t->cap_asked,
				 ((struct join_asked){ s->rank, a->call }));
		}
	}
	vec_push(t->answers, t->nr_answers, t->cap_answers, answers);
	t->bytes += b->nr_questions * sizeof(*answers) + sizeof(answers);
	b->nr = b->nr_frames = 0;
	b->nr_questions = 0;
}

struct join_table *join_model_finish(struct join_model *m)
{
	struct join_table *t = m->t;

	for (size_t i = 0; i < m->nr_tasks; i++)
		end_calls(t, NULL, m->tasks[i].frames, m->tasks[i].nr);
	model_fini(m);
	return t;
}
