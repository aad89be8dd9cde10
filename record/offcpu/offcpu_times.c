/* SPDX-License-Identifier: MIT */
#include "record/offcpu/offcpu_times.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/record.h"
#include "record/offcpu/offcpu_sample.h"

/* Something that happens to a thread. */
struct happening {
	u64 time, nr; /* nr: the order in which they came */
	u32 pid, tid, cpu;
	enum { LEAVES, LEFT, COMES, BEGINS, ENDS, LOSS } what; /* LEFT: by a SWITCH record */
	enum pd_offcpu how;                                    /* of LEAVES and LEFT */
	u8 *record;                                            /* of LEAVES; owned */
	bool waited;                                           /* for one sweep */
};

struct off_thread {
	u32 pid, tid, cpu; /* cpu: where it was last */
	enum { NOT_SEEN, ON, OFF, ENDED } state;
	enum pd_offcpu how;
	u64 since;              /* of OFF */
	u64 epoch;              /* losses by `since` */
	u64 held_in;            /* the sweep in which something of it began to wait */
	u8 *record;             /* the sample of the switch; owned; NULL: there is none */
	bool reported;          /* a SWITCH record has said so, too */
	bool existed;           /* since before the recording */
	bool looked;            /* at where it is now */
	struct late_stack seen; /* what was seen; bytes NULL: nothing, or no stack */
};

struct offcpu_times {
	struct offcpu_sample form;
	struct happening *waiting;
	size_t nr, cap;
	struct off_thread *threads;
	size_t nr_threads, cap_threads;
	struct idmap by_tid;
	u64 next_nr, epoch, sweep;
	u64 first_time, last_time;
	struct offcpu_counts counts;
	struct late_look look; /* now NULL: there are no looks */
	bool has_source;
	u64 min_ns; /* times below it are left out */
};

/* Shorter sleeps are not looked at. */
#define LOOK_AFTER_NS 5000000

struct offcpu_times *offcpu_times_new(const struct rec_event *source, const struct rec_event *made)
{
	struct offcpu_times *t = xcalloc(1, sizeof(*t));

	offcpu_sample_init(&t->form, source, made);
	t->has_source = source;
	return t;
}

/* What is known of where a thread is off the CPU. */
static void forget_place(struct off_thread *th)
{
	free(th->record);
	free(th->seen.bytes);
	th->record = NULL;
	th->seen = (struct late_stack){ 0 };
	th->looked = false;
}

void offcpu_times_free(struct offcpu_times *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->nr; i++)
		free(t->waiting[i].record);
	for (size_t i = 0; i < t->nr_threads; i++)
		forget_place(&t->threads[i]);
	free(t->waiting);
	free(t->threads);
	idmap_fini(&t->by_tid);
	free(t);
}

struct offcpu_counts offcpu_times_counts(const struct offcpu_times *t)
{
	return t->counts;
}

static struct happening *add(struct offcpu_times *t, int what, u32 tid, u64 time)
{
	struct happening h = { .time = time, .nr = t->next_nr++, .tid = tid };

	h.what = what;
	if (!t->first_time || time < t->first_time)
		t->first_time = time;
	if (time > t->last_time)
		t->last_time = time;
	vec_push(t->waiting, t->nr, t->cap, h);
	return &t->waiting[t->nr - 1];
}

void offcpu_times_sample(struct offcpu_times *t, struct span record)
{
	struct offcpu_head head;
	struct happening *h;

	/* a thread that has ended has no id any more */
	if (!offcpu_sample_head(&t->form, record, &head) || !head.tid || head.tid == UINT32_MAX)
		return;
	h = add(t, LEAVES, head.tid, head.time);
	h->pid = head.pid;
	h->cpu = head.cpu;
	h->how = head.how;
	h->record = xmalloc(record.n);
	memcpy(h->record, record.p, record.n);
}

void offcpu_times_switch(struct offcpu_times *t, u32 pid, u32 tid, u32 cpu, u64 time, bool out,
			 bool preempted)
{
	struct happening *h;

	if (!tid || tid == UINT32_MAX)
		return;
	h = add(t, out ? LEFT : COMES, tid, time);
	h->pid = pid;
	h->cpu = cpu;
	h->how = preempted ? PD_OFFCPU_PREEMPTED : PD_OFFCPU_ASLEEP;
}

void offcpu_times_begin(struct offcpu_times *t, u32 pid, u32 tid, u64 time)
{
	add(t, BEGINS, tid, time)->pid = pid;
}

void offcpu_times_end(struct offcpu_times *t, u32 tid, u64 time)
{
	(void)add(t, ENDS, tid, time);
}

void offcpu_times_lost(struct offcpu_times *t, u64 time)
{
	(void)add(t, LOSS, 0, time);
}

static struct off_thread *get_thread(struct offcpu_times *t, u32 tid)
{
	u32 i = idmap_get(&t->by_tid, tid, 0);

	if (i != IDMAP_NONE)
		return &t->threads[i];
	idmap_put(&t->by_tid, tid, 0, (u32)t->nr_threads);
	vec_push(t->threads, t->nr_threads, t->cap_threads,
		 ((struct off_thread){ .tid = tid, .held_in = UINT64_MAX }));
	return &t->threads[t->nr_threads - 1];
}

void offcpu_times_look(struct offcpu_times *t, const struct late_look *look)
{
	t->look = *look;
}

void offcpu_times_leave_out(struct offcpu_times *t, u64 min_ns)
{
	t->min_ns = min_ns;
}

void offcpu_times_exists(struct offcpu_times *t, u32 pid, u32 tid)
{
	struct off_thread *th;

	if (!t->look.now)
		return;
	if (!t->first_time)
		t->first_time = t->last_time = t->look.now(t->look.ctx);
	th = get_thread(t, tid);
	th->pid = pid;
	th->existed = true;
}

static void put_sample(struct offcpu_times *t, const struct off_thread *th, u32 cpu, u64 time,
		       struct wbuf *out)
{
	const struct offcpu_head head = { th->pid, th->tid, cpu, time, th->how };

	if (th->epoch != t->epoch) {
		t->counts.broken++;
		return;
	}
	if (time <= th->since)
		return;
	if (time - th->since < t->min_ns) {
		t->counts.brief++;
		t->counts.brief_ns += time - th->since;
		return;
	}
	t->counts.made++;
	t->counts.ns += time - th->since;
	if (!t->has_source && th->seen.bytes && th->seen.from >= th->since && th->seen.to <= time) {
		t->counts.looked++;
		offcpu_sample_put_looked(&t->form, out, &head, time - th->since, &th->seen);
	} else {
		offcpu_sample_put(&t->form, out, th->record, &head, time - th->since);
	}
}

static void go_off(struct offcpu_times *t, struct off_thread *th, struct happening *h)
{
	forget_place(th);
	th->record = h->record;
	h->record = NULL;
	th->state = OFF;
	th->how = h->how;
	th->since = h->time;
	th->epoch = t->epoch;
	th->pid = h->pid;
	th->cpu = h->cpu;
	th->reported = h->what == LEFT;
}

static void come(struct offcpu_times *t, struct off_thread *th, const struct happening *h,
		 struct wbuf *out)
{
	th->pid = h->pid;
	if (th->state == NOT_SEEN) {
		/* it has been off the CPU since before the recording */
		th->since = t->first_time;
		th->how = PD_OFFCPU_ASLEEP;
		th->epoch = 0;
		th->state = OFF;
	}
	if (th->state == OFF)
		put_sample(t, th, h->cpu, h->time, out);
	else
		t->counts.missed++;
	forget_place(th);
	th->state = ON;
}

/* True if a SWITCH record repeats what a sample said, and adds only that the thread can run. */
static bool is_repeated(struct off_thread *th, const struct happening *h)
{
	if (h->what != LEFT || th->state != OFF || th->reported)
		return false;
	th->reported = true;
	if (th->how == PD_OFFCPU_ASLEEP)
		th->how = h->how;
	return true;
}

/* True if what happens follows what happened to its thread before. */
static bool fits(const struct off_thread *th, const struct happening *h)
{
	switch (h->what) {
	case LEAVES:
	case LEFT: return th->state != OFF;
	case COMES: return th->state == OFF;
	default: return true;
	}
}

/* Returns false if it has to wait for the next sweep. */
static bool happens(struct offcpu_times *t, struct happening *h, struct wbuf *out)
{
	struct off_thread *th;

	if (h->what == LOSS) {
		t->epoch++;
		return true;
	}
	th = get_thread(t, h->tid);
	/* the kernel reports the end of a thread before its last switch */
	if (th->state == ENDED && h->what != BEGINS)
		return true;
	if (th->held_in == t->sweep || (!h->waited && !fits(th, h) && !is_repeated(th, h))) {
		th->held_in = t->sweep;
		return false;
	}
	switch (h->what) {
	case LEAVES:
	case LEFT:
		if (h->what == LEFT && th->state == OFF)
			return true;
		t->counts.missed += th->state == OFF;
		go_off(t, th, h);
		break;
	case COMES: come(t, th, h, out); break;
	case BEGINS:
		h->how = PD_OFFCPU_QUEUED;
		go_off(t, th, h);
		break;
	default: th->state = ENDED; break;
	}
	return true;
}

/* Looks at threads that have been off the CPU for long, once in each sleep. */
static void look_at_sleepers(struct offcpu_times *t, bool last)
{
	u64 now = t->look.now(t->look.ctx);

	t->last_time = last && now > t->last_time ? now : t->last_time;
	for (size_t i = 0; i < t->nr_threads; i++) {
		struct off_thread *th = &t->threads[i];
		bool silent = th->state == NOT_SEEN && th->existed;
		u64 since = silent ? t->first_time : th->since;

		if (!silent && (th->state != OFF || t->has_source))
			continue;
		if (th->looked || now < since || now - since < LOOK_AFTER_NS)
			continue;
		/* one that cannot be looked at now runs soon, or is another user's */
		th->looked = true;
		(void)late_look_take(&t->look, th->pid, th->tid, &th->seen);
	}
}

/* Nothing was said of it, and it sleeps: it has done so since the recording began. */
static void end_silent(struct offcpu_times *t, struct off_thread *th)
{
	struct late_stack now;

	if (!th->seen.to || !late_look_take(&t->look, th->pid, th->tid, &now))
		return;
	free(now.bytes);
	th->since = t->first_time;
	th->epoch = 0;
	th->how = PD_OFFCPU_ASLEEP;
	th->state = OFF;
}

static int happening_order(const void *x, const void *y)
{
	const struct happening *a = x, *b = y;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->nr < b->nr ? -1 : a->nr > b->nr;
}

void offcpu_times_settle(struct offcpu_times *t, struct wbuf *out, bool last)
{
	size_t kept = 0;

	if (t->nr)
		qsort(t->waiting, t->nr, sizeof(*t->waiting), happening_order);
	t->sweep++;
	for (size_t i = 0; i < t->nr; i++) {
		struct happening *h = &t->waiting[i];

		h->waited |= last;
		if (happens(t, h, out)) {
			free(h->record);
			continue;
		}
		h->waited = true;
		t->waiting[kept++] = *h;
	}
	t->nr = kept;
	if (t->look.now)
		look_at_sleepers(t, last);
	for (size_t i = 0; i < t->nr_threads && last; i++) {
		struct off_thread *th = &t->threads[i];

		if (th->state == NOT_SEEN && th->existed)
			end_silent(t, th);
		if (th->state == OFF)
			put_sample(t, th, th->cpu, t->last_time, out);
		th->state = ENDED;
	}
}
