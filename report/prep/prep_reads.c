/* SPDX-License-Identifier: MIT */
/* -T: the values of each thread's counters at its end (recordings with inherited statistics). */
#include "base/mem.h"
#include "fileformat/record_minor.h"
#include "report/prep/prep_stats.h"

struct read_value {
	u64 time;
	size_t nr; /* running number: keeps values of equal time in file order */
	u32 pid, tid;
	u32 event; /* pd_event.idx */
	u64 value;
};

struct read_thread {
	u32 pid, tid;
	u64 *values; /* per event */
};

struct reads {
	const struct perfdata *pd;
	struct read_value *values;
	size_t nr_values, cap_values;
	struct read_thread *threads; /* in the order in which they ended */
	size_t nr_threads, cap_threads;
	struct idmap by_tid;
	u32 *events; /* in the order in which they were met */
	size_t nr_events, cap_events;
};

static void note_value(struct reads *rs, const struct pd_record *r)
{
	const struct pd_event *ev = pd_event_of_record(rs->pd, r);
	struct pd_read_record rec;

	/* damaged records were reported when the samples were counted */
	if (!ev || pd_read_read(ev, r, rs->pd->swap, &rec, NULL) || !rec.read.nr)
		return;
	vec_push(rs->values, rs->nr_values, rs->cap_values,
		 ((struct read_value){ .time = pd_record_time(rs->pd, r),
				       .nr = rs->nr_values,
				       .pid = rec.pid,
				       .tid = rec.tid,
				       .event = ev->idx,
				       .value = pd_read_get(&rec.read, 0, rs->pd->swap).value }));
}

static int by_time(const void *a, const void *b)
{
	const struct read_value *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->nr < y->nr ? -1 : x->nr != y->nr;
}

static struct read_thread *thread_of(struct reads *rs, const struct read_value *v)
{
	u32 at = idmap_get(&rs->by_tid, v->pid, v->tid);

	if (at == IDMAP_NONE) {
		at = (u32)rs->nr_threads;
		idmap_put(&rs->by_tid, v->pid, v->tid, at);
		vec_push(rs->threads, rs->nr_threads, rs->cap_threads,
			 ((struct read_thread){
				 v->pid, v->tid,
				 xcalloc(rs->pd->nr_events, sizeof(*rs->threads->values)) }));
	}
	return &rs->threads[at];
}

static void add_value(struct reads *rs, const struct read_value *v)
{
	size_t i = 0;

	while (i < rs->nr_events && rs->events[i] != v->event)
		i++;
	if (i == rs->nr_events)
		vec_push(rs->events, rs->nr_events, rs->cap_events, v->event);
	thread_of(rs, v)->values[v->event] += v->value;
}

static int widen(int width, u64 value)
{
	int len = snprintf(NULL, 0, "%llu", (unsigned long long)value);

	return len > width ? len : width;
}

static void print_table(const struct reads *rs, struct out *o)
{
	int pid_width = 3, tid_width = 3;
	int *widths = xcalloc(rs->nr_events + 1, sizeof(*widths));
	size_t i, j;

	for (j = 0; j < rs->nr_events; j++)
		widths[j] = (int)strlen(rs->pd->events[rs->events[j]]->name);
	for (i = 0; i < rs->nr_threads; i++) {
		const struct read_thread *t = &rs->threads[i];

		pid_width = widen(pid_width, t->pid);
		tid_width = widen(tid_width, t->tid);
		for (j = 0; j < rs->nr_events; j++)
			widths[j] = widen(widths[j], t->values[rs->events[j]]);
	}
	out_printf(o, "# %*s  %*s", pid_width, "PID", tid_width, "TID");
	for (j = 0; j < rs->nr_events; j++)
		out_printf(o, "  %*s", widths[j], rs->pd->events[rs->events[j]]->name);
	out_char(o, '\n');
	for (i = 0; i < rs->nr_threads; i++) {
		const struct read_thread *t = &rs->threads[i];

		out_printf(o, "  %*u  %*u", pid_width, t->pid, tid_width, t->tid);
		for (j = 0; j < rs->nr_events; j++)
			out_printf(o, "  %*llu", widths[j],
				   (unsigned long long)t->values[rs->events[j]]);
		out_char(o, '\n');
	}
	free(widths);
}

/* Prints a line for each counter of each thread. */
static void print_raw(const struct reads *rs, struct out *o)
{
	int pid_width = 3, tid_width = 3, name_width = 4, id_width = 3, count_width = 5, len;
	size_t i, j;

	for (j = 0; j < rs->nr_events; j++) {
		len = (int)strlen(rs->pd->events[rs->events[j]]->name);
		name_width = len > name_width ? len : name_width;
		for (i = 0; i < rs->nr_threads; i++)
			count_width = widen(count_width, rs->threads[i].values[rs->events[j]]);
	}
	for (i = 0; i < rs->nr_threads; i++) {
		pid_width = widen(pid_width, rs->threads[i].pid);
		tid_width = widen(tid_width, rs->threads[i].tid);
	}
	out_printf(o, "# %*s  %*s  %*s  %*s  %*s\n", pid_width, "PID", tid_width, "TID", name_width,
		   "Name", id_width, "Raw", count_width, "Count");
	for (i = 0; i < rs->nr_threads; i++) {
		const struct read_thread *t = &rs->threads[i];

		for (j = 0; j < rs->nr_events; j++)
			out_printf(o, "  %*u  %*u  %*s  %*x  %*llu\n", pid_width, t->pid, tid_width,
				   t->tid, name_width, rs->pd->events[rs->events[j]]->name,
				   id_width, rs->events[j], count_width,
				   (unsigned long long)t->values[rs->events[j]]);
	}
}

int prep_reads_print(struct out *o, struct perfdata *pd, bool raw, struct perr *e)
{
	struct diag *diag = pd->diag;
	struct reads rs = { .pd = pd };
	struct pd_record r;
	size_t i;
	int got;

	if (!pd_can_rewind(pd))
		return perr_set(e, PERR_UNSUPPORTED,
				"-T reads the recording a second time, which a stream does not "
				"allow; record to a file");
	got = pd_rewind(pd, e);
	if (got)
		return got;
	/* the pass that counted the samples has reported what is wrong with the file */
	pd->diag = NULL;
	while ((got = pd_next(pd, &r, e)) == 1) {
		if (r.type == PD_RECORD_READ)
			note_value(&rs, &r);
		pd_forget_before(pd, r.file_idx, r.off);
	}
	pd->diag = diag;
	if (rs.nr_values)
		qsort(rs.values, rs.nr_values, sizeof(*rs.values), by_time);
	for (i = 0; i < rs.nr_values; i++)
		add_value(&rs, &rs.values[i]);
	(raw ? print_raw : print_table)(&rs, o);
	for (i = 0; i < rs.nr_threads; i++)
		free(rs.threads[i].values);
	free(rs.threads);
	free(rs.values);
	free(rs.events);
	idmap_fini(&rs.by_tid);
	return got;
}
