/* SPDX-License-Identifier: MIT */
/* Waits for full rings, signals, --control commands and the end of what is recorded. */
#include "record/recorder_priv.h"

#include <errno.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/clock.h"

/*
 * Sweep the rings at least this often, so that a killed recorder loses little and a pipe's reader
 * sees records soon.
 */
#define SWEEP_MS 250

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

/*
 * Sets up poll for each ring on one of its events that has not ended. Returns false if every event
 * that ends with the target has ended.
 */
static bool watch_rings(struct recorder *r)
{
	bool any = false;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct rec_ring *ring = &r->rings.rings[i];

		r->polls[i] =
			(struct pollfd){ .fd = ring->nr_fds ? ring->fds[ring->nr_fds - 1] : -1,
					 .events = POLLIN };
		any |= ring->nr_fds > ring->nr_endless;
	}
	return any;
}

static void take_polled(struct recorder *r)
{
	bool woken = false;

	for (size_t i = 0; i < r->rings.nr; i++) {
		struct rec_ring *ring = &r->rings.rings[i];

		woken |= (r->polls[i].revents & POLLIN) != 0;
		if (!(r->polls[i].revents & (POLLHUP | POLLERR | POLLNVAL)))
			continue;
		/* this event's thread has ended: watch the next event that is still open */
		while (ring->nr_fds) {
			struct pollfd p = { .fd = ring->fds[ring->nr_fds - 1], .events = POLLIN };

			if (poll(&p, 1, 0) >= 0 && !(p.revents & (POLLHUP | POLLERR | POLLNVAL)))
				break;
			ring->nr_fds--;
		}
	}
	r->wakeups += woken;
}

int recorder_wait(struct recorder *r, struct perr *e)
{
	int ms = schedule_wait_ms(&r->schedule, now_ns(), SWEEP_MS);
	size_t n = r->rings.nr;
	bool live = watch_rings(r);

	if (!live && r->target.kind != REC_TARGET_SYSTEM && !r->child.pid)
		r->stop = true; /* all recorded threads have ended */
	r->polls[n] = (struct pollfd){ .fd = r->signal_fd, .events = POLLIN };
	r->polls[n + 1] = (struct pollfd){ .fd = r->control.fd, .events = POLLIN };
	if (poll(r->polls, n + 2, r->stop ? 0 : ms) < 0 && errno != EINTR)
		return perr_io(e, "poll");
	take_polled(r);
	signals_take(r);
	control_take(r);
	if (workload_poll(&r->child))
		r->stop = true;
	return 0;
}
