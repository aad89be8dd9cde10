/* SPDX-License-Identifier: MIT */
#include "record/open/event_config.h"

#include <stdlib.h>
#include <string.h>

#include "base/advice/advice_error.h"
#include "base/mem.h"
#include "fileformat/write/writer.h"
#include "record/open/event_callgraph.h"
#include "record/open/offcpu_config.h"
#include "record/events/event_regroup.h"

#define FREQ_DEFAULT 4000 /* samples per second; perf's default since 4.19 */
#define SW_DUMMY 9        /* PERF_COUNT_SW_DUMMY of enum perf_sw_ids in linux/perf_event.h */

#define FLAG(name) (1ull << PD_ATTR_##name)

/* The bit of sample_type for weights: x86 uses WEIGHT_STRUCT since Linux 5.12. */
#if defined(__x86_64__)
#define SAMPLE_WEIGHT PD_SAMPLE_WEIGHT_STRUCT
#else
#define SAMPLE_WEIGHT PD_SAMPLE_WEIGHT
#endif

struct config {
	struct rec_opts *o;
	const struct rec_target *t;
	u64 freq, period; /* one of them is not 0 */
	bool rate_given;  /* -F or -c: overrides the default period of tracepoints and the like */
	bool inherit;
	bool on_cpus; /* -a, -C */
	bool build_id;
	bool whole_system; /* an event is whole_system */
};

static void set_flag(struct pd_attr *a, enum pd_attr_flag f, bool on)
{
	a->flags = (a->flags & ~(1ull << f)) | (u64)on << f;
}

static bool is_dummy(const struct rec_event *ev)
{
	return ev->attr.type == PD_TYPE_SOFTWARE && ev->attr.config == SW_DUMMY;
}

static bool is_leader(const struct rec_event *ev)
{
	return ev->leader_idx == ev->idx;
}

/* --- rate ------------------------------------------------------------------------------------- */

static int config_rate(struct config *c, struct perr *e)
{
	static const char sysctl[] = "kernel.perf_event_max_sample_rate";
	struct rec_opts *o = c->o;
	s64 max = 0;
	char *how;
	bool known =
		!rec_host_number(o->host.procfs, "sys/kernel/perf_event_max_sample_rate", &max);

	c->rate_given = o->has_freq || o->has_period;
	if (o->has_period && o->has_freq)
		return perr_set(e, PERR_USAGE, "-F (rate) and -c (period) exclude each other");
	if (o->has_period) {
		c->period = o->period;
		return 0;
	}
	if (o->has_freq && o->freq_max) {
		if (!known)
			return perr_set(e, PERR_USAGE, "-F max: cannot read %s", sysctl);
		o->freq = (u64)max;
	}
	c->freq = o->has_freq ? o->freq : FREQ_DEFAULT;
	if (known && max > 0 && c->freq > (u64)max) {
		if (o->has_freq && o->strict_freq) {
			perr_set(e, PERR_USAGE,
				 "-F %llu: %s permits at most %lld samples per second",
				 (unsigned long long)c->freq, sysctl, (long long)max);
			perr_add_advice_number(e, ADVICE_SAMPLE_RATE, "rate", (s64)c->freq);
			return PERR_USAGE;
		}
		how = advice_text_number(ADVICE_SAMPLE_RATE, "rate", (s64)c->freq);
		diag_warn(
			o->diag,
			"rate lowered from %llu to %lld samples per second: the limit is %s (raise "
			"it: %s)",
			(unsigned long long)c->freq, (long long)max, sysctl, how);
		free(how);
		c->freq = (u64)max;
	}
	if (!c->freq)
		return perr_set(e, PERR_USAGE, "a rate of 0 takes no samples: use -F 1 or more");
	return 0;
}

static void set_rate(const struct config *c, struct rec_event *ev)
{
	struct pd_attr *a = &ev->attr;

	/* tracepoints, breakpoints and probes have a default period of 1 */
	if (!a->sample_period_or_freq || c->rate_given) {
		set_flag(a, PD_ATTR_FREQ, c->freq != 0);
		a->sample_period_or_freq = c->freq ? c->freq : c->period;
	}
	if (pd_attr_has(a, PD_ATTR_FREQ))
		a->sample_type |= PD_SAMPLE_PERIOD;
	if (c->o->no_samples)
		a->sample_period_or_freq = 0;
}

/* --- parts of one attr ------------------------------------------------------------------------ */

/*
 * Sets sample_type from the options that name a field of samples, and the attr fields that belong
 * to it.
 */
static void set_samples(const struct config *c, struct rec_event *ev)
{
	const struct rec_opts *o = c->o;
	struct pd_attr *a = &ev->attr;
	bool data = o->sample_address || o->callgraph == REC_CG_DWARF;

	if (data)
		a->sample_type |= PD_SAMPLE_ADDR | PD_SAMPLE_DATA_SRC;
	if (o->sample_mem_info)
		a->sample_type |= PD_SAMPLE_DATA_SRC;
	if (o->intr_regs && !is_dummy(ev)) {
		a->sample_type |= PD_SAMPLE_REGS_INTR;
		a->sample_regs_intr = o->intr_regs;
	}
	if (o->user_regs && !is_dummy(ev)) {
		a->sample_type |= PD_SAMPLE_REGS_USER;
		a->sample_regs_user |= o->user_regs;
	}
	if (c->on_cpus || o->sample_cpu)
		a->sample_type |= PD_SAMPLE_CPU;
	/*
	 * with --per-thread, time is only needed if it was requested: each ring's samples are in
	 * order
	 */
	if (!o->sample_time_off && (!c->t->any_cpu || o->sample_time))
		a->sample_type |= PD_SAMPLE_TIME;
	if (o->raw_samples)
		a->sample_type |= PD_SAMPLE_TIME | PD_SAMPLE_RAW | PD_SAMPLE_CPU;
	if (o->sample_phys_data)
		a->sample_type |= PD_SAMPLE_PHYS_ADDR;
	if (o->sample_weight)
		a->sample_type |= SAMPLE_WEIGHT;
	if (o->all_cgroups)
		a->sample_type |= PD_SAMPLE_CGROUP;
	if (o->data_page_size)
		a->sample_type |= PD_SAMPLE_DATA_PAGE_SIZE;
	if (o->code_page_size)
		a->sample_type |= PD_SAMPLE_CODE_PAGE_SIZE;
	if (o->sample_transaction)
		a->sample_type |= PD_SAMPLE_TRANSACTION;
	if (o->branch_sample_type) {
		a->sample_type |= PD_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = o->branch_sample_type;
	}
}

/* Enables the side-band records: mmap, comm, fork, exit, and those that options add. */
static void set_tracking(const struct config *c, struct pd_attr *a)
{
	const struct rec_opts *o = c->o;
	bool data = o->sample_address || o->callgraph == REC_CG_DWARF;

	a->flags |= FLAG(TASK) | FLAG(MMAP) | FLAG(MMAP2) | FLAG(COMM) | FLAG(COMM_EXEC) |
		    FLAG(KSYMBOL);
	set_flag(a, PD_ATTR_MMAP_DATA, o->data_mmap == REC_UNSET ? data : o->data_mmap == REC_ON);
	set_flag(a, PD_ATTR_BPF_EVENT, o->bpf_event != REC_OFF);
	set_flag(a, PD_ATTR_NAMESPACES, o->namespaces);
	set_flag(a, PD_ATTR_CGROUP, o->all_cgroups);
	set_flag(a, PD_ATTR_CONTEXT_SWITCH, o->switch_events);
	set_flag(a, PD_ATTR_BUILD_ID, c->build_id);
}

/* Sets when the event starts to count. */
static void set_start(const struct config *c, struct rec_event *ev)
{
	bool exec = c->t->kind == REC_TARGET_WORKLOAD && is_leader(ev) && !c->o->has_delay &&
		    !ev->whole_system; /* the exec of a thread does not start it */

	if (is_leader(ev))
		ev->attr.flags |= FLAG(DISABLED);
	if (exec)
		ev->attr.flags |= FLAG(ENABLE_ON_EXEC);
	if (!ev->is_tracking || !is_dummy(ev))
		return;
	/* Start the side-band before the samples: maps made in between are needed later. */
	if (c->on_cpus || (c->t->kind != REC_TARGET_WORKLOAD && !c->o->has_delay))
		ev->attr.flags &= ~(FLAG(DISABLED) | FLAG(ENABLE_ON_EXEC));
	else if (c->o->has_delay)
		ev->attr.flags |= FLAG(ENABLE_ON_EXEC);
}

static void apply_graph_terms(const struct config *c, struct rec_event *ev)
{
	const struct rec_terms *t = &ev->terms;
	struct event_callgraph g = { .stack_size = t->stack_size };

	if (t->callgraph == REC_CG_UNSET && !t->stack_size && !t->has_max_stack)
		return;
	if (t->callgraph != REC_CG_UNSET)
		g.mode = (enum rec_callgraph)t->callgraph;
	else if (t->has_max_stack)
		g.mode = REC_CG_FP;
	else
		/* stack-size alone keeps the mode of the command line */
		g.mode = c->o->callgraph;
	if (t->has_max_stack)
		g.max_stack = t->max_stack;
	if (c->o->callgraph != REC_CG_NONE)
		event_callgraph_reset(c->o, ev);
	if (g.mode == REC_CG_NONE)
		return;
	event_callgraph_set(c->o, ev, &g);
	if (g.mode != REC_CG_DWARF)
		return;
	ev->attr.sample_type |= PD_SAMPLE_ADDR | PD_SAMPLE_DATA_SRC;
	if (c->o->data_mmap != REC_OFF)
		set_flag(&ev->attr, PD_ATTR_MMAP_DATA, ev->is_tracking);
}

/* Applies the event's own terms, which override the options. */
static void apply_terms(const struct config *c, struct rec_event *ev)
{
	const struct rec_terms *t = &ev->terms;
	struct pd_attr *a = &ev->attr;

	if (t->has_period) {
		a->sample_period_or_freq = t->period;
		set_flag(a, PD_ATTR_FREQ, false);
		a->sample_type &= ~(u64)PD_SAMPLE_PERIOD;
	}
	if (t->has_freq) {
		a->sample_period_or_freq = t->freq;
		set_flag(a, PD_ATTR_FREQ, true);
		a->sample_type |= PD_SAMPLE_PERIOD;
	}
	if (t->time == REC_ON)
		a->sample_type |= PD_SAMPLE_TIME;
	else if (t->time == REC_OFF)
		a->sample_type &= ~(u64)PD_SAMPLE_TIME;
	if (t->overwrite != REC_UNSET)
		set_flag(a, PD_ATTR_WRITE_BACKWARD, t->overwrite == REC_ON);
	if (t->aux_output)
		a->flags |= FLAG(AUX_OUTPUT);
	if (t->aux_sample_size) {
		a->sample_type |= PD_SAMPLE_AUX;
		a->aux_sample_size = t->aux_sample_size;
	}
	apply_graph_terms(c, ev);
	if (t->has_branch && t->branch_sample_type) {
		a->sample_type |= PD_SAMPLE_BRANCH_STACK;
		a->branch_sample_type = t->branch_sample_type;
	} else if (t->has_branch) {
		a->sample_type &= ~(u64)PD_SAMPLE_BRANCH_STACK;
	}
}

/* Sets fields to 0 that no bit of sample_type enables, since they would only enlarge the attr. */
static void drop_unused_fields(struct pd_attr *a)
{
	if (!(a->sample_type & PD_SAMPLE_BRANCH_STACK))
		a->branch_sample_type = 0;
	if (!(a->sample_type & PD_SAMPLE_REGS_USER))
		a->sample_regs_user = 0;
	if (!(a->sample_type & PD_SAMPLE_STACK_USER))
		a->sample_stack_user = 0;
}

static bool wants_inherit(const struct config *c, const struct rec_event *ev,
			  const struct rec_event *leader)
{
	if (ev->terms.inherit != REC_UNSET)
		return ev->terms.inherit == REC_ON;
	/* the kernel cannot put counts of inherited groups into samples */
	return c->inherit && !(ev->sample_read && leader->nr_members > 1);
}

static void config_event(const struct config *c, struct rec_event *ev,
			 const struct rec_event *leader)
{
	const struct rec_opts *o = c->o;
	struct pd_attr *a = &ev->attr;

	a->flags |= FLAG(SAMPLE_ID_ALL);
	set_flag(a, PD_ATTR_INHERIT, wants_inherit(c, ev, leader));
	/* never overwrite side-band records: without them samples have no names */
	set_flag(a, PD_ATTR_WRITE_BACKWARD, o->overwrite && !ev->is_tracking);
	a->read_format |= PD_FORMAT_ID | PD_FORMAT_LOST;
	a->sample_type |= PD_SAMPLE_IP | PD_SAMPLE_TID;
	if (ev->tp_system)
		a->sample_type |= PD_SAMPLE_RAW | PD_SAMPLE_TIME | PD_SAMPLE_CPU | PD_SAMPLE_PERIOD;
	if (ev->sample_read) {
		a->sample_type |= PD_SAMPLE_READ | PD_SAMPLE_ID;
		if (leader->nr_members > 1)
			a->read_format |= PD_FORMAT_GROUP;
	}
	set_rate(c, ev);
	if (o->inherit_stat) {
		a->read_format |= PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_TOTAL_TIME_RUNNING;
		a->flags |= FLAG(INHERIT_STAT);
	}
	if (o->running_time)
		a->read_format |= PD_FORMAT_TOTAL_TIME_ENABLED | PD_FORMAT_TOTAL_TIME_RUNNING;
	if (event_is_function_trace(ev))
		a->flags |= FLAG(EXCLUDE_CALLCHAIN_USER);
	if (o->callgraph != REC_CG_NONE) {
		struct event_callgraph g = { o->callgraph, o->stack_size, (u16)o->max_stack };

		event_callgraph_set(o, ev, &g);
	}
	set_samples(c, ev);
	if (o->no_buffering)
		a->wakeup_events_or_watermark = 1;
	if (ev->is_tracking)
		set_tracking(c, a);
	set_start(c, ev);
	if (o->use_clockid) {
		a->flags |= FLAG(USE_CLOCKID);
		a->clockid = o->clockid;
	}
	if (ev->precise_max)
		a->flags |= 3ull << PD_ATTR_PRECISE_IP;
	if (o->all_user || o->all_kernel) {
		set_flag(a, PD_ATTR_EXCLUDE_KERNEL, o->all_user);
		set_flag(a, PD_ATTR_EXCLUDE_USER, o->all_kernel);
	}
	apply_terms(c, ev);
	if (ev->uprobe_path) /* choose_whole_system explains why */
		a->flags &= ~(FLAG(INHERIT) | FLAG(INHERIT_STAT));
	if (o->sample_period_on)
		a->sample_type |= PD_SAMPLE_PERIOD;
	else if (o->sample_period_off)
		a->sample_type &= ~(u64)PD_SAMPLE_PERIOD;
	if (is_dummy(ev))
		a->sample_type &= ~(u64)PD_SAMPLE_BRANCH_STACK;
	drop_unused_fields(a);
}

/* --- the list --------------------------------------------------------------------------------- */

/*
 * Chooses the uprobes that are opened on CPUs because they cannot be inherited: their attr points
 * to the file's name in the memory of prec, but the kernel reads it again in the memory of a thread
 * that starts another one, so the target's clone() would fail. Groups of such probes with other
 * events, which stay on threads, are broken up.
 */
static void choose_whole_system(struct config *c, struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];

		ev->whole_system = ev->uprobe_path && !c->on_cpus && !c->t->any_cpu &&
				   wants_inherit(c, ev, l->events[ev->leader_idx]);
		c->whole_system |= ev->whole_system;
	}
	for (size_t i = 0, nr; i < l->nr; i += nr) {
		struct rec_event *leader = l->events[i];
		size_t nr_whole = 0;

		nr = leader->nr_members > 1 ? leader->nr_members : 1;
		for (size_t k = i; k < i + nr; k++)
			nr_whole += l->events[k]->whole_system;
		if (!nr_whole || nr_whole == nr)
			continue;
		diag_warn(c->o->diag,
			  "group of %.100s broken up: its probes are recorded on CPUs, its other "
			  "events on the target's threads",
			  leader->name);
		event_break_up_group(l, (u32)i);
	}
}

/*
 * Chooses the event that carries the side-band: the first one, or a new dummy event if the
 * side-band must run while the other events do not, if their rings are overwritten, or if stacks
 * are unwound, which needs all of it: it has a ring of its own then, and its own count of losses.
 */
static void choose_tracking(const struct config *c, struct rec_evlist *l)
{
	struct rec_event *ev = l->events[0];
	bool apart = c->on_cpus || c->o->has_delay || c->o->overwrite || c->whole_system ||
		     event_callgraph_unwinds(c->o, l);

	for (size_t i = 0; i < l->nr; i++)
		l->events[i]->is_tracking = false;
	if (apart && !is_dummy(ev)) {
		ev = evlist_add(l, "dummy:HG", PD_TYPE_SOFTWARE, SW_DUMMY);
		ev->is_dummy = true;
		ev->attr.sample_period_or_freq = 1;
	}
	ev->is_tracking = true;
}

/* Configures a member of a group that is read as a whole (:S): it takes no samples of its own. */
static void config_member_of_read_group(struct rec_event *ev, const struct rec_event *leader)
{
	struct pd_attr *a = &ev->attr;

	if (!ev->terms.has_freq)
		set_flag(a, PD_ATTR_FREQ, false);
	if (!ev->terms.has_freq && !ev->terms.has_period)
		a->sample_period_or_freq = 0;
	set_flag(a, PD_ATTR_WRITE_BACKWARD, false);
	/* readers derive its samples from the leader's */
	a->sample_type = leader->attr.sample_type;
	a->branch_sample_type = leader->attr.branch_sample_type;
	ev->unwound = leader->unwound;
	drop_unused_fields(a);
}

/*
 * Lets records carry the id of their event. It comes first if the records of the events differ in
 * layout, since readers need the id to know the layout.
 */
static void config_ids(const struct rec_opts *o, struct rec_evlist *l)
{
	bool front = o->sample_identifier;

	if (l->nr < 2 && !front)
		return;
	for (size_t i = 1; i < l->nr; i++)
		if (l->events[i]->attr.sample_type != l->events[0]->attr.sample_type ||
		    l->events[i]->unwound != l->events[0]->unwound)
			front = true;
	for (size_t i = 0; i < l->nr; i++) {
		struct pd_attr *a = &l->events[i]->attr;

		a->sample_type &= ~(u64)(PD_SAMPLE_ID | PD_SAMPLE_IDENTIFIER);
		a->sample_type |= front ? PD_SAMPLE_IDENTIFIER : PD_SAMPLE_ID;
	}
}

/* Returns true from Linux 5.12 on, where MMAP2 records can carry build-ids. */
static bool kernel_has_mmap_build_id(const struct rec_opts *o)
{
	char *path = rec_host_path(o->host.procfs, "sys/kernel/osrelease");
	unsigned int major = 0, minor = 0;
	FILE *f = fopen(path, "re");
	int n = 0;

	free(path);
	if (!f)
		return false;
	n = fscanf(f, "%3u.%3u", &major, &minor);
	fclose(f);
	return n == 2 && (major > 5 || (major == 5 && minor >= 12));
}

int event_config(struct rec_evlist *l, struct rec_opts *o, const struct rec_target *t,
		 struct perr *e)
{
	struct config c = { .o = o, .t = t };
	bool any_read = false;
	int rc;

	if (!l->nr)
		return perr_set(e, PERR_USAGE, "no event to record");
	if (o->all_user && o->all_kernel)
		return perr_set(e, PERR_USAGE, "--all-user and --all-kernel exclude each other");
	rc = config_rate(&c, e);
	if (rc)
		return rc;
	c.on_cpus = t->kind == REC_TARGET_SYSTEM;
	c.inherit = !t->any_cpu && o->inherit != REC_OFF && !(o->tids && o->inherit == REC_UNSET);
	c.build_id = o->buildid_mmap && !o->no_buildid && kernel_has_mmap_build_id(o);

	choose_whole_system(&c, l);
	choose_tracking(&c, l);
	for (size_t i = 0; i < l->nr; i++) {
		struct rec_event *ev = l->events[i];

		config_event(&c, ev, l->events[ev->leader_idx]);
		any_read |= ev->sample_read;
	}
	for (size_t i = 0; any_read && i < l->nr; i++) {
		struct rec_event *ev = l->events[i], *leader = l->events[ev->leader_idx];

		if (ev != leader && leader->sample_read)
			config_member_of_read_group(ev, leader);
	}
	event_callgraph_settle(l);
	offcpu_config(l);
	config_ids(o, l);

	l->attr_size = 0;
	for (size_t i = 0; i < l->nr; i++)
		if (pd_attr_size_needed(&l->events[i]->attr) > l->attr_size)
			l->attr_size = pd_attr_size_needed(&l->events[i]->attr);
	for (size_t i = 0; i < l->nr; i++)
		l->events[i]->attr.size = l->attr_size;
	return 0;
}
