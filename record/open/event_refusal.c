/* SPDX-License-Identifier: MIT */
/* Decides how to continue after the kernel has refused to open an event. */
#include "record/open/event_open_priv.h"

#include <errno.h>

#include "record/open/event_fds.h"
#include "record/events/event_regroup.h"
#include "record/open/nofile_limit.h"

static const struct rec_rights *opener_rights(struct opener *p)
{
	if (!p->have_rights)
		rec_rights_read(&p->rights, &p->o->host);
	p->have_rights = true;
	return &p->rights;
}

static void opener_advise(struct opener *p, const struct rec_event *ev, s32 pid, s32 cpu,
			  int sys_errno, struct perr *ret)
{
	struct open_attempt a = { .ev = ev,
				  .t = p->t,
				  .pid = ev->cgroup ? -1 : pid,
				  .cpu = cpu,
				  .fds_wanted = nofile_wanted(p->fds_wanted) };

	if (sys_errno == EMFILE) /* nofile_raise has changed the limit: read it again */
		p->have_rights = false;
	advice_open(&a, sys_errno, opener_rights(p), ret);
}

enum outcome opener_fail(struct opener *p, const struct rec_event *ev, s32 pid, s32 cpu,
			 int sys_errno)
{
	opener_advise(p, ev, pid, cpu, sys_errno, p->e);
	return OUT_FAIL;
}

static void opener_drop_thread(struct opener *p, size_t th)
{
	p->t->threads[th].gone = true;
	for (size_t i = 0; i < p->l->nr; i++)
		for (size_t c = 0; c < p->nr_cpus && !p->l->events[i]->whole_system; c++)
			event_fds_close_at(p->l->events[i], c * p->t->nr_threads + th);
}

static bool target_has_threads(const struct rec_target *t)
{
	for (size_t i = 0; i < t->nr_threads; i++)
		if (!t->threads[i].gone)
			return true;
	return false;
}

static size_t nr_asked_for(const struct rec_evlist *l)
{
	size_t nr = 0;

	for (size_t i = 0; i < l->nr; i++)
		nr += !l->events[i]->is_dummy;
	return nr;
}

static void opener_leave_out(struct opener *p, u32 idx)
{
	event_fds_close(p->l->events[idx]);
	event_leave_out(p->l, idx);
	event_fallback_fini(&p->tries[idx]);
	memmove(&p->tries[idx], &p->tries[idx + 1], (p->l->nr - idx) * sizeof(*p->tries));
	p->tries[p->l->nr] = (struct event_fallback){ 0 };
}

/* Returns true for errors that do not depend on the event. */
static bool is_independent_of_event(int sys_errno)
{
	return sys_errno == EMFILE || sys_errno == ENFILE || sys_errno == ENOSYS ||
	       sys_errno == ENOMEM || sys_errno == ESRCH;
}

/* Makes one line of a text of several: "a:\n  b\n  c" becomes "a: b; c". */
static void join_lines(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		if (*from != '\n') {
			*to++ = *from;
			continue;
		}
		/* two blanks follow each newline */
		if (to > text && to[-1] != ':' && to[-1] != ',')
			*to++ = ';';
	}
	*to = 0;
	for (to = text; (to = strstr(to, "  "));)
		memmove(to, to + 1, strlen(to));
}

static enum outcome opener_refuse_event(struct opener *p, struct rec_event *ev, s32 pid, s32 cpu,
					int sys_errno)
{
	struct perr why = { 0 };

	fallback_undo(&p->tries[ev->idx], ev);
	if (is_independent_of_event(sys_errno) || nr_asked_for(p->l) <= 1 || ev->is_dummy) {
		/*
		 * report the first refusal rather than the last: it is more often about the
		 * requested event
		 */
		if (p->first_refusal.code && p->e && !is_independent_of_event(sys_errno)) {
			*p->e = p->first_refusal;
			return OUT_FAIL;
		}
		return opener_fail(p, ev, pid, cpu, sys_errno);
	}
	opener_advise(p, ev, pid, cpu, sys_errno, &why);
	if (!p->first_refusal.code)
		p->first_refusal = why;
	join_lines(why.text);
	diag_warn(p->o->diag, "event left out: %s", why.text);
	opener_leave_out(p, ev->idx);
	return OUT_AGAIN;
}

/* Breaks up a weak group (modifier W) that the PMU cannot count as one. */
static enum outcome opener_break_up(struct opener *p, const struct rec_event *member)
{
	const struct rec_event *leader = p->l->events[member->leader_idx];

	diag_warn(p->o->diag,
		  "group of %u events broken up: the PMU cannot count them together (%s)",
		  leader->nr_members, member->name);
	event_break_up_group(p->l, leader->idx);
	return OUT_AGAIN;
}

/*
 * Returns true if the refusal concerns this one thread among many, such as another user's, and not
 * the event.
 */
static bool is_threads_fault(const struct opener *p, const struct rec_event *ev, s32 pid,
			     int sys_errno)
{
	return (sys_errno == EACCES || sys_errno == EPERM) && pid > 0 && !ev->cgroup &&
	       p->t->nr_threads > 1 && (p->o->user || event_fds_any(ev));
}

enum outcome opener_recover(struct opener *p, struct rec_event *ev, size_t th, s32 pid, s32 cpu,
			    int sys_errno)
{
	struct rec_thread *thread = &p->t->threads[th];

	if (sys_errno == ESRCH && pid > 0 && !ev->cgroup) {
		opener_drop_thread(p, th);
		return target_has_threads(p->t) ? OUT_NO_THREAD
						: opener_fail(p, ev, pid, cpu, sys_errno);
	}
	if (sys_errno == EMFILE && nofile_raise(p->fds_wanted))
		return OUT_OK;
	if (ev->weak_group && ev->leader_idx != ev->idx &&
	    (sys_errno == EINVAL || sys_errno == EBADF))
		return opener_break_up(p, ev);
	if (fallback_next(&p->tries[ev->idx], &p->kernel, ev, sys_errno, opener_rights(p)))
		return event_fds_any(ev) ? OUT_AGAIN : OUT_OK;
	if (is_threads_fault(p, ev, pid, sys_errno)) {
		if (!p->nr_denied++)
			p->first_denied = *thread;
		opener_drop_thread(p, th);
		if (target_has_threads(p->t))
			return OUT_NO_THREAD;
	}
	return opener_refuse_event(p, ev, pid, cpu, sys_errno);
}
