/* SPDX-License-Identifier: MIT */
/* Waits for full rings, signals, --control commands and the end of what is recorded. */
#include "record/recorder_priv.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/ring/ring_poll.h"

#define MAX_SWEEP_MS 60000
/* For stacks that are deeper than their copies: later, many have changed. */
#define EARLY_SWEEP_MS 2
/* Records of early sweeps are written together. */
#define EARLY_WRITE_NS 16000000

int recorder_sweep_ms(const struct rec_opts *o)
{
	if (o->flush_ms)
		return o->flush_ms < MAX_SWEEP_MS ? (int)o->flush_ms : MAX_SWEEP_MS;
	/* sleeping threads are looked at in sweeps */
	if (o->off_cpu == REC_OFF_CPU_RECORDS)
		return LOOK_SWEEP_MS;
	return rec_opts_to_pipe(o) ? PIPE_SWEEP_MS : SWEEP_MS;
}

int recorder_signals_open(struct recorder *r, struct perr *e)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &r->old_mask);
	signal(SIGPIPE, SIG_IGN);
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0)
		return perr_io(e, "signalfd");
	return 0;
}

static void signals_take(struct recorder *r)
{
	struct signalfd_siginfo s;

	while (read(r->signal_fd, &s, sizeof(s)) == sizeof(s)) {
		switch (s.ssi_signo) {
		case SIGCHLD: break; /* workload_poll reaps the command */
		case SIGUSR2:
			if (r->o->switch_output == REC_SWITCH_SIGNAL)
				r->want_switch = true;
			else if (r->o->overwrite)
				r->want_snapshot = true;
			break;
		default: r->stop = true; r->end_signal = (int)s.ssi_signo;
		}
	}
}

static void control_take(struct recorder *r)
{
	enum control_command c;

	while ((c = control_next(&r->control)) != CONTROL_NONE) {
		switch (c) {
		case CONTROL_ENABLE:
		case CONTROL_DISABLE:
			event_enable(r->l, r->control.arg[0] ? r->control.arg : NULL,
				     c == CONTROL_ENABLE, r->sys);
			if (r->control.arg[0])
				break;
			recorder_talk(r,
				      c == CONTROL_ENABLE ? "Events enabled" : "Events disabled");
			break;
		case CONTROL_SNAPSHOT:
			if (r->o->switch_output == REC_SWITCH_SIGNAL)
				r->want_switch = true;
			else
				r->want_snapshot = r->o->overwrite;
			break;
		case CONTROL_STOP: r->stop = true; break;
		case CONTROL_EVLIST:
			for (size_t i = 0; i < r->l->nr; i++)
				recorder_talk(r, r->l->events[i]->name);
			break;
		case CONTROL_PING: break;
		case CONTROL_UNKNOWN:
		default: continue;
		}
		control_ack(&r->control);
	}
}

/* In ms: until the next sweep. Of two that come one after the other, one is soon at most. */
static int wait_at_most(struct recorder *r)
{
	int ms = recorder_sweep_ms(r->o);

	r->is_next = r->round_waits && rec_opts_to_pipe(r->o) && !r->is_next;
	return r->is_next && ms > PIPE_NEXT_SWEEP_MS ? PIPE_NEXT_SWEEP_MS : ms;
}

int recorder_wait(struct recorder *r, struct perr *e)
{
	bool early = r->live && r->threaded && !r->parts_live && !r->o->overwrite &&
		     live_chains_need_early_sweeps(r->live);
	u64 now = now_ns();
	int ms = schedule_wait_ms(&r->schedule, now, early ? EARLY_SWEEP_MS : wait_at_most(r));
	size_t n = r->readers ? 0 : r->rings.nr;
	bool live = r->readers ? !readers_ended(r->readers)
			       : ring_polls_set(r->rings.rings, n, r->polls);

	r->sweep_is_early = early && now - r->round_ns < EARLY_WRITE_NS;
	if (!live && r->target.kind != REC_TARGET_SYSTEM && !r->child.pid)
		r->stop = true; /* all recorded threads have ended */
	r->polls[n] = (struct pollfd){ .fd = r->signal_fd, .events = POLLIN };
	r->polls[n + 1] = (struct pollfd){ .fd = r->control.fd, .events = POLLIN };
	r->polls[n + 2] =
		(struct pollfd){ .fd = r->readers ? readers_fd(r->readers) : -1, .events = POLLIN };
	if (poll(r->polls, n + NR_OTHER_POLLS, r->stop ? 0 : ms) < 0 && errno != EINTR)
		return perr_io(e, "poll");
	r->wakeups += ring_polls_take(r->rings.rings, n, r->polls);
	signals_take(r);
	control_take(r);
	if (workload_poll(&r->child))
		r->stop = true;
	return r->readers ? readers_error(r->readers, e) : 0;
}
