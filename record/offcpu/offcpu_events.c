/* SPDX-License-Identifier: MIT */
#include "record/offcpu/offcpu_events.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "fileformat/events.h"
#include "fileformat/trace_field.h"
#include "fileformat/write/writer.h"
#include "record/events/event_parse.h"
#include "record/host/host_file.h"
#include "record/host/tracefs.h"

/* PERF_COUNT_SW_CONTEXT_SWITCHES and PERF_COUNT_SW_BPF_OUTPUT of linux/perf_event.h */
#define SW_CONTEXT_SWITCHES 3
#define SW_BPF_OUTPUT 10

static const char *const ways[] = { [REC_OFF_CPU_AUTO] = "auto",
				    [REC_OFF_CPU_SWITCH] = "switch",
				    [REC_OFF_CPU_SCHED] = "sched",
				    [REC_OFF_CPU_RECORDS] = "records" };

int offcpu_parse_how(const char *arg, s8 *ret)
{
	for (int i = REC_OFF_CPU_AUTO; i < (int)ARRAY_SIZE(ways); i++) {
		if (arg && strcmp(arg, ways[i]) != 0)
			continue;
		*ret = (s8)i;
		return 0;
	}
	return -1;
}

int offcpu_parse_min(void *ns, const char *arg, struct perr *e)
{
	static const struct {
		const char *unit;
		u64 ns;
	} units[] = { { "ms", 1000000 }, { "us", 1000 }, { "ns", 1 }, { "s", 1000000000 } };
	char *end = NULL;
	u64 n = arg && *arg >= '0' && *arg <= '9' ? strtoull(arg, &end, 10) : 0;

	for (size_t i = 0; i < ARRAY_SIZE(units) && n; i++) {
		if (strcmp(end, units[i].unit) != 0 || n > UINT64_MAX / units[i].ns)
			continue;
		*(u64 *)ns = n * units[i].ns;
		return 0;
	}
	*(u64 *)ns = 0;
	return arg ? perr_set(e, PERR_USAGE, "expected a time such as 1ms, got '%s'", arg) : 0;
}

/* Opens an event of the kernel for this process, to see whether that is permitted. */
static bool can_open(const struct rec_sys *sys, u32 type, u64 config, u64 sample_type)
{
	const struct pd_attr a = { .type = type,
				   .config = config,
				   .sample_type = sample_type,
				   .sample_period_or_freq = 1,
				   .flags = 1ull << PD_ATTR_DISABLED };
	struct wbuf b = { 0 };
	u32 size = pd_attr_size_needed(&a);
	struct pd_attr sized = a;
	int fd;

	sized.size = size;
	pd_attr_encode(&b, &sized, size);
	fd = sys->open(sys->ctx, b.p, b.n, 0, -1, -1, 0);
	if (fd >= 0)
		close(fd);
	wb_fini(&b);
	return fd >= 0;
}

/* Where prev_state lies in the payload, by the kernel's own format. */
static void find_prev_state(const char *root, struct rec_event *ev)
{
	char *path = rec_host_path(root, "events/sched/sched_switch/format"), *text = NULL;
	struct pd_trace_field f;
	size_t pos = 0;
	struct perr e;

	if (!text_file_read(path, 1 << 16, &text, &e)) {
		while (pd_trace_field_next(span_of(text, strlen(text)), &pos, &f)) {
			if (f.name.n != 10 || memcmp(f.name.p, "prev_state", 10) != 0)
				continue;
			ev->prev_state_at = f.offset;
			ev->prev_state_size = f.size == 8 ? 8 : f.size == 4 ? 4 : 0;
		}
	}
	free(text);
	free(path);
}

static struct rec_event *parse_one(struct rec_evlist *l, struct rec_opts *o, const char *text,
				   struct perr *e)
{
	struct event_parse_error where = { 0 };

	return event_parse(l, o, text, &where, e) ? NULL : l->events[l->nr - 1];
}

static struct rec_event *add_sched(struct rec_evlist *l, struct rec_opts *o,
				   const struct rec_sys *sys, struct perr *e)
{
	struct rec_event *ev = NULL;
	char *root = NULL;
	u64 id;
	int err = tracefs_find(&o->host, &root, e);

	if (!err)
		err = tracefs_event_id(root, "sched", "sched_switch", &id, e);
	if (!err && !can_open(sys, PD_TYPE_TRACEPOINT, id, PD_SAMPLE_RAW))
		err = perr_set(e, PERR_KERNEL,
			       "--off-cpu=sched: the kernel does not permit the fields of "
			       "sched:sched_switch; --off-cpu takes what it permits");
	if (!err)
		ev = parse_one(l, o, "sched:sched_switch", e);
	if (ev)
		find_prev_state(root, ev);
	free(root);
	return ev;
}

static struct rec_event *add_switches(struct rec_evlist *l, const struct rec_sys *sys,
				      struct perr *e)
{
	if (!can_open(sys, PD_TYPE_SOFTWARE, SW_CONTEXT_SWITCHES, PD_SAMPLE_IP)) {
		(void)perr_set(e, PERR_KERNEL,
			       "--off-cpu=switch: the kernel does not permit context-switches; "
			       "--off-cpu takes what it permits");
		return NULL;
	}
	return evlist_add(l, "context-switches", PD_TYPE_SOFTWARE, SW_CONTEXT_SWITCHES);
}

static void note_what_is_missing(const struct rec_opts *o, enum rec_off_cpu how)
{
	if (how == REC_OFF_CPU_SWITCH)
		diag_warn(o->diag, "--off-cpu: with the stacks of context-switches; how threads "
				   "sleep (S, D) is recorded only with the rights of root");
	else if (how == REC_OFF_CPU_RECORDS)
		diag_warn(o->diag,
			  "--off-cpu: stacks only of times that last for 20 ms, up to the system "
			  "call, and no states; all stacks need kernel.perf_event_paranoid 1, "
			  "states the rights of root");
}

static void set_up_switch(const struct rec_opts *o, struct rec_event *ev)
{
	ev->is_switch = true;
	/* each switch counts, whatever -F and -c say about the other events */
	ev->terms.has_period = true;
	ev->terms.period = 1;
	ev->attr.sample_period_or_freq = 1;
	if (o->callgraph == REC_CG_NONE)
		ev->terms.callgraph = REC_CG_FP;
}

int offcpu_add_events(struct rec_evlist *l, struct rec_opts *o, const struct rec_sys *sys,
		      struct perr *e)
{
	enum rec_off_cpu how = (enum rec_off_cpu)o->off_cpu;
	struct rec_event *ev = NULL;
	struct perr why = { .off = -1 };
	bool any = how == REC_OFF_CPU_AUTO;

	if (how == REC_OFF_CPU_NONE)
		return 0;
	if (any || how == REC_OFF_CPU_SCHED) {
		ev = add_sched(l, o, sys, &why);
		how = any && ev ? REC_OFF_CPU_SCHED : how;
	}
	if (!ev && (any || how == REC_OFF_CPU_SWITCH)) {
		ev = add_switches(l, sys, &why);
		how = any && ev ? REC_OFF_CPU_SWITCH : how;
	}
	if (!ev && !any && how != REC_OFF_CPU_RECORDS) {
		*e = why;
		return why.code;
	}
	if (ev)
		set_up_switch(o, ev);
	if (!ev)
		o->off_cpu = REC_OFF_CPU_RECORDS;
	if (any)
		note_what_is_missing(o, ev ? how : REC_OFF_CPU_RECORDS);
	if (!o->use_clockid) {
		/* a clock that prec can read, too: see late_look.h */
		o->use_clockid = true;
		o->clockid = CLOCK_MONOTONIC;
	}
	evlist_add(l, PD_OFFCPU_NAME, PD_TYPE_SOFTWARE, SW_BPF_OUTPUT)->is_made = true;
	return 0;
}
