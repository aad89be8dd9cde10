/* SPDX-License-Identifier: MIT */
#include "events/state/thread_states.h"

#include "base/mem.h"

static const char *const names[NR_TASK_STATES] = {
	[TASK_UNKNOWN] = "unknown", [TASK_RUNNING] = "running", [TASK_PREEMPTED] = "preempted",
	[TASK_WOKEN] = "run queue", [TASK_SLEEP] = "S",         [TASK_DISK] = "D",
	[TASK_STOPPED] = "T",       [TASK_TRACED] = "t",        [TASK_DEAD] = "X",
	[TASK_ZOMBIE] = "Z",        [TASK_PARKED] = "P",        [TASK_IDLE] = "I",
	[TASK_WAITING] = "asleep",
};

const char *task_state_name(enum task_state s)
{
	return names[s];
}

enum task_state task_state_find(struct span name)
{
	if (name.n && name.p[0] == 'R' && (name.n == 1 || (name.n == 2 && name.p[1] == '+')))
		return TASK_PREEMPTED;
	for (size_t i = 0; i < NR_TASK_STATES; i++)
		if (name.n == strlen(names[i]) && !memcmp(name.p, names[i], name.n))
			return (enum task_state)i;
	return NR_TASK_STATES;
}

enum task_state task_state_of(u64 prev_state)
{
	/* by bit, as of Linux 4.14; 0x100: preempted, whatever it was about to do */
	static const enum task_state states[] = { TASK_SLEEP,  TASK_DISK, TASK_STOPPED,
						  TASK_TRACED, TASK_DEAD, TASK_ZOMBIE,
						  TASK_PARKED, TASK_IDLE };

	if (prev_state & 0x100)
		return TASK_PREEMPTED;
	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (prev_state & 1ull << i)
			return states[i];
	return prev_state ? TASK_WAITING : TASK_PREEMPTED;
}

void thread_states_init(struct thread_states *t)
{
	*t = (struct thread_states){ 0 };
}

void thread_states_fini(struct thread_states *t)
{
	free(t->all);
	idmap_fini(&t->by_tid);
	*t = (struct thread_states){ 0 };
}

u32 thread_states_find(struct thread_states *t, u32 tid)
{
	struct recent_tid *recent = &t->recent[tid % ARRAY_SIZE(t->recent)];
	u32 i;

	if (recent->nr_plus_1 && recent->tid == tid)
		return recent->nr_plus_1 - 1;
	i = idmap_get(&t->by_tid, tid, 0);
	if (i != IDMAP_NONE)
		*recent = (struct recent_tid){ tid, i + 1 };
	return i;
}

/*
 * The thread that has the id now; NULL: none is known. *ret_left_out is true for the idle thread,
 * and for one that has ended: the kernel reports the end of a thread before its last switches. Only
 * thread_states_begin() makes another one of its id, unless the record that says so may be lost.
 */
static struct thread_times *find_thread(struct thread_states *t, u32 tid, bool *ret_left_out)
{
	u32 i = thread_states_find(t, tid);
	struct thread_times *th = i == IDMAP_NONE ? NULL : &t->all[i];

	*ret_left_out = !tid || (th && th->ended && th->epoch == t->epoch);
	return !th || th->ended ? NULL : th;
}

/* Forgets the threads that have ended. */
static void forget_ended(struct thread_states *t)
{
	size_t nr = 0;

	idmap_clear(&t->by_tid);
	memset(t->recent, 0, sizeof(t->recent));
	for (size_t i = 0; i < t->nr; i++) {
		if (t->all[i].ended)
			continue;
		idmap_put(&t->by_tid, t->all[i].tid, 0, (u32)nr);
		t->all[nr++] = t->all[i];
	}
	t->nr = nr;
	t->nr_ended = 0;
}

/* Room for one more thread; false: there is none. */
static bool make_room(struct thread_states *t)
{
	bool full = t->full || (t->max_threads && t->nr >= t->max_threads);

	/* only where so many have ended that going over all threads pays */
	if (full && t->nr_ended && t->nr_ended >= t->nr / 8) {
		t->nr_forgotten += t->nr_ended;
		forget_ended(t);
		full = false;
	}
	return !full;
}

/* NULL: there is no room. */
static struct thread_times *add_thread(struct thread_states *t, const struct state_event *ev,
				       enum task_state s)
{
	const struct thread_times th = { .tid = ev->tid,
					 .pid = ev->pid,
					 .comm = ev->comm,
					 .first = ev->time,
					 .since = ev->time,
					 .epoch = t->epoch,
					 .cpu = UINT32_MAX,
					 .state = (u8)s };

	if (!make_room(t)) {
		t->nr_dropped++;
		return NULL;
	}
	idmap_put(&t->by_tid, ev->tid, 0, (u32)t->nr);
	t->recent[ev->tid % ARRAY_SIZE(t->recent)] = (struct recent_tid){ ev->tid, (u32)t->nr + 1 };
	vec_push(t->all, t->nr, t->cap, th);
	return &t->all[t->nr - 1];
}

/*
 * Ends the interval of a thread at `time` and begins one in state `next`. sure: no switch is
 * missing in it. An event that comes too late ends an interval of no length.
 */
static int change(struct thread_states *t, struct thread_times *th, u64 time, bool sure,
		  enum task_state next, struct perr *e)
{
	struct state_interval i = { .thread = th, .state = th->state, .from = th->since };
	bool lost = th->epoch != t->epoch;
	int err = 0;

	if (time < th->since) {
		t->nr_negative++;
		time = th->since;
	}
	i.to = time;
	if (time > t->last_time)
		t->last_time = time;
	if (lost && i.to > i.from)
		t->nr_broken++;
	if (lost || !sure)
		i.state = TASK_UNKNOWN;
	th->sum[i.state] += i.to - i.from;
	th->since = time;
	th->epoch = t->epoch;
	if (t->found && i.to > i.from)
		err = t->found(t->ctx, &i, e);
	th->state = (u8)next;
	return err;
}

static bool is_off(const struct thread_times *th)
{
	return th->state != TASK_RUNNING && th->state != TASK_UNKNOWN;
}

static bool is_asleep(const struct thread_times *th)
{
	return is_off(th) && th->state != TASK_PREEMPTED && th->state != TASK_WOKEN;
}

/* What an event says of its thread besides the state. */
static void note(struct thread_times *th, const struct state_event *ev)
{
	if (ev->comm)
		th->comm = ev->comm;
	if (ev->pid != UINT32_MAX)
		th->pid = ev->pid;
}

int thread_states_out(struct thread_states *t, const struct state_event *ev, enum task_state s,
		      struct perr *e)
{
	bool left_out, off, missed;
	struct thread_times *th = find_thread(t, ev->tid, &left_out);
	int err;

	if (left_out)
		return 0;
	if (!th && !(th = add_thread(t, ev, TASK_RUNNING)))
		return 0;
	/* who was woken while it ran, before any switch of it was seen */
	if (th->state == TASK_WOKEN && !th->reported)
		th->state = TASK_RUNNING;
	off = is_off(th);
	missed = off && th->reported & ev->source;
	if (off && !missed) {
		/* the other record of the same switch */
		th->reported |= ev->source;
		if (th->state == TASK_WAITING && s == TASK_PREEMPTED)
			th->state = TASK_PREEMPTED;
		return 0;
	}
	t->nr_missed += missed;
	note(th, ev);
	err = change(t, th, ev->time, th->state == TASK_RUNNING, s, e);
	th->stack = ev->stack;
	th->waker_stack = 0;
	if (ev->cpu != UINT32_MAX)
		th->cpu = ev->cpu;
	th->reported = (u8)ev->source;
	return err;
}

int thread_states_in(struct thread_states *t, const struct state_event *ev, struct perr *e)
{
	bool left_out, missed;
	struct thread_times *th = find_thread(t, ev->tid, &left_out);
	int err;

	if (left_out)
		return 0;
	if (!th) {
		th = add_thread(t, ev, TASK_RUNNING);
		if (!th)
			return 0;
		th->nr_switches++;
	}
	if (th->state == TASK_RUNNING && !(th->reported & ev->source)) {
		th->reported |= ev->source;
		return 0;
	}
	missed = th->state == TASK_RUNNING;
	t->nr_missed += missed;
	note(th, ev);
	err = change(t, th, ev->time, !missed, TASK_RUNNING, e);
	th->nr_switches++;
	if (ev->cpu != UINT32_MAX) {
		th->nr_migrations += th->cpu != UINT32_MAX && th->cpu != ev->cpu;
		th->cpu = ev->cpu;
	}
	th->reported = (u8)ev->source;
	return err;
}

int thread_states_was_out(struct thread_states *t, const struct state_event *ev, u64 ns,
			  enum task_state s, struct perr *e)
{
	struct state_event from = *ev;
	bool left_out;
	struct thread_times *th = find_thread(t, ev->tid, &left_out);
	u64 woken;
	int err;

	if (left_out)
		return 0;
	from.time = ns < ev->time ? ev->time - ns : 0;
	if (!th && !(th = add_thread(t, &from, TASK_RUNNING)))
		return 0;
	woken = th->woken;
	note(th, ev);
	err = change(t, th, from.time, true, s, e);
	th->stack = ev->stack;
	th->waker_stack = 0;
	if (!err && is_asleep(th) && woken > from.time && woken <= ev->time)
		err = change(t, th, woken, true, TASK_WOKEN, e);
	if (!err)
		err = change(t, th, ev->time, true, TASK_RUNNING, e);
	th->nr_switches++;
	return err;
}

int thread_states_wake(struct thread_states *t, const struct state_event *ev, struct perr *e)
{
	bool left_out;
	struct thread_times *th = find_thread(t, ev->tid, &left_out);

	if (left_out)
		return 0;
	if (!th && !(th = add_thread(t, ev, TASK_WOKEN)))
		return 0;
	th->woken = ev->time;
	if (!is_asleep(th))
		return 0;
	th->waker_stack = ev->stack;
	return change(t, th, ev->time, true, TASK_WOKEN, e);
}

int thread_states_begin(struct thread_states *t, const struct state_event *ev, enum task_state s,
			struct perr *e)
{
	struct thread_times *th;
	int err = thread_states_end(t, ev, e);

	if (err || !ev->tid)
		return err;
	th = add_thread(t, ev, s);
	if (th)
		th->reported = s == TASK_WOKEN ? SWITCH_BY_ANY : 0;
	return 0;
}

int thread_states_end(struct thread_states *t, const struct state_event *ev, struct perr *e)
{
	bool left_out;
	struct thread_times *th = find_thread(t, ev->tid, &left_out);
	int err;

	if (!th)
		return 0;
	err = change(t, th, ev->time, th->state != TASK_UNKNOWN, TASK_UNKNOWN, e);
	th->ended = true;
	t->nr_ended++;
	return err;
}

int thread_states_finish(struct thread_states *t, u64 time, struct perr *e)
{
	for (size_t i = 0; i < t->nr; i++) {
		struct thread_times *th = &t->all[i];
		int err;

		if (th->ended)
			continue;
		err = change(t, th, time, true, TASK_UNKNOWN, e);
		th->ended = true;
		t->nr_ended++;
		if (err)
			return err;
	}
	return 0;
}

void thread_states_restart(struct thread_states *t)
{
	forget_ended(t);
	for (size_t i = 0; i < t->nr; i++) {
		struct thread_times *th = &t->all[i];

		th->first = th->since;
		memset(th->sum, 0, sizeof(th->sum));
		th->nr_switches = th->nr_migrations = 0;
	}
	t->nr_missed = t->nr_broken = t->nr_negative = t->nr_forgotten = t->nr_dropped = 0;
}

size_t thread_states_bytes(const struct thread_states *t)
{
	return t->cap * sizeof(*t->all) + idmap_bytes(&t->by_tid);
}
