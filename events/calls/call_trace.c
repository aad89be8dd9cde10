/* SPDX-License-Identifier: MIT */
#include "events/calls/call_trace.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "events/syscall_names.h"

#define MAX_CALLS 4096 /* numbers of calls on any architecture */

/* The call that a thread is in. */
struct begun_call {
	u64 begin; /* ns; 0: this thread has begun none */
	u64 id;
	bool is_open; /* no line has it yet */
	struct call_values values;
	char *texts[MAX_CALL_ARGS];
};

struct known_call {
	bool is_known;
	struct call_shape shape; /* name NULL: there is no such call */
};

static const char *comm_of(void *ctx, u32 tid)
{
	struct call_trace *t = ctx;
	u32 i = task_ids_find(&t->tasks, tid);

	return i == IDMAP_NONE || t->tasks.all[i].exited ? NULL : t->tasks.all[i].comm;
}

void call_trace_init(struct call_trace *t, const struct call_trace_config *cfg, const char *arch)
{
	*t = (struct call_trace){ .cfg = *cfg, .arch = arch, .first_time = UINT64_MAX };
	t->namer = (struct call_namer){ comm_of, t };
	task_ids_init(&t->tasks);
}

static void drop_texts(struct begun_call *b)
{
	for (u32 i = 0; i < MAX_CALL_ARGS; i++) {
		free(b->texts[i]);
		b->texts[i] = NULL;
		b->values.texts[i] = span_of(NULL, 0);
	}
}

static void free_begun(struct begun_call *b)
{
	if (b)
		drop_texts(b);
	free(b);
}

void call_trace_fini(struct call_trace *t)
{
	for (size_t i = 0; i < t->nr_begun; i++)
		free_begun(t->begun[i]);
	free(t->begun);
	free(t->known);
	task_ids_fini(&t->tasks);
	*t = (struct call_trace){ 0 };
}

const struct call_shape *call_trace_shape(struct call_trace *t, u64 id)
{
	struct known_call *k;

	if (id >= MAX_CALLS)
		return NULL;
	/* the table never moves: shapes are borrowed */
	if (!t->known)
		t->known = xcalloc(MAX_CALLS, sizeof(*t->known));
	k = &t->known[id];
	if (!k->is_known) {
		const char *name = syscall_name(t->arch, id);

		k->is_known = true;
		if (name)
			k->shape = call_shape_find(name);
	}
	return k->shape.name ? &k->shape : NULL;
}

static struct begun_call *begun_of(struct call_trace *t, u32 task)
{
	while (t->nr_begun <= task)
		vec_push(t->begun, t->nr_begun, t->cap_begun, NULL);
	if (!t->begun[task])
		t->begun[task] = xcalloc(1, sizeof(*t->begun[task]));
	return t->begun[task];
}

/* list: patterns with commas between them. */
static bool is_in_list(const char *list, const char *name)
{
	char pattern[128];
	size_t n;

	for (;; list += n + 1) {
		n = strcspn(list, ",");
		if (n < sizeof(pattern)) {
			memcpy(pattern, list, n);
			pattern[n] = '\0';
			if (!fnmatch(pattern, name, 0))
				return true;
		}
		if (!list[n])
			return false;
	}
}

static bool is_wanted(const struct call_trace *t, const struct call_shape *shape)
{
	for (size_t i = 0; i < t->cfg.nr_names; i++)
		if (is_in_list(t->cfg.names[i], shape->name))
			return true;
	return !t->cfg.nr_names;
}

static void put_task(struct call_trace *t, u32 task, struct out *o)
{
	const struct task_id *id = &t->tasks.all[task];

	if (id->comm) /* perf writes 14 characters */
		out_mem(o, id->comm, strnlen(id->comm, t->cfg.style == CALL_AS_PERF ? 14 : 4096));
	else
		out_printf(o, ":%d", (int)id->tid);
	out_printf(o, "/%d ", (int)id->tid);
}

/* --- as strace
 * ---------------------------------------------------------------------------------------- */

static void put_time(u64 time, struct out *o)
{
	out_printf(o, "%llu.%06llu ", (unsigned long long)(time / 1000000000),
		   (unsigned long long)(time / 1000 % 1000000));
}

/* The call of a thread, up to the bracket; ended: ... or nothing but how it ends. */
static void put_call(struct call_trace *t, u32 task, const struct begun_call *b)
{
	put_time(b->begin, t->cfg.o);
	put_task(t, task, t->cfg.o);
	call_text_put(&b->values, CALL_AS_STRACE, &t->namer, t->cfg.o);
	t->nr_lines++;
}

/* A call that nothing ends. */
static void put_without_end(struct call_trace *t, u32 task, struct begun_call *b, const char *how)
{
	if (!b->is_open || t->cfg.than || t->cfg.failed)
		return;
	put_call(t, task, b);
	out_text(t->cfg.o, how, true);
	b->is_open = false;
}

static void begin_as_strace(struct call_trace *t, u32 task, struct begun_call *b)
{
	b->is_open = is_wanted(t, b->values.shape);
	if (b->values.shape->never_returns)
		put_without_end(t, task, b, ") = ?\n");
}

/* What a result has behind it. */
static void put_note(const char *note, struct out *o)
{
	if (!note)
		return;
	out_str(o, " (");
	out_text(o, note, false);
	out_char(o, ')');
}

static void end_as_strace(struct call_trace *t, u32 task, const struct call_at *at, u64 id,
			  s64 result)
{
	u64 time = at->time;
	char *note = NULL;
	struct begun_call *b = begun_of(t, task);
	const struct call_shape *shape = call_trace_shape(t, id);
	bool is_ours = b->begin && b->id == id, is_whole = is_ours && b->is_open;
	u64 ns = is_whole && time > b->begin ? time - b->begin : 0;
	struct out *o = t->cfg.o;

	if (!is_ours)
		put_without_end(t, task, b, ") = ?\n");
	b->is_open = false;
	if (is_ours && !is_whole)
		return; /* it is not wanted */
	if (!shape || !is_wanted(t, shape) || (t->cfg.failed && (result >= 0 || result < -4095)) ||
	    (t->cfg.than && ns < t->cfg.than))
		return;
	if (is_whole) {
		if (t->cfg.types && at->memory)
			pointees_end(t->cfg.types, at->memory, &b->values, b->texts, result, &note);
		put_call(t, task, b);
	} else {
		put_time(time, o);
		put_task(t, task, o);
		out_printf(o, "<... %s resumed>", shape->name);
		t->nr_lines++;
	}
	out_str(o, ") = ");
	call_text_put_result(is_whole ? b->values.shape : shape, is_whole ? b->values.args : NULL,
			     result, CALL_AS_STRACE, &t->namer, o);
	put_note(note, o);
	free(note);
	if (is_whole)
		out_printf(o, " <%llu.%06llu>", (unsigned long long)(ns / 1000000000),
			   (unsigned long long)(ns / 1000 % 1000000));
	out_char(o, '\n');
}

void call_trace_end_all(struct call_trace *t)
{
	if (t->cfg.style == CALL_AS_PERF)
		return;
	for (size_t i = 0; i < t->nr_begun; i++)
		if (t->begun[i])
			put_without_end(t, (u32)i, t->begun[i], " <unfinished ...>\n");
}

/* --- as perf trace
 * ------------------------------------------------------------------------------------ */

/* The columns behind which perf writes " = ", and " ..." of a call that another one interrupts. */
#define RESULT_COLUMN 69
#define DOTS_COLUMN 66

/* Time and duration; begin 0: not known. is_open: the call has not ended. */
static void put_perf_head(struct call_trace *t, u32 task, u64 begin, u64 end, bool is_open)
{
	struct out *o = t->cfg.o;

	if (begin)
		out_printf(o, "%10.3f ", (double)(s64)(begin - t->first_time) / 1e6);
	else
		out_str(o, "         ? ");
	if (begin && !is_open)
		out_printf(o, "(%6.3f ms): ", (double)(end - begin) / 1e6);
	else
		out_str(o, "(         ): ");
	put_task(t, task, o);
	t->nr_lines++;
}

/* The text of a call, filled with blanks up to a column. */
static void put_perf_call(struct call_trace *t, const struct begun_call *b, size_t column)
{
	struct out text;

	out_init_mem(&text);
	out_escape_like(&text, t->cfg.o);
	call_text_put(&b->values, CALL_AS_PERF, &t->namer, &text);
	out_char(&text, ')');
	if (text.len < column)
		out_fill(&text, ' ', column - text.len);
	out_raw(t->cfg.o, text.buf, text.len);
	out_fini(&text);
}

/* perf writes a call that has not ended once another one begins. */
static void interrupt(struct call_trace *t)
{
	struct begun_call *b = t->current ? t->begun[t->current - 1] : NULL;

	if (!b || !b->is_open)
		return;
	put_perf_head(t, t->current - 1, b->begin, 0, true);
	put_perf_call(t, b, DOTS_COLUMN);
	out_str(t->cfg.o, " ...\n");
	b->is_open = false;
}

static void begin_as_perf(struct call_trace *t, u32 task, struct begun_call *b)
{
	b->is_open = !b->values.shape->never_returns;
	if (b->is_open) {
		t->current = task + 1;
		return;
	}
	put_perf_head(t, task, b->begin, 0, true);
	put_perf_call(t, b, RESULT_COLUMN);
	out_str(t->cfg.o, " = ?\n");
}

static void end_as_perf(struct call_trace *t, u32 task, u64 id, s64 result, u64 time)
{
	const struct call_shape *shape = call_trace_shape(t, id);
	struct begun_call *b = begun_of(t, task);
	struct out *o = t->cfg.o;

	if (!shape)
		return;
	put_perf_head(t, task, b->begin, time, false);
	if (b->is_open) {
		put_perf_call(t, b, RESULT_COLUMN);
	} else {
		int n = (int)strlen(shape->name);

		out_printf(o, " ... [continued]: %s())%*s", shape->name,
			   n + 21 < RESULT_COLUMN ? RESULT_COLUMN - 21 - n : 0, "");
	}
	out_str(o, " = ");
	call_text_put_result(shape, b->begin && b->id == id ? b->values.args : NULL, result,
			     CALL_AS_PERF, &t->namer, o);
	out_char(o, '\n');
	b->is_open = false;
}

/* ------------------------------------------------------------------------------------------------
 */

static void see_time(struct call_trace *t, u64 time)
{
	if (t->first_time == UINT64_MAX)
		t->first_time = time;
}

bool call_trace_wants_memory(const struct call_trace *t, const struct call_shape *shape)
{
	return t->cfg.types && is_wanted(t, shape);
}

void call_trace_begin(struct call_trace *t, const struct call_at *at, u64 id,
		      const struct call_values *v)
{
	u32 task = task_ids_of(&t->tasks, at->tid);
	struct begun_call *b;

	see_time(t, at->time);
	t->nr_calls++;
	if (t->cfg.style == CALL_AS_PERF)
		interrupt(t);
	b = begun_of(t, task);
	if (t->cfg.style == CALL_AS_STRACE)
		put_without_end(t, task, b, ") = ?\n");
	drop_texts(b);
	b->begin = at->time;
	b->id = id;
	b->values = *v;
	for (u32 i = 0; i < MAX_CALL_ARGS; i++) {
		if (!v->texts[i].p)
			continue;
		b->texts[i] = xstrndup((const char *)v->texts[i].p, v->texts[i].n);
		b->values.texts[i] = span_of(b->texts[i], strlen(b->texts[i]));
	}
	if (at->memory && call_trace_wants_memory(t, v->shape))
		pointees_begin(t->cfg.types, at->memory, &b->values, b->texts);
	if (t->cfg.style == CALL_AS_PERF)
		begin_as_perf(t, task, b);
	else
		begin_as_strace(t, task, b);
}

void call_trace_end(struct call_trace *t, const struct call_at *at, u64 id, s64 result)
{
	u32 task = task_ids_of(&t->tasks, at->tid);

	see_time(t, at->time);
	if (t->cfg.style == CALL_AS_PERF)
		end_as_perf(t, task, id, result, at->time);
	else
		end_as_strace(t, task, at, id, result);
}

void call_trace_exit(struct call_trace *t, u32 tid)
{
	u32 task = task_ids_find(&t->tasks, tid);

	if (task == IDMAP_NONE || task >= t->nr_begun)
		return;
	if (t->current == task + 1)
		t->current = 0;
	free_begun(t->begun[task]);
	t->begun[task] = NULL;
}

void call_trace_lose(struct call_trace *t, u64 nr, u64 time)
{
	if (t->cfg.style == CALL_AS_PERF)
		return;
	if (time != UINT64_MAX)
		put_time(time, t->cfg.o);
	out_printf(t->cfg.o, "--- %llu records were lost ---\n", (unsigned long long)nr);
	/* what these threads do now is not known */
	for (size_t i = 0; i < t->nr_begun; i++)
		if (t->begun[i])
			t->begun[i]->is_open = false;
}
