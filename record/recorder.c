/* SPDX-License-Identifier: MIT */
#include "record/recorder_priv.h"

#include <linux/perf_event.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/end_message.h"
#include "record/offcpu/offcpu_events.h"
#include "record/ring/offcpu_rings.h"
#include "record/open/nofile_limit.h"
#include "record/sink/urgency.h"
#include "symbols/find/build_id_cache.h"

/* Limit of the bytes that one COMPRESSED record expands to: readers allocate that much for each. */
#define EXPAND_BYTES (1u << 20)
/*
 * zstd level for recordings with stack copies when -z is not given; the same as -z without a level.
 */
#define AUTO_COMPRESS_LEVEL 1

/* How long the end of a recording waits for the command of --switch-hook. */
#define HOOK_LIMIT_MS 60000u
/* Limit of the mapped files that are held open, so that they can be copied in the end. */
#define MAX_HELD 4096

static bool has_stack_copies(const struct rec_evlist *l)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->events[i]->attr.sample_type & PD_SAMPLE_STACK_USER && !l->events[i]->unwound)
			return true;
	return false;
}

static void settle_compression(struct recorder *r)
{
	struct rec_opts *o = r->o;

	if (o->compress <
	    0) /* -z was not given: compress only the large files that stack copies make */
		o->compress =
			has_stack_copies(r->l) && !rec_opts_to_pipe(o) ? AUTO_COMPRESS_LEVEL : 0;
}

static void start_keeper(struct recorder *r)
{
	const struct rec_opts *o = r->o;
	struct keep_limits limits = { .bytes = o->buildid_cache_limit, .all = o->buildid_all };
	u64 events = 0;

	if (o->no_buildid || o->no_buildid_cache)
		return;
	r->cache = build_id_cache_dir(&(struct symbols_config){ 0 });
	limits.cache = r->cache;
	for (size_t i = 0; i < r->l->nr; i++)
		events += r->l->events[i]->nr_fds;
	if (r->cache)
		r->keeper = keeper_new(o->host.procfs, nofile_spare(events, MAX_HELD), &limits);
}

static int open_output(struct recorder *r, struct perr *e)
{
	struct rec_opts *o = r->o;
	struct rec_sink_opts so;
	int rc;

	r->expand = r->rings.data_bytes < EXPAND_BYTES ? r->rings.data_bytes : EXPAND_BYTES;
	rc = head_parts_make(&r->parts, r->l, o, r->expand, e);
	if (rc)
		return rc;
	start_keeper(r);
	r->ids = buildids_new(&o->host, r->keeper);
	r->copier = copier_new(r->l, o->no_buildid ? NULL : r->ids);
	copier_set_keeper(r->copier, r->keeper);
	recorder_live_open(r);
	recorder_follow_target(r, r->copier);
	r->threaded = o->compress > 0 || copier_must_copy(r->copier) || o->max_cpu_percent > 0;
	so = (struct rec_sink_opts){
		.path = o->output ? o->output : "perf.data",
		.fd = -1,
		.compress = o->compress,
		.max_record_expand = r->expand,
		.own_thread = r->threaded,
		.max_size = o->max_size,
		.append_timestamp = o->timestamp_filename || o->switch_output != REC_SWITCH_NONE,
		.keep_files = o->switch_max_files,
	};
	if (o->has_threads) {
		/* the records of the rings go to the readers' files */
		so.path = recorder_make_folder(r, e);
		so.compress = 0;
		so.own_thread = false;
		so.max_size = 0;
		if (!so.path)
			return PERR_IO;
	}
	rc = sink_open(&so, &r->parts.head, &r->sink, e);
	return rc || !o->has_threads ? rc : recorder_open_readers(r, e);
}

static void enable_one(struct recorder *r, const struct rec_event *ev)
{
	for (size_t k = 0; k < ev->nr_fds; k++)
		if (ev->fds[k] >= 0)
			r->sys->ioctl(r->sys->ctx, ev->fds[k], PERF_EVENT_IOC_ENABLE, 0);
}

static void enable_tracking(struct recorder *r)
{
	for (size_t i = 0; i < r->l->nr; i++)
		if (r->l->events[i]->is_tracking)
			enable_one(r, r->l->events[i]);
}

/* Events opened on CPUs are not started by the command's exec, so enable them here. */
static void enable_whole_system(struct recorder *r)
{
	for (size_t i = 0; i < r->l->nr; i++)
		if (r->l->events[i]->whole_system)
			enable_one(r, r->l->events[i]);
}

/* Enables tracking before /proc is read, so that no fork or mapping in between is missed. */
static int recorder_start(struct recorder *r, struct perr *e)
{
	struct rec_opts *o = r->o;
	bool attached = r->target.kind != REC_TARGET_WORKLOAD;
	bool off = schedule_starts_disabled(o);
	int rc = 0;

	if (attached && !off)
		enable_tracking(r);
	if (!o->tail_synthesize)
		rc = recorder_synthesize(r, e);
	else
		recorder_live_learn(r, &r->target, span_of(NULL, 0));
	if (rc)
		return rc;
	if (!o->realtime_prio) {
		urgency_raise(URGENCY_READER);
	} else {
		struct sched_param p = { .sched_priority = o->realtime_prio };

		if (sched_setscheduler(0, SCHED_FIFO, &p))
			return perr_io(e, "-r %d: cannot set SCHED_FIFO priority",
				       o->realtime_prio);
	}
	rc = r->readers ? readers_start(r->readers, e) : 0;
	if (rc)
		return rc;
	if (attached && !off)
		event_enable(r->l, NULL, true, r->sys);
	else if (!off)
		enable_whole_system(r);
	recorder_begin_offcpu(r);
	schedule_start(&r->schedule, o, now_ns());
	rc = recorder_budget_start(r, e);
	if (rc)
		return rc;
	if (off)
		recorder_talk(r, "Events disabled");
	return 0;
}

/*
 * Returns the events' names joined by commas, such as "cpu-clock,page-faults"; the caller frees it.
 */
static char *event_names(const struct rec_evlist *l)
{
	char *names = xstrdup("");

	for (size_t i = 0; i < l->nr; i++) {
		char *more = xasprintf("%s%s%s", names, i ? "," : "", l->events[i]->name);

		free(names);
		names = more;
	}
	return names;
}

/* A recording without a command goes on until somebody ends it. */
static void tell_how_to_end(const struct rec_opts *o)
{
	if (!o->on_terminal || !o->talk)
		return;
	if (o->duration_ms)
		fprintf(o->talk, "prec: recording for %g s; Ctrl-C ends earlier\n",
			(double)o->duration_ms / 1000);
	else
		fputs("prec: recording; Ctrl-C ends\n", o->talk);
}

static int start_command(struct recorder *r, struct recorder_end *ret, struct perr *e)
{
	int rc = 0;

	/* Print warnings before the command prints anything. notes is NULL with -q. */
	diag_print(r->o->diag, "prec", r->o->notes);
	if (r->child.pid) {
		char *names = event_names(r->l);

		rc = workload_start(&r->child, r->o->command[0], names, e);
		free(names);
		if (rc)
			ret->status = 255;
	} else {
		tell_how_to_end(r->o);
	}
	r->started = true;
	return rc;
}

static int recorder_set_up(struct recorder *r, struct perr *e)
{
	struct rec_opts *o = r->o;
	size_t nr_rings;
	u64 bytes;
	int rc;

	if (o->control) {
		rc = control_open(&r->control, o->control, e);
		if (rc)
			return rc;
	}
	rc = target_init(&r->target, o, e);
	if (!rc)
		rc = recorder_plan_readers(r, e);
	if (rc)
		return rc;
	if (o->command) {
		rc = workload_prepare(&r->child, o->command,
				      rec_opts_to_pipe(o) ? (int)o->command_stdout : -1,
				      &r->old_mask, e);
		if (rc)
			return rc;
		if (r->target.kind == REC_TARGET_WORKLOAD)
			target_set_workload(&r->target, r->child.pid);
	}
	rc = offcpu_add_events(r->l, o, r->sys, e);
	if (!rc)
		rc = event_config(r->l, o, &r->target, e);
	if (rc)
		return rc;
	target_spread_side_band(&r->target, r->l, o);
	settle_compression(r);
	nr_rings = r->target.any_cpu ? r->target.nr_threads : r->target.cpus.nr;
	recorder_live_wake_early(r, ring_size_wanted(r->l, o, nr_rings, &r->rights));
	rc = event_open_all(r->l, &r->target, o, r->sys, e);
	if (rc)
		return rc;
	/* the events may have changed when they were opened */
	bytes = ring_size_wanted(r->l, o, nr_rings, &r->rights);
	rc = rings_map(&r->rings, r->l, &r->target, o, bytes, r->sys, e);
	if (rc)
		return rc;
	rc = event_set_filters(r->l, o, r->sys, e);
	return rc ? rc : open_output(r, e);
}

/* Says at once that the command of --switch-hook has failed, the first time. */
static void tell_hook_failure(struct recorder *r)
{
	struct perr why;

	if (!r->hook || !switch_hook_failed(r->hook, &why))
		return;
	diag_warn(r->o->diag, "%s; later failures are counted", why.text);
	if (r->o->notes)
		diag_print(r->o->diag, "prec", r->o->notes);
}

/* Waits for the runs of --switch-hook, and says what became of them. */
static void end_hook(struct recorder *r)
{
	struct switch_hook_counts n;

	if (!r->hook)
		return;
	switch_hook_wait(r->hook, HOOK_LIMIT_MS);
	tell_hook_failure(r);
	n = switch_hook_end(r->hook);
	r->hook = NULL;
	if (n.failed)
		diag_warn(r->o->diag, "--switch-hook: %llu of %llu runs failed",
			  (unsigned long long)n.failed, (unsigned long long)n.runs);
	if (n.left)
		diag_warn(r->o->diag,
			  "--switch-hook: after %u s the command has not ended for %llu files",
			  HOOK_LIMIT_MS / 1000, (unsigned long long)n.left);
}

static int do_what_is_due(struct recorder *r, struct perr *e)
{
	u64 now = now_ns();
	enum due due;
	int rc = 0;

	tell_hook_failure(r);
	recorder_budget_step(r);

	while ((due = schedule_due(&r->schedule, now)) != DUE_NOTHING) {
		if (due == DUE_SWITCH) {
			r->want_switch = true;
			continue;
		}
		if (due == DUE_END) {
			r->stop = r->time_is_up = true;
			continue;
		}
		event_enable(r->l, NULL, due == DUE_ENABLE, r->sys);
		recorder_talk(r, due == DUE_ENABLE ? "Events enabled" : "Events disabled");
	}
	if (r->o->switch_output == REC_SWITCH_SIZE) {
		struct rec_sink_stat stat;

		sink_stat(r->sink, &stat);
		if (stat.data_bytes >= r->o->switch_bytes)
			r->want_switch = true;
	}
	if (r->want_snapshot && !r->want_switch)
		rc = recorder_snapshot(r, e);
	r->want_snapshot = false;
	if (!rc && r->want_switch)
		rc = recorder_switch_file(r, e);
	return rc;
}

static int run_until_stopped(struct recorder *r, struct perr *e)
{
	int rc = 0;

	r->polls = xcalloc(r->rings.nr + NR_OTHER_POLLS, sizeof(*r->polls));
	recorder_live_hold_late(r);
	while (!rc && !r->stop) {
		rc = recorder_wait(r, e);
		if (!rc)
			rc = r->sweep_is_early ? recorder_sweep_early(r, e)
					       : recorder_sweep(r, false, e);
		if (!rc)
			rc = recorder_check_size(r, e);
		if (!rc)
			rc = do_what_is_due(r, e);
	}
	return rc;
}

static int recorder_finish(struct recorder *r, bool whole, struct perr *e)
{
	struct offcpu_counts off_cpu;
	struct late_parts late;
	struct rec_sink_stat stat;
	char *path = NULL;
	int rc = 0, closed;

	if (whole)
		recorder_budget_tell(r);
	event_enable(r->l, NULL, false, r->sys);
	rc = r->live ? 0 : recorder_stop_readers(r, whole ? e : NULL);
	if (r->live)
		live_chains_set_hold(r->live, false);
	if (whole && !rc) {
		rc = recorder_sweep(r, true, e);
		if (!rc && r->o->overwrite)
			rc = recorder_snapshot(r, e);
	}
	if (r->live && !rc)
		rc = recorder_stop_readers(r, whole ? e : NULL);
	if (!rc && whole)
		rc = recorder_write_tail(r, e);
	if (!rc)
		rc = sink_drain(r->sink, e);
	if (!rc)
		recorder_keep(r);
	sink_stat(r->sink, &stat);
	recorder_add_parts(r, &stat);
	late_parts_make(&late, r->o->no_buildid ? NULL : r->ids, r->o, copier_counts(r->copier),
			&stat, r->expand);
	if (!r->o->keep_stacks)
		late_parts_add_unwound(&late, r->l, r->live);
	closed = sink_close(r->sink, late.features, late.nr, whole && !rc, &path, rc ? NULL : e);
	if (!rc)
		rc = closed;
	r->sink = NULL;
	late_parts_fini(&late);
	if (offcpu_rings_counts(copier_offcpu(r->copier), &off_cpu))
		end_message_off_cpu(r->o->diag, &off_cpu);
	if (!rc)
		recorder_live_tell(r);
	if (!rc)
		end_message(r->o, r->l, copier_counts(r->copier), &stat,
			    r->folder ? r->folder : path, r->wakeups, r->rings.data_bytes);
	if (!rc)
		end_message_callers(r->o, r->l, copier_counts(r->copier), &stat,
				    r->folder ? r->folder : path);
	if (!rc)
		recorder_run_hook(r, path);
	free(path);
	end_hook(r);
	return rc;
}

static void recorder_fini(struct recorder *r)
{
	if (r->sink && sink_close(r->sink, NULL, 0, false, NULL, NULL))
		recorder_talk(
			r,
			"error while closing the output after an earlier error"); /* the caller has
										     the error
										     already */
	readers_free(r->readers);
	recorder_free_parts(r);
	recorder_live_close(r);
	reader_layout_fini(&r->layout);
	free(r->folder);
	free(r->head_path);
	copier_free(r->copier);
	keeper_free(r->keeper);
	buildids_free(r->ids);
	free(r->cache);
	head_parts_fini(&r->parts);
	rings_unmap(&r->rings);
	event_close_all(r->l, r->sys);
	target_fini(&r->target);
	control_close(&r->control);
	wb_fini(&r->batch);
	wb_fini(&r->marks);
	free(r->polls);
	if (r->signal_fd >= 0)
		close(r->signal_fd);
	sigprocmask(SIG_SETMASK, &r->old_mask, NULL);
}

static void settle_end(const struct recorder *r, struct recorder_end *ret)
{
	int status = r->child.status;

	/* a command that --duration has ended did not fail */
	if (r->time_is_up)
		return;
	ret->signal = r->end_signal;
	if (r->child.exited && !r->end_signal && WIFEXITED(status))
		ret->status = WEXITSTATUS(status);
	else if (r->child.exited && !r->end_signal && WIFSIGNALED(status))
		ret->signal = WTERMSIG(status);
}

int recorder_run(struct rec_opts *o, struct rec_evlist *l, struct recorder_end *ret, struct perr *e)
{
	struct recorder r = { .o = o,
			      .l = l,
			      .sys = &rec_sys_kernel,
			      .signal_fd = -1,
			      .control = { .fd = -1, .ack_fd = -1 } };
	int rc;

	*ret = (struct recorder_end){ 0 };
	rec_rights_read(&r.rights, &o->host);
	rc = recorder_signals_open(&r, e);
	if (!rc)
		rc = recorder_set_up(&r, e);
	if (!rc)
		rc = recorder_start(&r, e);
	if (!rc)
		rc = start_command(&r, ret, e);
	if (!rc) {
		rc = run_until_stopped(&r, e);
		if (rc == PERR_LIMIT) {
			end_message_full(o->talk, o->max_size);
			rc = 0;
		}
		workload_end(&r.child);
		if (rc)
			(void)recorder_finish(&r, false, NULL);
		else
			rc = recorder_finish(&r, true, e);
		settle_end(&r, ret);
	}
	workload_end(&r.child);
	recorder_fini(&r);
	return rc;
}
