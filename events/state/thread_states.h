/* SPDX-License-Identifier: MIT */
/*
 * In which state each thread is, and since when: running, waiting for a CPU, asleep. It is given
 * what happens to threads, oldest first, and divides the time in which it observes a thread into
 * intervals without gaps: the sums of a thread's states are the time from its first to its last
 * event, exactly. Times are ns of the recording's clock.
 *
 * Time that a loss of records makes uncertain is TASK_UNKNOWN: an interval with a loss in it, and
 * one between two switches of the same direction, of which the one between them is missing.
 */
#ifndef EVENTS_STATE_THREAD_STATES_H
#define EVENTS_STATE_THREAD_STATES_H

#include "base/bytes.h"
#include "base/err.h"
#include "base/hash.h"

enum task_state {
	TASK_UNKNOWN,
	TASK_RUNNING,
	TASK_PREEMPTED, /* it could run, but another thread has its CPU */
	TASK_WOKEN,     /* new or woken, and waits for a CPU */
	TASK_SLEEP,     /* S */
	TASK_DISK,      /* D */
	TASK_STOPPED,   /* T */
	TASK_TRACED,    /* t */
	TASK_DEAD,      /* X */
	TASK_ZOMBIE,    /* Z */
	TASK_PARKED,    /* P */
	TASK_IDLE,      /* I: as D, of a kernel thread that waits for work */
	TASK_WAITING,   /* asleep, and the recording does not say how */
	NR_TASK_STATES,
};

/* "S", "running": how a state is written. */
const char *task_state_name(enum task_state s);
/* The state of this name, or of these letters as sched_switch has them (R is TASK_PREEMPTED);
 * NR_TASK_STATES: there is none. */
enum task_state task_state_find(struct span name);
/* The state for prev_state of sched_switch. */
enum task_state task_state_of(u64 prev_state);

/* Which records say that a thread was switched: both kinds may report the same switch. */
enum switch_source { SWITCH_BY_SAMPLE = 1, SWITCH_BY_RECORD = 2, SWITCH_BY_ANY = 3 };

/* One thread, from its first to its last event. A thread id that is used again is another one. */
struct thread_times {
	u32 tid, pid;
	const char *comm; /* lives as long as the machine; NULL: not known yet */
	u64 first, since; /* ns; in this state since */
	u64 woken;        /* when it was woken last; 0: never */
	u64 epoch;        /* losses by `since` */
	u64 sum[NR_TASK_STATES];
	u64 nr_switches, nr_migrations; /* to a CPU; of these, to another one */
	u32 cpu;                        /* where it ran last; UINT32_MAX: not known */
	u8 state;
	u8 reported; /* enum switch_source: which have reported the last switch */
	bool ended;
	u32 stack, waker_stack; /* the caller's: where it left the CPU, and what woke it; 0: none */
};

/* A time in one state. Borrowed while found() runs. */
struct state_interval {
	const struct thread_times *thread; /* still as of the interval */
	enum task_state state;
	u64 from, to;
};

/*
 * Where there are max_threads, or `full` is set, threads that have ended make room for others; the
 * events of a thread for which there is no room are counted and left out.
 */
struct thread_states {
	struct thread_times *all;
	size_t nr, cap;
	size_t max_threads;  /* 0: any number */
	bool full;           /* the caller's: there is no memory for more */
	size_t nr_ended;     /* of nr */
	u64 nr_forgotten;    /* threads that ended and made room */
	u64 nr_dropped;      /* events of threads for which there was no room */
	struct idmap by_tid; /* the thread that has the id now */
	/* ids asked for lately, by their low bits; number + 1; 0: free */
	struct recent_tid {
		u32 tid, nr_plus_1;
	} recent[256];
	u64 epoch;       /* losses so far */
	u64 nr_missed;   /* switches that must have happened but were not recorded */
	u64 nr_broken;   /* intervals with a loss in them */
	u64 nr_negative; /* events earlier than the one before of their thread */
	u64 last_time;
	/* NULL: none. Returns 0, or a negative code. */
	int (*found)(void *ctx, const struct state_interval *i, struct perr *e);
	void *ctx;
};

void thread_states_init(struct thread_states *t);
void thread_states_fini(struct thread_states *t);

/* The number in t->all of the thread that has this id now, or had it last; IDMAP_NONE: none is
 * known.
 */
u32 thread_states_find(struct thread_states *t, u32 tid);

/* What happens to a thread. tid 0, the idle thread, is left out. */
struct state_event {
	u32 tid, cpu; /* UINT32_MAX: the CPU is not known */
	u64 time;
	const char *comm;          /* NULL: not known */
	enum switch_source source; /* of switches */
	u32 pid;                   /* UINT32_MAX: not known */
	u32 stack; /* of the sample that says so: a number of the caller's; 0: none */
};

/* It leaves the CPU in this state. */
int thread_states_out(struct thread_states *t, const struct state_event *ev, enum task_state s,
		      struct perr *e) MUST_CHECK;
/* It comes to a CPU. */
int thread_states_in(struct thread_states *t, const struct state_event *ev,
		     struct perr *e) MUST_CHECK;
/* It was off the CPU for the `ns` until now, in this state. */
int thread_states_was_out(struct thread_states *t, const struct state_event *ev, u64 ns,
			  enum task_state s, struct perr *e) MUST_CHECK;
/* It is woken. */
int thread_states_wake(struct thread_states *t, const struct state_event *ev,
		       struct perr *e) MUST_CHECK;
/* It begins, in this state. */
int thread_states_begin(struct thread_states *t, const struct state_event *ev, enum task_state s,
			struct perr *e) MUST_CHECK;
/* It ends; what it does after that is not observed. */
int thread_states_end(struct thread_states *t, const struct state_event *ev,
		      struct perr *e) MUST_CHECK;
/* Records were lost. */
static inline void thread_states_lost(struct thread_states *t)
{
	t->epoch++;
}
/* The recording ends: so do all threads. */
int thread_states_finish(struct thread_states *t, u64 time, struct perr *e) MUST_CHECK;

/*
 * Begins the sums anew: the time of each thread since its last event counts in the new ones.
 * Threads that have ended are forgotten.
 */
void thread_states_restart(struct thread_states *t);

/* Bytes of memory of all threads. */
size_t thread_states_bytes(const struct thread_states *t);

/* ns for which a thread was observed: the sum of its states. */
static inline u64 thread_times_observed(const struct thread_times *th)
{
	return th->since - th->first;
}

#endif
