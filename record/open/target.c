/* SPDX-License-Identifier: MIT */
#include "record/open/target.h"

#include <ctype.h>
#include <errno.h>

#include "base/mem.h"
#include "record/host/proc_threads.h"
#include "record/host/user_id.h"

/* limit of numbers in one -p or -t; longer lists are considered mistakes */
#define TARGETS_MAX 100000

static void add_thread(struct rec_target *t, const char *procfs, s32 pid, s32 tid)
{
	struct rec_thread th = { .pid = pid, .tid = tid };

	proc_comm_read(procfs, tid, th.comm);
	vec_push(t->threads, t->nr_threads, t->cap_threads, th);
}

static struct tid_list known_tids(const struct rec_target *t)
{
	struct tid_list l = { 0 };
	size_t nr = t->nr_threads;

	l.tids = xcalloc(nr + 1, sizeof(*l.tids));
	l.cap = nr + 1;
	for (size_t i = 0; i < nr; i++)
		l.tids[i] = t->threads[i].tid;
	l.nr = nr;
	tid_list_sort(&l);
	return l;
}

/*
 * Appends the threads of a process that are not in `known`. Returns false if the process does not
 * exist.
 */
static bool add_process(struct rec_target *t, const char *procfs, s32 pid,
			const struct tid_list *known)
{
	struct tid_list tasks = { 0 };
	bool found = proc_tasks_read(procfs, pid, &tasks);

	for (size_t i = 0; found && i < tasks.nr; i++)
		if (!tid_list_has(known, tasks.tids[i]))
			add_thread(t, procfs, pid, tasks.tids[i]);
	tid_list_fini(&tasks);
	return found;
}

/* Parses "12,34" into ids, without duplicates. option and what ("PIDs") are for the message. */
static int parse_numbers(const char *text, const char *option, const char *what,
			 struct tid_list *ret, struct perr *e)
{
	const char *s = text;
	s64 v;

	for (;;) {
		v = 0;
		if (!isdigit((unsigned char)*s))
			goto bad;
		for (; isdigit((unsigned char)*s); s++) {
			v = v * 10 + (*s - '0');
			if (v > INT32_MAX)
				goto bad;
		}
		if (!v || ret->nr >= TARGETS_MAX)
			goto bad;
		vec_push(ret->tids, ret->nr, ret->cap, (s32)v);
		if (*s != ',')
			break;
		s++;
	}
	if (*s)
		goto bad;
	tid_list_sort(ret);
	return 0;
bad:
	return perr_set(e, PERR_USAGE, "%s: expected a comma-separated list of %s, got '%.200s'",
			option, what, text);
}

static bool status_of(const char *procfs, s32 tid, struct proc_status *ret)
{
	char task[16];

	snprintf(task, sizeof(task), "%d", (int)tid);
	return proc_status_read(procfs, task, ret);
}

static int add_pids(struct rec_target *t, const struct rec_opts *o, struct perr *e)
{
	struct tid_list pids = { 0 }, none = { 0 };
	int rc = parse_numbers(o->pids, "-p", "PIDs", &pids, e);

	for (size_t i = 0; !rc && i < pids.nr; i++) {
		struct proc_status st;
		/* the id of any thread selects its process */
		s32 pid = status_of(o->host.procfs, pids.tids[i], &st) ? st.tgid : pids.tids[i];

		if (pid != pids.tids[i] && tid_list_has(&pids, pid))
			continue;
		if (!add_process(t, o->host.procfs, pid, &none))
			rc = perr_set(e, PERR_NOTFOUND,
				      "-p: no process has the PID %d (it has ended, or belongs to "
				      "another PID namespace)",
				      (int)pids.tids[i]);
	}
	tid_list_fini(&pids);
	return rc;
}

static int add_tids(struct rec_target *t, const struct rec_opts *o, struct perr *e)
{
	struct tid_list tids = { 0 };
	int rc = parse_numbers(o->tids, "-t", "TIDs", &tids, e);

	for (size_t i = 0; !rc && i < tids.nr; i++) {
		struct proc_status st;

		if (status_of(o->host.procfs, tids.tids[i], &st))
			add_thread(t, o->host.procfs, st.tgid, tids.tids[i]);
		else
			rc = perr_set(e, PERR_NOTFOUND,
				      "-t: no thread has the TID %d (it has ended, or belongs to "
				      "another PID namespace)",
				      (int)tids.tids[i]);
	}
	tid_list_fini(&tids);
	return rc;
}

/* Converts a user name or number to the user id. */
static int user_id(const char *text, u32 *ret, struct perr *e)
{
	unsigned long v;
	char *end;

	if (user_id_of_name(text, ret))
		return 0;
	errno = 0;
	v = strtoul(text, &end, 10);
	if (!isdigit((unsigned char)*text) || *end || errno || v >= UINT32_MAX)
		return perr_set(e, PERR_NOTFOUND, "-u: no user is called '%.200s'", text);
	*ret = (u32)v;
	return 0;
}

/*
 * Appends the threads that are not in `known` of all processes with the real or effective user id
 * uid.
 */
static void add_user(struct rec_target *t, const char *procfs, u32 uid,
		     const struct tid_list *known)
{
	struct tid_list pids = { 0 };
	struct proc_status st;

	proc_pids_read(procfs, &pids);
	for (size_t i = 0; i < pids.nr; i++)
		if (status_of(procfs, pids.tids[i], &st) && (st.ruid == uid || st.euid == uid))
			add_process(t, procfs, pids.tids[i], known);
	tid_list_fini(&pids);
}

static int add_users_threads(struct rec_target *t, const struct rec_opts *o, struct perr *e)
{
	struct tid_list none = { 0 };
	u32 uid;
	int rc = user_id(o->user, &uid, e);

	if (rc)
		return rc;
	add_user(t, o->host.procfs, uid, &none);
	if (!t->nr_threads)
		return perr_set(e, PERR_NOTFOUND, "-u: no process runs as user %.200s", o->user);
	return 0;
}

static int read_online(const struct rec_opts *o, struct cpu_list *ret, struct perr *e)
{
	char *path = rec_host_path(o->host.sysfs, "devices/system/cpu/online");
	FILE *f = fopen(path, "re");
	char text[4096];
	size_t n;
	int rc;

	if (!f) {
		rc = perr_io(e, "%s", path);
	} else {
		n = fread(text, 1, sizeof(text) - 1, f);
		text[n] = 0;
		fclose(f);
		rc = cpu_list_parse(text, ret, e);
		if (rc)
			perr_prefix(e, path);
	}
	free(path);
	return rc;
}

/* Sets the CPUs to those of -C, all of which must be online, or else to all online CPUs. */
static int choose_cpus(struct rec_target *t, const struct rec_opts *o, struct perr *e)
{
	struct cpu_list online = { 0 };
	int rc = read_online(o, &online, e);

	if (rc || !t->cpus_given) {
		t->cpus = online;
		return rc;
	}
	rc = cpu_list_parse(o->cpus, &t->cpus, e);
	if (rc)
		perr_prefix(e, "-C");
	for (size_t i = 0; !rc && i < t->cpus.nr; i++)
		if (!cpu_list_has(&online, t->cpus.cpus[i]))
			rc = perr_set(e, PERR_USAGE,
				      "-C: CPU %u is not online (%zu CPUs are: see "
				      "/sys/devices/system/cpu/online)",
				      t->cpus.cpus[i], online.nr);
	cpu_list_fini(&online);
	return rc;
}

/*
 * Chooses the kind of target. If several are given, the first of this order is used, as in perf:
 * -p, -t, -u, -C or -a, the command. A command besides another target only sets how long to record.
 */
static void choose_kind(struct rec_target *t, const struct rec_opts *o)
{
	bool threads = o->pids || o->tids || o->user;

	if (o->pids || o->user)
		t->kind = REC_TARGET_PIDS;
	if (o->tids && !o->pids)
		t->kind = REC_TARGET_TIDS;
	if (!threads)
		t->kind = o->system_wide || o->cpus || !o->command ? REC_TARGET_SYSTEM
								   : REC_TARGET_WORKLOAD;
	t->cpus_given = o->cpus && !threads;
	t->any_cpu = o->per_thread && t->kind != REC_TARGET_SYSTEM;

	if (o->pids && o->tids)
		diag_warn(o->diag, "-t is ignored because -p is given");
	if (o->user && (o->pids || o->tids))
		diag_warn(o->diag, "-u is ignored because -p or -t is given");
	if (o->cpus && threads)
		diag_warn(o->diag,
			  "-C is ignored because -p, -t or -u is given: threads are recorded on "
			  "every CPU");
	else if (o->system_wide && threads)
		diag_warn(o->diag, "-a is ignored because -p, -t or -u is given");
	if (o->per_thread && t->kind == REC_TARGET_SYSTEM)
		diag_warn(o->diag, "--per-thread is ignored because the whole system is recorded");
}

int target_init(struct rec_target *t, const struct rec_opts *o, struct perr *e)
{
	int rc = 0;

	*t = (struct rec_target){ 0 };
	choose_kind(t, o);
	if (o->cgroups && t->kind != REC_TARGET_SYSTEM)
		rc = perr_set(e, PERR_USAGE,
			      "-G: cgroups can only be recorded on CPUs: add -a or -C");
	else if (t->kind == REC_TARGET_TIDS)
		rc = add_tids(t, o, e);
	else if (t->kind == REC_TARGET_PIDS)
		rc = o->pids ? add_pids(t, o, e) : add_users_threads(t, o, e);
	else if (t->kind == REC_TARGET_SYSTEM)
		vec_push(t->threads, t->nr_threads, t->cap_threads,
			 ((struct rec_thread){ .pid = -1, .tid = -1 }));
	if (!rc && !t->any_cpu)
		rc = choose_cpus(t, o, e);
	if (rc)
		target_fini(t);
	return rc;
}

void target_set_workload(struct rec_target *t, s32 pid)
{
	if (t->kind == REC_TARGET_WORKLOAD && !t->nr_threads)
		add_thread(t, "/proc", pid, pid);
}

void target_fini(struct rec_target *t)
{
	free(t->threads);
	cpu_list_fini(&t->cpus);
	*t = (struct rec_target){ 0 };
}

size_t target_rescan(struct rec_target *t, const struct rec_opts *o)
{
	size_t before = t->nr_threads;
	struct tid_list known, pids = { 0 };
	u32 uid;

	if (t->kind != REC_TARGET_PIDS)
		return 0;
	known = known_tids(t);
	for (size_t i = 0; i < before; i++)
		vec_push(pids.tids, pids.nr, pids.cap, t->threads[i].pid);
	tid_list_sort(&pids);
	for (size_t i = 0; i < pids.nr; i++)
		add_process(t, o->host.procfs, pids.tids[i], &known);
	tid_list_fini(&pids);
	if (o->user && !o->pids && !user_id(o->user, &uid, NULL)) {
		tid_list_fini(&known);
		known = known_tids(t);
		add_user(t, o->host.procfs, uid, &known);
	}
	tid_list_fini(&known);
	return t->nr_threads - before;
}

/* Restricts ev to the CPUs in `given`, and of these to the CPUs of its PMU. */
static void limit_to_cpus(struct rec_event *ev, const struct cpu_list *given)
{
	struct cpu_list *both = xcalloc(1, sizeof(*both));

	for (size_t i = 0; i < given->nr; i++)
		if (!ev->pmu_cpus || cpu_list_has(ev->pmu_cpus, given->cpus[i]))
			vec_push(both->cpus, both->nr, both->cap, given->cpus[i]);
	if (ev->pmu_cpus)
		cpu_list_fini(ev->pmu_cpus);
	free(ev->pmu_cpus);
	ev->pmu_cpus = both;
}

void target_spread_side_band(struct rec_target *t, struct rec_evlist *l, const struct rec_opts *o)
{
	struct cpu_list online = { 0 };

	if (t->kind != REC_TARGET_SYSTEM || !t->cpus_given || read_online(o, &online, NULL))
		return;
	for (size_t i = 0; i < l->nr; i++)
		if (!l->events[i]->is_dummy || !l->events[i]->is_tracking)
			limit_to_cpus(l->events[i], &t->cpus);
	cpu_list_fini(&t->cpus);
	t->cpus = online;
}

void target_place_text(const struct rec_target *t, s32 pid, s32 cpu, char *buf, size_t size)
{
	*buf = 0;
	if (pid <= 0) {
		if (cpu >= 0)
			snprintf(buf, size, " on CPU %d", (int)cpu);
		return;
	}
	snprintf(buf, size, " on thread %d", (int)pid);
	for (size_t i = 0; i < t->nr_threads; i++)
		if (t->threads[i].tid == pid && *t->threads[i].comm)
			snprintf(buf, size, " on thread %d (%s)", (int)pid, t->threads[i].comm);
}
