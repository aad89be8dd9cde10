/* SPDX-License-Identifier: MIT */
#include "record/open/open_advice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/advice/advice_error.h"
#include "record/events/event_modifiers.h"

/* The known facts about a failed perf_event_open. */
struct open_facts {
	const struct rec_event *ev;
	const struct rec_target *t;
	const struct rec_rights *r;
	s32 pid, cpu;
	int sys_errno;
	u64 fds_wanted;
	char on[64]; /* " on thread 12 (comm)" or " on CPU 3"; "" for any CPU */
};

#define SPARE_FILES 1000 /* that others may open meanwhile */

/* Sets the text of ret and keeps its code and errno. */
static void set_text(struct perr *ret, const char *fmt, ...) PRINTF_LIKE(2, 3);

static void set_text(struct perr *ret, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(ret->text, sizeof(ret->text), fmt, ap);
	va_end(ap);
}

/* Returns true if this process is exempt from perf_event_paranoid. */
static bool is_capable(const struct rec_rights *r)
{
	return r->cap_perfmon || r->cap_sys_admin;
}

/* Appends how prec gets rights for good: setcap needs the file's path. */
static void add_setcap(struct perr *ret, enum advice_id id)
{
	char path[300];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n > 0)
		path[n] = 0;
	perr_add_advice_of(ret, id, "prec", n > 0 ? path : NULL);
}

/* Returns a phrase with the value of perf_event_paranoid, in buf. */
static const char *paranoid_text(const struct rec_rights *r, char *buf, size_t size)
{
	if (r->paranoid == -100)
		snprintf(buf, size, "kernel.perf_event_paranoid cannot be read");
	else
		snprintf(buf, size, "kernel.perf_event_paranoid is %lld", (long long)r->paranoid);
	return buf;
}

/* Says that `what` needs the value `needed` of perf_event_paranoid, or a capability. */
static void say_paranoid(const struct open_facts *a, const char *what, int needed, struct perr *ret)
{
	char value[64];

	set_text(ret,
		 "%.100s: not permitted: %s\n"
		 "  %s and this process has no CAP_PERFMON; %d is needed:",
		 a->ev->name, what, paranoid_text(a->r, value, sizeof(value)), needed);
	perr_add_advice_number(ret, ADVICE_PARANOID, "value", needed);
	add_setcap(ret, ADVICE_SETCAP);
}

/*
 * Explains EACCES, EPERM and ENOSYS if the process has the rights but its surroundings (a
 * container, seccomp, a security module) deny the call. Returns false if that is not the cause.
 */
static bool say_confined(const struct open_facts *a, struct perr *ret)
{
	const struct rec_rights *r = a->r;
	const char *error = a->sys_errno == ENOSYS  ? "Function not implemented"
			    : a->sys_errno == EPERM ? "Operation not permitted"
						    : "Permission denied";

	if (r->seccomp == 2 && (a->sys_errno == ENOSYS || (a->sys_errno == EPERM))) {
		set_text(ret,
			 "%.100s: a seccomp filter denies perf_event_open (%s)%s\n"
			 "  Seccomp is 2 in /proc/self/status; a profile that has "
			 "perf_event_open is "
			 "enough",
			 a->ev->name, error,
			 r->in_container ? ", as container engines set it up" : "");
		perr_add_advice(ret, ADVICE_SECCOMP, NULL);
		return true;
	}
	if (a->sys_errno == ENOSYS || !(is_capable(r) || r->is_root))
		return false;
	if (r->in_container || !is_capable(r)) {
		set_text(ret,
			 "%.100s: %s%s: %s\n"
			 "  %s, and recording needs CAP_PERFMON on the host",
			 a->ev->name, error, a->on,
			 is_capable(r) ? "capabilities of a user namespace are not enough"
				       : "this is root without CAP_PERFMON",
			 r->paranoid == -100
				 ? "recording is restricted here"
				 : "kernel.perf_event_paranoid restricts recording here");
		perr_add_advice(ret, ADVICE_CONTAINER, NULL);
		perr_add_advice_number(ret, ADVICE_PARANOID_HOST, "value", a->pid < 0 ? 0 : 1);
		return true;
	}
	set_text(ret,
		 "%.100s: %s%s, although this process has CAP_PERFMON\n"
		 "  a security module (SELinux, AppArmor, lockdown) denies it:",
		 a->ev->name, error, a->on);
	perr_add_advice(ret, ADVICE_DENIED_LOG, NULL);
	return true;
}

/*
 * The value of perf_event_paranoid that permits the event, and why the present one does not. 3:
 * other values would not help.
 */
static int paranoid_needed(const struct open_facts *a, const char **ret_what)
{
	const struct rec_event *ev = a->ev;
	s64 now = a->r->paranoid == -100 ? INT64_MAX : a->r->paranoid;
	bool kernel = !pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_KERNEL);

	if (ev->attr.type == PD_TYPE_TRACEPOINT && now > -1) {
		*ret_what = "tracepoints show the kernel's data";
		return -1;
	}
	if (a->pid < 0 && now > 0) {
		*ret_what = "recording whole CPUs (-a, -C) shows other users' processes";
		return 0;
	}
	if (kernel && now > 1 && pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_USER)) {
		*ret_what = "the event counts in the kernel only";
		return 1;
	}
	if (ev->attr.sample_type & PD_SAMPLE_PHYS_ADDR && now > 1) {
		*ret_what = "--phys-data shows physical addresses";
		return 1;
	}
	/* values above 2 come from patches of Debian, Ubuntu and Android, and permit nothing */
	if (now >= 3 && now != INT64_MAX) {
		*ret_what = "this system denies recording to unprivileged processes";
		return 1;
	}
	return 3;
}

static void say_uprobe_denied(const struct open_facts *a, struct perr *ret)
{
	set_text(ret,
		 "%.100s: not permitted: uprobes change programs' code, which needs CAP_SYS_ADMIN\n"
		 "  whatever kernel.perf_event_paranoid is (%lld now); Linux 5.8 to 6.15 accept "
		 "CAP_PERFMON",
		 a->ev->name, (long long)a->r->paranoid);
	add_setcap(ret, ADVICE_SETCAP_ADMIN);
}

static void say_denied(const struct open_facts *a, struct perr *ret)
{
	const struct rec_event *ev = a->ev;
	const char *what = NULL;
	char value[64];
	int needed;

	if (ev->uprobe_path && !a->r->cap_sys_admin && a->r->seccomp != 2) {
		say_uprobe_denied(a, ret);
		return;
	}
	if (say_confined(a, ret))
		return;
	needed = paranoid_needed(a, &what);
	paranoid_text(a->r, value, sizeof(value));
	if (needed < 3) {
		say_paranoid(a, what, needed, ret);
		return;
	}
	if (pd_attr_has(&ev->attr, PD_ATTR_NAMESPACES))
		set_text(ret, "%.100s: not permitted: --namespaces needs CAP_PERFMON: leave it out",
			 ev->name);
	else if (a->pid > 0 && a->t->kind != REC_TARGET_WORKLOAD)
		set_text(ret,
			 "%.100s: not permitted%s: the process is another user's, or not dumpable "
			 "(setuid, capabilities)\n"
			 "  %s and this process has no CAP_PERFMON or CAP_SYS_PTRACE",
			 ev->name, a->on, value);
	else
		set_text(ret, "%.100s: not permitted%s: %s, no CAP_PERFMON", ev->name, a->on,
			 value);
	add_setcap(ret, ADVICE_SETCAP);
}

static void say_no_such_event(const struct open_facts *a, struct perr *ret)
{
	const struct rec_event *ev = a->ev;
	u32 type = ev->attr.type;
	bool no_counters = !a->r->has_hw_pmu && (type == PD_TYPE_HARDWARE ||
						 type == PD_TYPE_HW_CACHE || type == PD_TYPE_RAW);

	if (no_counters)
		set_text(
			ret,
			"%.120s: this machine offers no hardware counters (no CPU PMU in "
			"/sys/bus/event_source/devices):\n"
			"  a virtual machine without a PMU has none; the hypervisor may pass it on "
			"(qemu: -cpu host,pmu=on)",
			ev->name);
	else if (type == PD_TYPE_TRACEPOINT)
		set_text(ret,
			 "%.120s: the kernel no longer has a tracepoint with id %llu (its "
			 "module or probe "
			 "was removed)",
			 ev->name, (unsigned long long)ev->attr.config);
	else if (ev->uprobe_path)
		set_text(ret,
			 "%.100s: the kernel does not find the file %.160s (another mount "
			 "namespace?)\n"
			 "  use the path that the file has in the namespace of prec",
			 ev->name, ev->uprobe_path);
	else
		set_text(ret, "%.120s: this event is not supported here (%s)", ev->name,
			 strerrordesc_np(a->sys_errno));
	if (no_counters)
		perr_add_advice(ret, ADVICE_CPU_CLOCK, NULL);
	else if (!ev->uprobe_path)
		perr_add_advice(ret, ADVICE_LIST_EVENTS, NULL);
}

static void advise_precision(const struct open_facts *a, struct perr *ret)
{
	char *event = event_name_most_precise(a->ev->name);

	perr_add_advice_of(ret, ADVICE_HIGHEST_PRECISION, "event", event);
	free(event);
}

static void say_unsupported(const struct open_facts *a, struct perr *ret)
{
	const struct pd_attr *at = &a->ev->attr;

	if (at->sample_type & PD_SAMPLE_BRANCH_STACK)
		set_text(ret,
			 "%.100s: branch stacks (-b, -j, --call-graph lbr) cannot be "
			 "recorded with this "
			 "event%s\n"
			 "  branch stacks need a hardware event and a CPU with branch records "
			 "(LBR, BRS)%s",
			 a->ev->name, a->on,
			 a->r->has_hw_pmu ? ""
					  : "; this machine has no CPU PMU (a virtual machine?)");
	else if (pd_attr_precise(at))
		set_text(ret, "%.100s: this precision is not supported (precise_ip %u)",
			 a->ev->name, pd_attr_precise(at));
	else if (at->flags & (1ull << PD_ATTR_AUX_OUTPUT))
		set_text(ret, "%.100s: this PMU cannot write to an AUX area", a->ev->name);
	else
		set_text(ret,
			 "%.100s: the PMU cannot sample this event (no overflow interrupt, "
			 "or an option it lacks)%s; perf stat may count it",
			 a->ev->name, a->on);
	if (at->sample_type & PD_SAMPLE_BRANCH_STACK)
		perr_add_advice(
			ret, a->r->has_hw_pmu ? ADVICE_BRANCH_EVENT : ADVICE_CALLGRAPH_DWARF, NULL);
	else if (pd_attr_precise(at))
		advise_precision(a, ret);
	else if (!(at->flags & (1ull << PD_ATTR_AUX_OUTPUT)))
		perr_add_advice(ret, ADVICE_CPU_CLOCK, NULL);
}

/* EINVAL because of where the event is recorded, or what it is recorded with. */
static void say_misplaced(const struct open_facts *a, struct perr *ret)
{
	const struct rec_event *ev = a->ev;

	if (ev->cgroup && !a->t->cpus.nr) {
		set_text(ret, "%.100s: cgroups can only be recorded on CPUs", ev->name);
		perr_add_advice(ret, ADVICE_ALL_CPUS, NULL);
	} else if (a->pid > 0 && ev->pmu_cpus) {
		set_text(ret,
			 "%.100s: this PMU counts for whole CPUs or sockets, not for a process",
			 ev->name);
		perr_add_advice(ret, ADVICE_ALL_CPUS, NULL);
	} else if (ev->in_group && ev->leader_idx != ev->idx) {
		set_text(ret,
			 "%.100s: the PMU cannot count this event in one group with the events "
			 "before it",
			 ev->name);
		perr_add_advice(ret, ADVICE_WEAK_GROUP, NULL);
	} else {
		set_text(ret,
			 "%.100s: the kernel rejects the event or its options as invalid%s\n"
			 "  sudo dmesg | tail may show the reason, and the attributes are shown by",
			 ev->name, a->on);
		perr_add_advice(ret, ADVICE_SHOW_ATTRS, NULL);
	}
}

static void say_invalid(const struct open_facts *a, struct perr *ret)
{
	const struct rec_event *ev = a->ev;
	const struct pd_attr *at = &ev->attr;

	if (pd_attr_has(at, PD_ATTR_FREQ) && a->r->max_sample_rate > 0 &&
	    at->sample_period_or_freq > (u64)a->r->max_sample_rate) {
		set_text(ret,
			 "%.100s: -F %llu is more than kernel.perf_event_max_sample_rate, which is "
			 "%lld now; -F max is the limit",
			 ev->name, (unsigned long long)at->sample_period_or_freq,
			 (long long)a->r->max_sample_rate);
		perr_add_advice_number(ret, ADVICE_SAMPLE_RATE, "rate",
				       (s64)at->sample_period_or_freq);
	} else if (pd_attr_has(at, PD_ATTR_USE_CLOCKID)) {
		set_text(ret,
			 "%.100s: the kernel does not support clock %d (-k) for this event\n"
			 "  hardware events support only mono and mono_raw; software events and "
			 "tracepoints also real, boot, tai",
			 ev->name, (int)at->clockid);
	} else if (at->type == PD_TYPE_BREAKPOINT) {
		set_text(ret,
			 "%.100s: the CPU cannot watch address %#llx with length %llu%s\n"
			 "  the length must be 1, 2, 4 or 8 and the address a multiple of it; "
			 "x86 cannot "
			 "watch reads alone (r): use rw",
			 ev->name, (unsigned long long)at->config1, (unsigned long long)at->config2,
			 a->on);
	} else {
		say_misplaced(a, ret);
	}
}

static void say_busy(const struct open_facts *a, struct perr *ret)
{
	u64 exclusive = 1ull << PD_ATTR_EXCLUSIVE | 1ull << PD_ATTR_PINNED;

	if (a->ev->attr.flags & exclusive)
		set_text(ret,
			 "%.100s: the counters are in use%s, and the event needs them exclusively "
			 "(modifier e or D)\n  stop the other perf, or leave the modifier out",
			 a->ev->name, a->on);
	else
		set_text(ret,
			 "%.100s: the PMU is in use%s by another tool or by the NMI watchdog\n"
			 "  stop that tool, or:",
			 a->ev->name, a->on);
	if (!(a->ev->attr.flags & exclusive))
		perr_add_advice(ret, ADVICE_NMI_WATCHDOG, NULL);
}

static void say_too_many_fds(const struct open_facts *a, struct perr *ret)
{
	const struct rec_rights *r = a->r;

	if (a->sys_errno == ENFILE) {
		set_text(ret,
			 "the whole system has too many open files (this recording needs %llu; "
			 "sysctl fs.file-nr shows them)",
			 (unsigned long long)a->fds_wanted);
		perr_add_advice_number(ret, ADVICE_FILE_MAX, "files",
				       r->file_max + (s64)a->fds_wanted + SPARE_FILES);
		return;
	}
	set_text(ret,
		 "too many open files: this recording needs %llu (events x CPUs x threads), the "
		 "limit is %llu (hard %llu%s)\n"
		 "  record fewer events or threads, or use --per-thread or -C, or:",
		 (unsigned long long)a->fds_wanted, (unsigned long long)r->nofile_soft,
		 (unsigned long long)r->nofile_hard,
		 a->fds_wanted > r->nofile_hard ? ", which only root raises" : "");
	perr_add_advice_number(ret, ADVICE_OPEN_FILES, "files", (s64)a->fds_wanted);
}

static void say_gone(const struct open_facts *a, struct perr *ret)
{
	if (a->t->nr_threads > 1)
		set_text(ret, "all %zu threads ended before they could be recorded",
			 a->t->nr_threads);
	else
		set_text(ret, "thread %d ended before it could be recorded", (int)a->pid);
}

static void say_none_left(const struct open_facts *a, struct perr *ret)
{
	if (a->ev->attr.type == PD_TYPE_BREAKPOINT)
		set_text(ret,
			 "%.100s: no breakpoint register is free%s: CPUs have few (4 on x86), and "
			 "each event needs one\n"
			 "  watch fewer addresses, or stop the debugger that uses them",
			 a->ev->name, a->on);
	else
		set_text(ret, "%.100s: the PMU has no free counter%s\n  use fewer events",
			 a->ev->name, a->on);
}

static void say_attr_too_new(const struct open_facts *a, struct perr *ret)
{
	set_text(ret,
		 "%.100s: an option needs a field that this kernel's perf_event_attr does not "
		 "have\n  omit the newest options, or use a newer kernel",
		 a->ev->name);
}

static void say_chain_too_long(const struct open_facts *a, struct perr *ret)
{
	set_text(ret,
		 "%.100s: call chains are limited to kernel.perf_event_max_stack, which is %lld "
		 "now%s\n  use a smaller max-stack, or",
		 a->ev->name, (long long)a->r->max_stack, a->on);
	perr_add_advice_number(ret, ADVICE_CHAIN_LENGTH, "frames", a->ev->attr.sample_max_stack);
}

static void say_no_such_call(const struct open_facts *a, struct perr *ret)
{
	if (!say_confined(a, ret))
		set_text(ret,
			 "%.100s: this kernel has no perf_event_open (CONFIG_PERF_EVENTS is not "
			 "set, or a sandbox such as gVisor hides it)",
			 a->ev->name);
}

static void say_no_memory(const struct open_facts *a, struct perr *ret)
{
	set_text(ret,
		 "%.100s: the kernel is out of memory for the event%s\n"
		 "  use fewer events, or a smaller kernel.perf_event_max_stack (now %lld)",
		 a->ev->name, a->on, (long long)a->r->max_stack);
}

static void say_unexpected(const struct open_facts *a, struct perr *ret)
{
	const char *text = strerrordesc_np(a->sys_errno);

	set_text(ret, "%.100s: perf_event_open failed%s: %s", a->ev->name, a->on,
		 text ? text : "unknown error");
}

static const struct {
	int sys_errno;
	void (*say)(const struct open_facts *a, struct perr *ret);
} causes[] = {
	{ EACCES, say_denied },
	{ EPERM, say_denied },
	{ ENOENT, say_no_such_event },
	{ ENODEV, say_no_such_event },
	{ ENXIO, say_no_such_event },
	{ EOPNOTSUPP, say_unsupported },
	{ EINVAL, say_invalid },
	{ EBADF, say_invalid },
	{ EBUSY, say_busy },
	{ EMFILE, say_too_many_fds },
	{ ENFILE, say_too_many_fds },
	{ ESRCH, say_gone },
	{ ENOSPC, say_none_left },
	{ E2BIG, say_attr_too_new },
	{ EOVERFLOW, say_chain_too_long },
	{ ENOSYS, say_no_such_call },
	{ ENOMEM, say_no_memory },
};

void advice_open(const struct open_attempt *a, int sys_errno, const struct rec_rights *r,
		 struct perr *ret)
{
	struct open_facts f = { .ev = a->ev,
				.t = a->t,
				.r = r,
				.pid = a->pid,
				.cpu = a->cpu,
				.sys_errno = sys_errno,
				.fds_wanted = a->fds_wanted };

	if (!ret)
		return;
	perr_set(ret, PERR_KERNEL, "%s", "");
	ret->sys_errno = sys_errno;
	target_place_text(f.t, f.ev->cgroup ? 0 : f.pid, f.cpu, f.on, sizeof(f.on));
	for (size_t i = 0; i < ARRAY_SIZE(causes); i++) {
		if (causes[i].sys_errno == sys_errno) {
			causes[i].say(&f, ret);
			return;
		}
	}
	say_unexpected(&f, ret);
}
