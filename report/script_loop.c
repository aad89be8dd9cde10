/* SPDX-License-Identifier: MIT */
/* The loop of pscript: each record in time order, through the filters, to its text. */
#include "report/script.h"

/* True when the sample lies outside of what --switch-on and --switch-off leave. */
static bool is_switched_off(struct script *p, const struct pd_event *ev)
{
	if (p->switch_on && p->discarding) {
		if (ev != p->switch_on)
			return true;
		p->discarding = false;
		return !p->opt->show_on_off;
	}
	if (p->switch_off && !p->discarding) {
		if (ev != p->switch_off)
			return false;
		p->discarding = true;
		return !p->opt->show_on_off;
	}
	return p->discarding;
}

/* -d: counts the samples that come before their time. */
static void check_order(struct script *p, const struct replay_event *ev)
{
	if (ev->sample.time < p->last_time)
		p->nr_misordered++;
	p->last_time = ev->sample.time;
}

/* True when the filters leave the sample in. */
static bool is_wanted(struct script *p, const struct replay_event *ev, const struct thread *th)
{
	const struct filter *f = &p->opt->filter;
	struct task_view task;

	if (!filter_wants_thread(f, p->session, th))
		return false;
	/* samples of guests belong to another machine's processes */
	if (ev->sample.cpumode == PD_CPUMODE_GUEST_KERNEL ||
	    ev->sample.cpumode == PD_CPUMODE_GUEST_USER)
		return false;
	if (!filter_needs_frame(f))
		return true;
	task = machine_task(p->session->machine, th);
	return filter_wants_frame(f, sample_text_own_frame(p->text, ev, &task));
}

/* The lines of -D that need the session: whose sample it is, and where. */
static void dump_place(struct script *p, const struct replay_event *ev, const struct thread *th)
{
	const struct map *m =
		machine_find_map(p->session->machine, th, ev->sample.cpumode, ev->sample.ip);

	rawdump_thread(&p->output.main, machine_comm(p->session->machine, th), th->tid,
		       m ? m->dso_name : NULL);
}

static int print_sample(struct script *p, const struct replay_event *ev,
			const struct task_view *task, struct perr *e)
{
	struct out *o;

	/* the memory of a joined call chain is the replay's until its next record only */
	if (p->workers && !ev->sample.deferred.n) {
		script_workers_add(p->workers, ev, task);
		return p->output.main.failed ? perr_io(e, "cannot write") : 0;
	}
	if (p->workers)
		script_workers_flush(p->workers);
	o = script_output_of_event(&p->output, ev->ev);
	sample_text_print(p->text, o, ev, task);
	return o->failed ? perr_io(e, "cannot write") : 0;
}

/* --debug-unwind: its one sample. */
static int explain_sample(struct script *p, const struct replay_event *ev,
			  const struct task_view *task, struct perr *e)
{
	struct out *o = &p->output.main;

	sample_text_print(p->text, o, ev, task);
	debug_unwind_print(o, p->session, &p->opt->text, ev, task);
	return o->failed ? perr_io(e, "cannot write") : 0;
}

/* Threads that format, where nothing but samples is printed. */
static void start_workers(struct script *p)
{
	const struct pscript_options *o = p->opt;
	bool others = o->dump_raw || o->per_event_dump || o->show_task || o->show_mmap ||
		      o->show_switch || o->show_namespace || o->show_lost || o->show_round ||
		      o->show_bpf || o->show_cgroup || o->show_text_poke || o->no_merge ||
		      o->debug_unwind.given;

	if (o->nr_threads > 1 && !others && script_workers_can(p->pd, &o->text))
		p->workers = script_workers_new(p->session, p->trace, &o->text, &p->output.main,
						(unsigned int)o->nr_threads);
}

static int print_all(struct script *p, struct perr *e)
{
	struct replay_event ev;
	struct task_view task;
	struct thread *th;
	int got, err;

	progress_init(&p->progress, "pscript", p->pd->file_size, stderr);
	while ((got = replay_next(p->replay, &ev, e)) == 1) {
		progress_update(&p->progress, ev.rec.off);
		if (p->opt->dump_raw)
			rawdump_record(&p->dump, &p->output.main, &ev.rec);
		if (!ev.is_sample) {
			script_output_record(&p->output, p->opt, p->text, p->session, &ev);
			continue;
		}
		if (!filter_wants_record(&p->opt->filter, &ev.sample))
			continue;
		if (p->opt->check_order) {
			check_order(p, &ev);
			continue;
		}
		th = machine_thread(p->session->machine, ev.sample.pid, ev.sample.tid);
		machine_settle_kernel(p->session->machine, &ev.sample);
		if (p->opt->dump_raw)
			dump_place(p, &ev, th);
		if (!is_wanted(p, &ev, th) || p->opt->graph_function || is_switched_off(p, ev.ev))
			continue;
		task = machine_task(p->session->machine, th);
		if (p->opt->debug_unwind.given) {
			if (debug_unwind_is_at(&p->opt->debug_unwind, &ev.sample))
				return explain_sample(p, &ev, &task, e);
			continue;
		}
		err = print_sample(p, &ev, &task, e);
		if (err)
			return err;
	}
	return !got && p->opt->debug_unwind.given ? debug_unwind_no_sample(&p->opt->debug_unwind, e)
						  : got;
}

int script_print(struct script *p, struct perr *e)
{
	int err;

	err = script_output_init(&p->output, p->pd, p->opt->per_event_dump, e);
	out_page(&p->output.main, &p->opt->pager);
	start_workers(p);
	if (!err)
		err = print_all(p, e);
	script_workers_free(p->workers);
	p->workers = NULL;
	progress_end(&p->progress);
	if (script_output_fini(&p->output) && !err)
		err = perr_io(e, "cannot write");
	if (p->opt->check_order && !err)
		fprintf(stderr, "pscript: %llu samples come before their time\n",
			(unsigned long long)p->nr_misordered);
	return err;
}
