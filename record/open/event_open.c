/* SPDX-License-Identifier: MIT */
/*
 * Opens events thread by thread, for each thread event by event, for each event CPU by CPU. A
 * thread that is started meanwhile thus inherits all events of its parent or none, unless its
 * parent is being opened at that moment. For one thread, or system wide, the order is stock perf's.
 *
 * Threads that start while others are opened: a child of a thread whose events are open inherits
 * them, a child of a thread whose events are not open yet does not, and /proc does not show which
 * thread started another. A thread that inherited events and is opened as well would be counted
 * twice. The thread's id decides: ids ascend, so a thread whose id is not above the newest id from
 * before the first open cannot have inherited and is opened; later threads are assumed to have
 * inherited. This misses only children started within the few milliseconds of opening by threads
 * that were opened later, while stock perf misses all threads started after its scan of /proc.
 */
#include "record/open/event_open_priv.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/write/writer.h"
#include "record/open/cgroup_target.h"
#include "record/open/event_fds.h"
#include "record/open/nofile_limit.h"
#include "record/host/proc_threads.h"

/* offset in struct perf_event_attr; the kernel reads uprobe_path there */
#define ATTR_OFF_CONFIG1 56u

static int kernel_open(void *ctx, const void *attr, size_t size, s32 pid, s32 cpu, int group_fd,
		       unsigned long flags)
{
	long fd = syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, flags);

	(void)ctx;
	(void)size; /* the attr contains its size */
	return fd < 0 ? -errno : (int)fd;
}

static int kernel_ioctl(void *ctx, int fd, unsigned long request, u64 arg)
{
	int rc = ioctl(fd, request, arg);

	(void)ctx;
	return rc < 0 ? -errno : rc;
}

const struct rec_sys rec_sys_kernel = { .open = kernel_open, .ioctl = kernel_ioctl };

/* Allocates every event's matrix of descriptors; threads_before is passed to event_fds_resize. */
static void opener_lay_out(struct opener *p, size_t threads_before)
{
	p->fds_wanted = 0;
	for (size_t i = 0; i < p->l->nr; i++) {
		struct rec_event *ev = p->l->events[i];

		event_fds_resize(ev, p->nr_cpus, p->t->nr_threads, threads_before);
		if (!ev->is_made)
			p->fds_wanted += ev->whole_system ? p->nr_cpus : ev->nr_fds;
	}
}

/* Prints perf -vv's block of an attr, once for each attr that is tried. */
static void log_attr(struct opener *p, const struct pd_attr *a)
{
	static const char line[] = "------------------------------------------------------------";

	if (!p->o->log || p->o->verbose <= 1 ||
	    (p->have_logged && !memcmp(&p->logged, a, sizeof(*a))))
		return;
	p->logged = *a;
	p->have_logged = true;
	fprintf(p->o->log, "%s\n", line);
	attr_print(a, p->o->log);
	fprintf(p->o->log, "%s\n", line);
}

static int open_once(struct opener *p, struct rec_event *ev, s32 pid, s32 cpu, int group_fd)
{
	unsigned long flags = ev->cgroup ? PERF_FLAG_PID_CGROUP : 0;
	FILE *log = p->o->verbose > 1 ? p->o->log : NULL;
	struct pd_attr a = ev->attr;
	int fd;

	if (fallback_cloexec(&p->tries[ev->idx], &p->kernel))
		flags |= PERF_FLAG_FD_CLOEXEC;
	a.size = p->l->attr_size;
	log_attr(p, &a);
	p->attr.n = 0;
	pd_attr_encode(&p->attr, &a, p->l->attr_size);
	/* the pointer is for the kernel only; the attr in the file has 0 there */
	if (ev->uprobe_path)
		wb_set_u64(&p->attr, ATTR_OFF_CONFIG1, (u64)(uintptr_t)ev->uprobe_path);

	if (log)
		fprintf(log, "sys_perf_event_open: pid %d  cpu %d  group_fd %d  flags %#lx", pid,
			cpu, group_fd, flags);
	do
		fd = p->sys->open(p->sys->ctx, p->attr.p, p->attr.n, pid, cpu, group_fd, flags);
	while (fd == -EINTR);
	if (log && fd >= 0)
		fprintf(log, " = %d\n", fd);
	else if (log)
		fprintf(log, "\nsys_perf_event_open failed, error %d\n", fd);
	return fd;
}

static enum outcome open_at(struct opener *p, struct rec_event *ev, size_t c, size_t th)
{
	/* events without a thread use the place of the first thread, even if that has ended */
	size_t at = c * p->t->nr_threads + (ev->whole_system ? 0 : th);
	s32 cpu = p->t->any_cpu ? -1 : (s32)p->t->cpus.cpus[c];
	s32 tid = ev->whole_system ? -1 : p->t->threads[th].tid;
	s32 pid = ev->cgroup ? ev->cgroup_fd : tid;
	bool fresh = !event_fds_any(ev);
	enum outcome out;
	int group_fd = -1, fd;

	if (ev->fds[at] >= 0 || (ev->pmu_cpus && cpu >= 0 && !cpu_list_has(ev->pmu_cpus, (u32)cpu)))
		return OUT_OK;
	if (ev->leader_idx != ev->idx) {
		group_fd = p->l->events[ev->leader_idx]->fds[at];
		/* a member starts and stops with its leader, so it is not opened without it */
		if (group_fd < 0)
			return OUT_OK;
	}
	for (;;) {
		fd = open_once(p, ev, pid, cpu, group_fd);
		if (fd >= 0)
			break;
		if (fd == -ENODEV && !fresh && cpu >= 0) {
			diag_warn(p->o->diag, "CPU %d went offline and is not recorded", cpu);
			return OUT_OK;
		}
		out = opener_recover(p, ev, th, pid, cpu, -fd);
		if (out != OUT_OK)
			return out;
	}
	ev->fds[at] = fd;
	/*
	 * fails only before Linux 3.12, where samples of several events then cannot be told apart
	 */
	if (p->sys->ioctl(p->sys->ctx, fd, PERF_EVENT_IOC_ID, (u64)(uintptr_t)&ev->ids[at]))
		ev->ids[at] = 0;
	if (!fresh || !fallback_opened(&p->tries[ev->idx], &p->kernel, ev, p->e))
		return OUT_OK;
	if (fallback_is_clocks_fault(&p->tries[ev->idx])) {
		fallback_undo(&p->tries[ev->idx], ev);
		return opener_fail(p, ev, pid, cpu, EINVAL);
	}
	return OUT_FAIL;
}

static enum outcome open_thread(struct opener *p, size_t th)
{
	enum outcome out = OUT_OK;

	for (size_t i = 0; i < p->l->nr; i++) {
		struct rec_event *ev = p->l->events[i];

		if (ev->is_made)
			continue;
		fallback_apply(&p->kernel, ev);
		for (size_t c = 0; c < p->nr_cpus; c++) {
			out = open_at(p, ev, c, th);
			if (out != OUT_OK)
				return out;
		}
	}
	return OUT_OK;
}

/*
 * Opens all that is not open yet; starts again from the first thread when attrs or the list of
 * events have changed.
 */
static int open_rounds(struct opener *p)
{
	enum outcome out = OUT_OK;
	size_t th = 0;

	/* this ends, because every change happens at most once */
	while (th < p->t->nr_threads) {
		if (p->t->threads[th].gone) {
			th++;
			continue;
		}
		out = open_thread(p, th);
		if (out == OUT_FAIL)
			return PERR_KERNEL;
		if (out == OUT_AGAIN) {
			for (size_t i = 0; i < p->l->nr; i++)
				event_fds_close(p->l->events[i]);
			th = 0;
			continue;
		}
		th++;
	}
	return 0;
}

static bool any_event_inherits(const struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (pd_attr_has(&l->events[i]->attr, PD_ATTR_INHERIT))
			return true;
	return false;
}

/*
 * Opens the events on threads that started since the scan and have not inherited them; the comment
 * at the top of this file explains how that is decided. mark: the newest thread id before the first
 * open, 0 if unknown.
 */
static int open_newcomers(struct opener *p, s32 mark)
{
	size_t before = p->t->nr_threads, kept = before;
	s32 newest;
	s64 pid_max;

	if (!target_rescan(p->t, p->o))
		return 0;
	newest = proc_newest_tid(p->o->host.procfs);
	if (rec_host_number(p->o->host.procfs, "sys/kernel/pid_max", &pid_max) || pid_max <= 0 ||
	    pid_max > 1 << 22)
		pid_max = 1 << 22; /* the kernel's upper limit of thread ids */
	for (size_t i = before; i < p->t->nr_threads; i++) {
		struct rec_thread th = p->t->threads[i];

		if (!any_event_inherits(p->l) ||
		    (mark && newest && tid_is_older(th.tid, mark, newest, (s32)pid_max)))
			p->t->threads[kept++] = th;
	}
	p->t->nr_threads = kept;
	if (kept == before)
		return 0;
	opener_lay_out(p, before);
	nofile_provide(p->fds_wanted);
	return open_rounds(p);
}

static void warn_fallbacks(struct opener *p)
{
	/* perf is silent about what stands in for its default event */
	for (size_t i = 0; i < p->l->nr; i++)
		fallback_warn(&p->tries[i], p->l->events[i]->is_default && !p->o->on_terminal,
			      p->o->diag);
}

static void warn_left_out_threads(struct opener *p)
{
	size_t nr = 0;

	for (size_t i = 0; i < p->t->nr_threads; i++)
		nr += p->t->threads[i].gone;
	if (p->nr_denied)
		diag_warn(p->o->diag,
			  "not permitted to record %zu of %zu threads, such as %d (%s): they are "
			  "left out",
			  p->nr_denied, p->t->nr_threads, p->first_denied.tid,
			  p->first_denied.comm);
	if (nr > p->nr_denied)
		diag_warn(p->o->diag, "%zu of %zu threads ended before they could be recorded",
			  nr - p->nr_denied, p->t->nr_threads);
}

int event_open_all(struct rec_evlist *l, struct rec_target *t, struct rec_opts *o,
		   const struct rec_sys *sys, struct perr *e)
{
	struct opener p = { .l = l, .t = t, .o = o, .sys = sys, .e = e };
	size_t nr_tries = l->nr;
	s32 mark;
	int rc = 0;

	if (!l->nr || !t->nr_threads || !(t->any_cpu || t->cpus.nr))
		return perr_set(e, PERR_USAGE, "nothing to record");
	rc = cgroup_open_all(l, o, e);
	if (rc) {
		event_close_all(l, sys);
		return rc;
	}
	p.tries = xcalloc(nr_tries + 1, sizeof(*p.tries));
	p.nr_cpus = t->any_cpu ? 1 : t->cpus.nr;
	target_rescan(t, o);
	mark = proc_newest_tid(o->host.procfs);
	opener_lay_out(&p, 0);
	nofile_provide(p.fds_wanted);
	rc = open_rounds(&p);
	if (!rc)
		rc = open_newcomers(&p, mark);
	if (!rc) {
		warn_fallbacks(&p);
		warn_left_out_threads(&p);
	} else {
		event_close_all(l, sys);
	}
	for (size_t i = 0; i < nr_tries; i++)
		event_fallback_fini(&p.tries[i]);
	free(p.tries);
	wb_fini(&p.attr);
	return rc;
}

void event_close_all(struct rec_evlist *l, const struct rec_sys *sys)
{
	(void)sys;
	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];

		event_fds_close(ev);
		if (ev->cgroup_fd >= 0)
			close(ev->cgroup_fd);
		ev->cgroup_fd = -1;
	}
}
