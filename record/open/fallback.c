/* SPDX-License-Identifier: MIT */
#include "record/open/fallback.h"

#include <errno.h>

#include "base/advice/advice_error.h"
#include "base/mem.h"

#define FLAG(name) (1ull << PD_ATTR_##name)
#define BRANCH_NO_FLAGS (1ull << 14)
#define BRANCH_NO_CYCLES (1ull << 15)

/*
 * Parts of the attr that older kernels do not support, newest first, which is the order of
 * attempts.
 */
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

/* The bits of an attr that a feature consists of. */
struct attr_bits {
	u64 flags, sample_type, read_format, branch_sample_type;
};

/*
 * An attr uses a feature if it has all bits of `when` and any bit of `clears`. The feature is
 * dropped by clearing the bits of `clears` and setting `instead` in sample_type.
 */
static const struct feature_row {
	const char *what;
	const char *since;
	bool needed; /* an option requires it: recording without it is an error */
	/* support depends on the PMU, so that a failure concerns only this event */
	bool per_event;
	struct attr_bits clears, when;
	u64 instead;
} features[NR_FEATURES] = {
	[FEAT_DEFER] = { "deferred user stacks", "6.19",
			 .clears.flags = FLAG(DEFER_CALLCHAIN) | FLAG(DEFER_OUTPUT) },
	[FEAT_INHERIT_READ] = { "group reads of inherited events (new threads are not followed)",
				"6.13", .clears.flags = FLAG(INHERIT),
				.when = { .flags = FLAG(INHERIT), .sample_type = PD_SAMPLE_READ } },
	[FEAT_READ_LOST] = { "lost samples by event", "6.0", .clears.read_format = PD_FORMAT_LOST },
	[FEAT_BUILD_ID] = { "build-ids in mmap records", "5.12", .clears.flags = FLAG(BUILD_ID) },
	[FEAT_WEIGHT_STRUCT] = { "weights in parts", "5.12",
				 .clears.sample_type = PD_SAMPLE_WEIGHT_STRUCT,
				 .instead = PD_SAMPLE_WEIGHT },
	[FEAT_CODE_PAGE_SIZE] = { "code page sizes", "5.11",
				  .clears.sample_type = PD_SAMPLE_CODE_PAGE_SIZE },
	[FEAT_DATA_PAGE_SIZE] = { "data page sizes", "5.11",
				  .clears.sample_type = PD_SAMPLE_DATA_PAGE_SIZE },
	[FEAT_CGROUP] = { "cgroups of samples", "5.7",
			  .clears = { .flags = FLAG(CGROUP), .sample_type = PD_SAMPLE_CGROUP } },
	[FEAT_BRANCH_HW_IDX] = { "the branch stack's hardware index", "5.7",
				 .clears.branch_sample_type = PD_BRANCH_HW_INDEX },
	[FEAT_AUX_OUTPUT] = { "aux-output", "5.4", .needed = true,
			      .clears.flags = FLAG(AUX_OUTPUT) },
	[FEAT_BPF] = { "records of BPF programs", "5.1", .clears.flags = FLAG(BPF_EVENT) },
	[FEAT_KSYMBOL] = { "records of kernel symbols", "5.1", .clears.flags = FLAG(KSYMBOL) },
	[FEAT_WRITE_BACKWARD] = { "rings that are overwritten (--overwrite)", "4.7", .needed = true,
				  .clears.flags = FLAG(WRITE_BACKWARD) },
	[FEAT_CLOCKID] = { "the clock of -k for this event", "4.1", .needed = true,
			   .clears.flags = FLAG(USE_CLOCKID) },
	/* a flag of the system call, which every event uses, and not a part of the attr */
	[FEAT_CLOEXEC] = { "descriptors that close on exec", "3.14" },
	[FEAT_MMAP2] = { "mmap2 records", "3.16", .clears.flags = FLAG(MMAP2) },
	[FEAT_EXCLUDE_GUEST] = { "telling guests from the host", "3.2", .per_event = true,
				 .clears.flags = FLAG(EXCLUDE_GUEST) | FLAG(EXCLUDE_HOST) },
	[FEAT_SAMPLE_ID_ALL] = { "ids in records that are no samples", "2.6.38",
				 .clears.flags = FLAG(SAMPLE_ID_ALL) },
	[FEAT_BRANCH_FLAGS] = { "branch stacks without flags", "4.4", .per_event = true,
				.clears.branch_sample_type = BRANCH_NO_FLAGS | BRANCH_NO_CYCLES },
	[FEAT_GROUP_READ] = { "group reads of inherited events", "6.13",
			      .clears.read_format = PD_FORMAT_GROUP, .when.flags = FLAG(INHERIT) },
};

static bool attr_has_any(const struct pd_attr *a, const struct attr_bits *b)
{
	return a->flags & b->flags || a->sample_type & b->sample_type ||
	       a->read_format & b->read_format || a->branch_sample_type & b->branch_sample_type;
}

static bool attr_has_all(const struct pd_attr *a, const struct attr_bits *b)
{
	return !(b->flags & ~a->flags || b->sample_type & ~a->sample_type ||
		 b->read_format & ~a->read_format ||
		 b->branch_sample_type & ~a->branch_sample_type);
}

static bool feature_is_used(enum feature feat, const struct pd_attr *a)
{
	const struct feature_row *f = &features[feat];

	return feat == FEAT_CLOEXEC || (attr_has_all(a, &f->when) && attr_has_any(a, &f->clears));
}

/* Clears a feature in *a. Returns false if a does not use it. */
static bool feature_drop(enum feature feat, struct pd_attr *a)
{
	const struct feature_row *f = &features[feat];

	if (!feature_is_used(feat, a))
		return false;
	a->flags &= ~f->clears.flags;
	a->sample_type = (a->sample_type & ~f->clears.sample_type) | f->instead;
	a->read_format &= ~f->clears.read_format;
	a->branch_sample_type &= ~f->clears.branch_sample_type;
	if (f->clears.flags & FLAG(USE_CLOCKID))
		a->clockid = 0;
	return true;
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
			feature_drop(i, &ev->attr);
}

bool fallback_cloexec(const struct event_fallback *f, const struct fallback_kernel *k)
{
	return !((f->dropped | k->missing) >> FEAT_CLOEXEC & 1);
}

/* Returns true for errors that a lower precise_ip may avoid. */
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
	/* precise_ip is not the only reason: restore it before trying other changes */
	ev->attr.flags |= f->asked.flags & mask;
	return false;
}

/* Renames the event to "cpu-clock" with the levels of its old name. */
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
 * Replaces cycles by cpu-clock, a timer that every machine has, if there is no hardware counter.
 * precise_ip stays as it was, as in perf's files; the kernel ignores it here.
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

/* Restricts the event to user space. Not for tracepoints, which fire in the kernel only. */
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
		if ((f->dropped | k->missing | k->proven) >> i & 1 || !feature_drop(i, &ev->attr))
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
			if (!features[i].per_event && i != FEAT_CLOEXEC &&
			    feature_is_used(i, &ev->attr))
				k->proven |= 1u << i;
			continue;
		}
		if (features[i].needed)
			return perr_set(e, PERR_KERNEL,
					"%s: this kernel does not support %s (needs Linux %s)",
					f->asked_name, features[i].what, features[i].since);
		if (!features[i].per_event)
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

/* Warns that this kernel is too old for the dropped features. */
static void warn_dropped(const struct event_fallback *f, struct diag *d)
{
	char list[400] = "";
	size_t n = 0;

	for (u32 i = 0; i < NR_FEATURES && n < sizeof(list); i++)
		if (f->dropped >> i & 1)
			n += (size_t)snprintf(list + n, sizeof(list) - n, "%s%s (Linux %s)",
					      n ? ", " : "", features[i].what, features[i].since);
	diag_warn(d, "recording without features that this kernel is too old for: %s", list);
}

void fallback_warn(const struct event_fallback *f, bool expects_clock, struct diag *d)
{
	if (f->clock_done && !expects_clock)
		diag_warn(
			d,
			"no hardware counter for %.*s on this machine: sampling cpu-clock instead",
			(int)strcspn(f->asked_name, ":"), f->asked_name);
	if (f->user_done) {
		char *how = advice_text_number(ADVICE_PARANOID, "value", 1);

		diag_warn(
			d,
			"recording user space only: kernel.perf_event_paranoid is %lld (to record "
			"the kernel: %s)",
			(long long)f->paranoid, how);
		free(how);
	}
	if (f->dropped)
		warn_dropped(f, d);
}
