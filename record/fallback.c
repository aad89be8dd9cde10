/* SPDX-License-Identifier: MIT */
#include "record/fallback.h"

#include <errno.h>

#include "base/mem.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define BRANCH_NO_FLAGS (1ull << 14)
#define BRANCH_NO_CYCLES (1ull << 15)

/* Parts of the attr that kernels came to know one by one: newest first, the order of attempts. */
enum feature {
	FEAT_DEFER,
	FEAT_INHERIT_READ,
	FEAT_READ_LOST,
	FEAT_BUILD_ID,
	FEAT_WEIGHT_STRUCT,
	FEAT_CODE_PAGE_SIZE,
	FEAT_DATA_PAGE_SIZE,
	FEAT_CGROUP,
	FEAT_BRANCH_HW_IDX,
	FEAT_AUX_OUTPUT,
	FEAT_BPF,
	FEAT_KSYMBOL,
	FEAT_WRITE_BACKWARD,
	FEAT_CLOCKID,
	FEAT_CLOEXEC,
	FEAT_MMAP2,
	FEAT_EXCLUDE_GUEST,
	FEAT_SAMPLE_ID_ALL,
	FEAT_BRANCH_FLAGS,
	FEAT_GROUP_READ,
	NR_FEATURES,
};

static const struct feature_text {
	const char *what;
	const char *since;
	bool needed;    /* not what was asked for without it */
	bool per_event; /* a matter of the PMU: the event's own */
} texts[NR_FEATURES] = {
	[FEAT_DEFER] = { "deferred user stacks", "6.19", false, false },
	[FEAT_INHERIT_READ] = { "group reads of inherited events (new threads are not followed)",
				"6.13", false, false },
	[FEAT_READ_LOST] = { "lost samples by event", "6.0", false, false },
	[FEAT_BUILD_ID] = { "build-ids in mmap records", "5.12", false, false },
	[FEAT_WEIGHT_STRUCT] = { "weights in parts", "5.12", false, false },
	[FEAT_CODE_PAGE_SIZE] = { "code page sizes", "5.11", false, false },
	[FEAT_DATA_PAGE_SIZE] = { "data page sizes", "5.11", false, false },
	[FEAT_CGROUP] = { "cgroups of samples", "5.7", false, false },
	[FEAT_BRANCH_HW_IDX] = { "the branch stack's hardware index", "5.7", false, false },
	[FEAT_AUX_OUTPUT] = { "aux-output", "5.4", true, false },
	[FEAT_BPF] = { "records of BPF programs", "5.1", false, false },
	[FEAT_KSYMBOL] = { "records of kernel symbols", "5.1", false, false },
	[FEAT_WRITE_BACKWARD] = { "rings that are overwritten (--overwrite)", "4.7", true, false },
	[FEAT_CLOCKID] = { "the clock of -k for this event", "4.1", true, false },
	[FEAT_CLOEXEC] = { "descriptors that close on exec", "3.14", false, false },
	[FEAT_MMAP2] = { "mmap2 records", "3.16", false, false },
	[FEAT_EXCLUDE_GUEST] = { "telling guests from the host", "3.2", false, true },
	[FEAT_SAMPLE_ID_ALL] = { "ids in records that are no samples", "2.6.38", false, false },
	[FEAT_BRANCH_FLAGS] = { "branch stacks without flags", "4.4", false, true },
	[FEAT_GROUP_READ] = { "group reads of inherited events", "6.13", false, false },
};

/* Clears a feature in a; false when a does not use it. keep: looks only. */
static bool drop(enum feature feat, struct pd_attr *a, bool keep)
{
	struct pd_attr b = *a;
	bool inherit = pd_attr_has(a, PD_ATTR_INHERIT);
	bool used;

	switch (feat) {
	case FEAT_DEFER: b.flags &= ~(FLAG(DEFER_CALLCHAIN) | FLAG(DEFER_OUTPUT)); break;
	case FEAT_INHERIT_READ:
		if (inherit && a->sample_type & PD_SAMPLE_READ)
			b.flags &= ~FLAG(INHERIT);
		break;
	case FEAT_BUILD_ID: b.flags &= ~FLAG(BUILD_ID); break;
	case FEAT_READ_LOST: b.read_format &= ~PD_FORMAT_LOST; break;
	case FEAT_WEIGHT_STRUCT:
		if (a->sample_type & PD_SAMPLE_WEIGHT_STRUCT)
			b.sample_type =
				(a->sample_type & ~PD_SAMPLE_WEIGHT_STRUCT) | PD_SAMPLE_WEIGHT;
		break;
	case FEAT_CODE_PAGE_SIZE: b.sample_type &= ~PD_SAMPLE_CODE_PAGE_SIZE; break;
	case FEAT_DATA_PAGE_SIZE: b.sample_type &= ~PD_SAMPLE_DATA_PAGE_SIZE; break;
	case FEAT_CGROUP:
		b.flags &= ~FLAG(CGROUP);
		b.sample_type &= ~PD_SAMPLE_CGROUP;
		break;
	case FEAT_BRANCH_HW_IDX: b.branch_sample_type &= ~PD_BRANCH_HW_INDEX; break;
	case FEAT_AUX_OUTPUT: b.flags &= ~FLAG(AUX_OUTPUT); break;
	case FEAT_BPF: b.flags &= ~FLAG(BPF_EVENT); break;
	case FEAT_KSYMBOL: b.flags &= ~FLAG(KSYMBOL); break;
	case FEAT_WRITE_BACKWARD: b.flags &= ~FLAG(WRITE_BACKWARD); break;
	case FEAT_CLOCKID:
		b.flags &= ~FLAG(USE_CLOCKID);
		if (pd_attr_has(a, PD_ATTR_USE_CLOCKID))
			b.clockid = 0;
		break;
	case FEAT_CLOEXEC: /* no part of the attr: every event uses it */ return true;
	case FEAT_MMAP2: b.flags &= ~FLAG(MMAP2); break;
	case FEAT_EXCLUDE_GUEST: b.flags &= ~(FLAG(EXCLUDE_GUEST) | FLAG(EXCLUDE_HOST)); break;
	case FEAT_SAMPLE_ID_ALL: b.flags &= ~FLAG(SAMPLE_ID_ALL); break;
	case FEAT_BRANCH_FLAGS:
		b.branch_sample_type &= ~(BRANCH_NO_FLAGS | BRANCH_NO_CYCLES);
		break;
	case FEAT_GROUP_READ:
		if (inherit)
			b.read_format &= ~PD_FORMAT_GROUP;
		break;
	case NR_FEATURES: BUG();
	}
	used = b.flags != a->flags || b.sample_type != a->sample_type ||
	       b.read_format != a->read_format || b.branch_sample_type != a->branch_sample_type;
	if (!keep)
		*a = b;
	return used;
}

void event_fallback_fini(struct event_fallback *f)
{
	free(f->asked_name);
	*f = (struct event_fallback){ 0 };
}

void fallback_apply(const struct fallback_kernel *k, struct rec_event *ev)
{
	for (u32 i = 0; i < NR_FEATURES; i++)
		if (k->missing >> i & 1)
			drop(i, &ev->attr, false);
}

bool fallback_cloexec(const struct event_fallback *f, const struct fallback_kernel *k)
{
	return !((f->dropped | k->missing) >> FEAT_CLOEXEC & 1);
}

/* Errors that another precise_ip cannot cure. */
static bool precise_may_help(int sys_errno)
{
	return sys_errno == EINVAL || sys_errno == EOPNOTSUPP || sys_errno == ENOENT ||
	       sys_errno == ENODEV || sys_errno == ENXIO || sys_errno == EIO;
}

static bool try_less_precise(struct event_fallback *f, struct rec_event *ev, int sys_errno)
{
	unsigned int precise = pd_attr_precise(&ev->attr);
	u64 mask = 3ull << PD_ATTR_PRECISE_IP;

	if (!ev->precise_max || !precise_may_help(sys_errno))
		return false;
	if (precise) {
		ev->attr.flags = (ev->attr.flags & ~mask) | (u64)(precise - 1)
								    << PD_ATTR_PRECISE_IP;
		return true;
	}
	/* not the reason, or not the only one: other changes are tried with what was asked for */
	ev->attr.flags |= f->asked.flags & mask;
	return false;
}

/* "cpu-clock", and the levels that the event's name had. */
static void name_clock(struct rec_event *ev)
{
	char levels[4] = "";
	size_t n = 0;
	bool no_user = pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_USER);
	bool no_kernel = pd_attr_has(&ev->attr, PD_ATTR_EXCLUDE_KERNEL);
	char *name;

	if (no_kernel && !no_user)
		levels[n++] = 'u';
	if (no_user && !no_kernel)
		levels[n++] = 'k';
	levels[n] = 0;
	name = xasprintf("cpu-clock%s%s", n ? ":" : "", levels);
	rec_event_set_name(ev, name);
	free(name);
}

/*
 * Cycles without a hardware counter become the timer that every machine has. precise_ip stays as
 * it was, as in perf's files: the kernel does not look at it.
 */
static bool try_clock(struct event_fallback *f, struct rec_event *ev, int sys_errno)
{
	struct pd_attr *a = &ev->attr;
	bool branches = a->sample_type & PD_SAMPLE_BRANCH_STACK;

	if (f->clock_done || a->type != PD_TYPE_HARDWARE || (u32)a->config != 0)
		return false;
	if (sys_errno != ENOENT && sys_errno != ENODEV && sys_errno != ENXIO &&
	    (sys_errno != EOPNOTSUPP || branches))
		return false;
	f->clock_done = true;
	a->type = PD_TYPE_SOFTWARE;
	a->config = 0;
	name_clock(ev);
	return true;
}

static void add_modifier(struct rec_event *ev, char mod)
{
	bool has_place = strchr(ev->name, ':') || strchr(ev->name, '/');
	char *name = xasprintf("%s%s%c", ev->name, has_place ? "" : ":", mod);

	rec_event_set_name(ev, name);
	free(name);
}

/* Tracepoints fire in the kernel: without it there would be nothing to see. */
static bool try_user_only(struct event_fallback *f, struct rec_event *ev, int sys_errno,
			  const struct rec_rights *r)
{
	struct pd_attr *a = &ev->attr;

	if (f->user_done || sys_errno != EACCES || a->type == PD_TYPE_TRACEPOINT ||
	    pd_attr_has(a, PD_ATTR_EXCLUDE_KERNEL) || pd_attr_has(a, PD_ATTR_EXCLUDE_USER) ||
	    (r->paranoid <= 1 && r->paranoid != -100))
		return false;
	f->user_done = true;
	a->flags |= FLAG(EXCLUDE_KERNEL) | FLAG(EXCLUDE_HV);
	f->paranoid = r->paranoid;
	if (!ev->is_dummy)
		add_modifier(ev, 'u');
	return true;
}

static bool try_no_guest(struct event_fallback *f, struct rec_event *ev, int sys_errno)
{
	struct pd_attr *a = &ev->attr;

	if (f->guest_done || sys_errno != EOPNOTSUPP || a->type == PD_TYPE_SOFTWARE ||
	    pd_attr_has(a, PD_ATTR_EXCLUDE_GUEST) || pd_attr_has(a, PD_ATTR_EXCLUDE_HOST))
		return false;
	f->guest_done = true;
	a->flags |= FLAG(EXCLUDE_GUEST);
	add_modifier(ev, 'H');
	return true;
}

static bool try_older_kernel(struct event_fallback *f, const struct fallback_kernel *k,
			     struct rec_event *ev, int sys_errno)
{
	if (sys_errno != EINVAL)
		return false;
	for (u32 i = 0; i < NR_FEATURES; i++) {
		if ((f->dropped | k->missing | k->proven) >> i & 1 || !drop(i, &ev->attr, false))
			continue;
		f->dropped |= 1u << i;
		return true;
	}
	return false;
}

bool fallback_next(struct event_fallback *f, const struct fallback_kernel *k, struct rec_event *ev,
		   int sys_errno, const struct rec_rights *r)
{
	if (!f->asked_name) {
		f->asked = ev->attr;
		f->asked_name = xstrdup(ev->name);
	}
	return try_less_precise(f, ev, sys_errno) || try_older_kernel(f, k, ev, sys_errno) ||
	       try_clock(f, ev, sys_errno) || try_user_only(f, ev, sys_errno, r) ||
	       try_no_guest(f, ev, sys_errno);
}

void fallback_undo(struct event_fallback *f, struct rec_event *ev)
{
	if (f->asked_name) {
		ev->attr = f->asked;
		rec_event_set_name(ev, f->asked_name);
	}
	event_fallback_fini(f);
}

int fallback_opened(struct event_fallback *f, struct fallback_kernel *k, struct rec_event *ev,
		    struct perr *e)
{
	for (u32 i = 0; i < NR_FEATURES; i++) {
		if (!(f->dropped >> i & 1)) {
			if (!texts[i].per_event && i != FEAT_CLOEXEC && drop(i, &ev->attr, true))
				k->proven |= 1u << i;
			continue;
		}
		if (texts[i].needed)
			return perr_set(e, PERR_KERNEL,
					"%s: this kernel does not offer %s (Linux %s)",
					f->asked_name, texts[i].what, texts[i].since);
		if (!texts[i].per_event)
			k->missing |= 1u << i;
	}
	if (!(k->missing >> FEAT_CLOEXEC & 1))
		k->proven |= 1u << FEAT_CLOEXEC;
	return 0;
}

bool fallback_is_clocks_fault(const struct event_fallback *f)
{
	return f->dropped >> FEAT_CLOCKID & 1;
}

/* "this kernel is too old for A, B: recorded without" */
static void tell_dropped(const struct event_fallback *f, struct diag *d)
{
	char list[400] = "";
	size_t n = 0;

	for (u32 i = 0; i < NR_FEATURES && n < sizeof(list); i++)
		if (f->dropped >> i & 1)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s (Linux %s)",
					      n ? ", " : "", texts[i].what, texts[i].since);
	diag_warn(d, "this kernel is too old for %s: recorded without", list);
}

void fallback_tell(const struct event_fallback *f, struct diag *d)
{
	if (f->clock_done)
		diag_warn(d, "no hardware counter for %.*s here: sampling cpu-clock instead",
			  (int)strcspn(f->asked_name, ":"), f->asked_name);
	if (f->user_done)
		diag_warn(d,
			  "only user space is recorded: kernel.perf_event_paranoid is %lld (for "
			  "the kernel's part: sudo sysctl kernel.perf_event_paranoid=1)",
			  (long long)f->paranoid);
	if (f->dropped)
		tell_dropped(f, d);
}
