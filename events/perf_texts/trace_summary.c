/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/trace_summary.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

void trace_summary_init(struct trace_summary *s)
{
	*s = (struct trace_summary){ 0 };
	task_ids_init(&s->tasks);
}

void trace_summary_fini(struct trace_summary *s)
{
	task_ids_fini(&s->tasks);
	free(s->threads);
	free(s->calls);
	free(s->errors);
	idmap_fini(&s->call_of);
	idmap_fini(&s->error_of);
	*s = (struct trace_summary){ 0 };
}

static __attribute__((noinline)) void add_threads(struct trace_summary *s, u32 nr)
{
	while (s->nr_threads <= nr)
		vec_push(s->threads, s->nr_threads, s->cap_threads, ((struct trace_thread){ 0 }));
}

static inline struct trace_thread *thread_of(struct trace_summary *s, u32 nr)
{
	if (s->nr_threads <= nr)
		add_threads(s, nr);
	return &s->threads[nr];
}

void trace_summary_begin(struct trace_summary *s, u32 tid, const char *name, u64 time)
{
	struct trace_thread *th;

	s->nr_events++;
	if (!name)
		return;
	th = thread_of(s, task_ids_of(&s->tasks, tid));
	th->nr_events++;
	th->begin = time;
}

static u32 call_of(struct trace_summary *s, u32 thread, u64 id, const char *name)
{
	u32 i = idmap_get(&s->call_of, thread, id);

	if (i != IDMAP_NONE)
		return i;
	i = (u32)s->nr_calls;
	vec_push(s->calls, s->nr_calls, s->cap_calls,
		 ((struct call_sums){ .thread = thread, .name = name, .min = UINT64_MAX }));
	idmap_put(&s->call_of, thread, id, i);
	return i;
}

/* The mean and the squares are kept as they go, as in perf, whose last digits depend on it. */
static void add_time(struct call_sums *c, u64 ns)
{
	double from_mean = (double)ns - c->mean;

	c->nr++;
	c->mean += from_mean / (double)c->nr;
	c->squares += from_mean * ((double)ns - c->mean);
	if (ns < c->min)
		c->min = ns;
	if (ns > c->max)
		c->max = ns;
}

static void add_error(struct trace_summary *s, u32 call, u32 err)
{
	u32 i = idmap_get(&s->error_of, call, err);

	if (i == IDMAP_NONE) {
		i = (u32)s->nr_errors;
		vec_push(s->errors, s->nr_errors, s->cap_errors,
			 ((struct call_error){ .call = call, .err = err }));
		idmap_put(&s->error_of, call, err, i);
	}
	s->errors[i].nr++;
}

void trace_summary_end(struct trace_summary *s, u32 tid, u64 id, const char *name, s64 result,
		       u64 time)
{
	u32 thread, call;
	struct trace_thread *th;
	struct recent_call *recent;

	s->nr_events++;
	if (!name)
		return;
	thread = task_ids_of(&s->tasks, tid);
	th = thread_of(s, thread);
	th->nr_events++;
	recent = &th->recent[id % ARRAY_SIZE(th->recent)];
	if (!recent->call || recent->id != id)
		*recent = (struct recent_call){ (u32)id, call_of(s, thread, id, name) + 1 };
	call = recent->call - 1;
	add_time(&s->calls[call], th->begin && time > th->begin ? time - th->begin : 0);
	if (result >= 0)
		return;
	s->calls[call].errors++;
	if (result >= -4095)
		add_error(s, call, (u32)-result);
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

struct thread_row {
	u32 tid, thread;
	u64 nr_events;
};

static int compare_threads(const void *x, const void *y)
{
	const struct thread_row *a = x, *b = y;

	if (a->nr_events != b->nr_events)
		return a->nr_events < b->nr_events ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->thread < b->thread ? -1 : a->thread > b->thread;
}

static double total_of(const struct call_sums *c)
{
	return (double)c->nr * (c->mean / 1e6);
}

/* By thread, then those with the longest total first. */
static int compare_calls(const void *x, const void *y)
{
	const struct call_sums *a = *(const struct call_sums *const *)x;
	const struct call_sums *b = *(const struct call_sums *const *)y;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (total_of(a) != total_of(b))
		return total_of(a) > total_of(b) ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int compare_errors(const void *x, const void *y)
{
	const struct call_error *a = x, *b = y;

	if (a->call != b->call)
		return a->call < b->call ? -1 : 1;
	return a->err < b->err ? -1 : a->err > b->err;
}

/* As printf's "%9.Nf", of a value that is not negative, in less time. */
static void put_fixed(double v, u32 digits, struct out *o)
{
	u64 unit = digits == 2 ? 100 : 1000, n;
	double scaled = v * (double)unit, below = floor(scaled), rest = scaled - below;

	/* near the middle printf() decides by all digits of the value */
	if (!(scaled < 1e15) || fabs(rest - 0.5) < 1e-3) {
		out_printf(o, "%9.*f", (int)digits, v);
		return;
	}
	n = (u64)below + (rest > 0.5);
	out_dec(o, n / unit, 8 - (int)digits);
	out_char(o, '.');
	out_dec0(o, n % unit, (int)digits);
}

static void put_call(const struct call_sums *c, struct out *o)
{
	double variance = c->nr > 1 ? c->squares / (double)(c->nr - 1) : 0;
	double deviation = sqrt(variance / (double)c->nr);

	const double ms[] = { total_of(c), (double)c->min / 1e6, c->mean / 1e6,
			      (double)c->max / 1e6 };

	out_str(o, "   ");
	out_str_width(o, c->name, -15);
	out_char(o, ' ');
	out_dec(o, c->nr, 8);
	out_char(o, ' ');
	out_dec(o, c->errors, 6);
	for (size_t i = 0; i < ARRAY_SIZE(ms); i++) {
		out_char(o, ' ');
		put_fixed(ms[i], 3, o);
	}
	out_char(o, ' ');
	put_fixed(c->mean > 0 ? 100.0 * deviation / c->mean : 0.0, 2, o);
	out_str(o, "%\n");
}

static void put_errors(const struct call_error *errors, size_t nr, u32 call, struct out *o)
{
	size_t lo = 0, hi = nr, i;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (errors[mid].call < call)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (i = lo; i < nr && errors[i].call == call; i++) {
		const char *name = strerrorname_np((int)errors[i].err);

		out_printf(o, "\t\t\t\t%s: %llu\n", name ? name : "(unknown)",
			   (unsigned long long)errors[i].nr);
	}
}

static void put_thread(const struct trace_summary *s, const struct thread_row *r, struct out *o)
{
	const char *comm = s->tasks.all[r->thread].comm;

	out_char(o, ' ');
	if (comm)
		out_text(o, comm, false);
	else
		out_printf(o, ":%d", (int)r->tid);
	out_printf(o, " (%d), %llu events, %.1f%%\n", (int)r->tid, (unsigned long long)r->nr_events,
		   (double)r->nr_events / (double)s->nr_events * 100.0);
}

static void put_call_heading(struct out *o)
{
	out_printf(o, "\n   syscall            calls  errors  total       min       avg       max "
		      "      stddev\n"
		      "                                     (msec)    (msec)    (msec)    (msec)  "
		      "      (%%)\n"
		      "   --------------- --------  ------ -------- --------- --------- ---------  "
		      "   ------\n");
}

/* Calls in the order of their threads, errors in that of their calls. */
struct sorted {
	const struct call_sums **calls;
	size_t nr;
	struct call_error *errors;
	size_t nr_errors;
};

static size_t first_call(const struct sorted *by_thread, u32 thread)
{
	size_t lo = 0, hi = by_thread->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (by_thread->calls[mid]->thread < thread)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static void put_calls(const struct trace_summary *s, const struct sorted *by_thread, u32 thread,
		      struct out *o)
{
	size_t i = first_call(by_thread, thread);

	if (i < by_thread->nr && by_thread->calls[i]->thread == thread)
		put_call_heading(o);
	for (; i < by_thread->nr && by_thread->calls[i]->thread == thread; i++) {
		put_call(by_thread->calls[i], o);
		put_errors(by_thread->errors, by_thread->nr_errors,
			   (u32)(by_thread->calls[i] - s->calls), o);
	}
	out_printf(o, "\n\n");
}

void trace_summary_put(const struct trace_summary *s, bool with_errors, struct out *o)
{
	struct thread_row *rows = xcalloc(s->nr_threads + 1, sizeof(*rows));
	struct sorted by_thread = {
		.calls = xcalloc(s->nr_calls + 1, sizeof(*by_thread.calls)),
		.nr = s->nr_calls,
		.errors = xcalloc(s->nr_errors + 1, sizeof(*by_thread.errors)),
		.nr_errors = with_errors ? s->nr_errors : 0,
	};
	size_t nr = 0;

	for (size_t i = 0; i < s->nr_threads; i++)
		if (s->threads[i].nr_events)
			rows[nr++] = (struct thread_row){ .tid = s->tasks.all[i].tid,
							  .thread = (u32)i,
							  .nr_events = s->threads[i].nr_events };
	for (size_t i = 0; i < s->nr_calls; i++)
		by_thread.calls[i] = &s->calls[i];
	for (size_t i = 0; i < s->nr_errors; i++)
		by_thread.errors[i] = s->errors[i];
	qsort(rows, nr, sizeof(*rows), compare_threads);
	qsort(by_thread.calls, by_thread.nr, sizeof(struct call_sums *), compare_calls);
	qsort(by_thread.errors, s->nr_errors, sizeof(struct call_error), compare_errors);
	out_printf(o, "\n Summary of events:\n\n");
	for (size_t i = 0; i < nr; i++) {
		put_thread(s, &rows[i], o);
		put_calls(s, &by_thread, rows[i].thread, o);
	}
	free(by_thread.calls);
	free(by_thread.errors);
	free(rows);
}
