/* SPDX-License-Identifier: MIT */
/* pscript: prints the samples of a perf.data, as perf script does. */
#include <signal.h>

#include "base/option.h"
#include "base/progress.h"
#include "base/sigbus.h"
#include "fileformat/feature.h"
#include "report/header_text.h"
#include "report/pscript_options.h"
#include "report/rawdump.h"
#include "report/record_text.h"
#include "report/script_output.h"
#include "report/script_workers.h"
#include "session/sample_range.h"

struct pscript {
	struct pscript_options opt;
	struct diag diag;
	struct perfdata *pd;
	struct session *session;
	struct replay *replay;
	struct tracetext *trace;
	struct sample_text *text;
	struct rawdump dump; /* with -D */
	struct progress progress;
	struct script_output output;
	struct script_workers *workers; /* NULL: samples are printed one by one */
	const struct pd_event *switch_on, *switch_off;
	u64 last_time, nr_misordered; /* with -d */
	bool discarding; /* between --switch-off, or the start, and --switch-on */
};

static int fail(const struct pscript *p, const struct perr *e)
{
	if (e->off >= 0)
		fprintf(stderr, "pscript: %s: %s (offset %#llx)\n", p->opt.input, e->text,
			(unsigned long long)e->off);
	else
		fprintf(stderr, "pscript: %s: %s\n", p->opt.input, e->text);
	return 1;
}

static const char *resolve_kernel_symbol(void *ctx, u64 addr, u64 *ret_start,
					 const char **ret_module)
{
	struct session *s = ctx;
	const struct map *m = mapset_find(s->kernel_maps, addr);
	struct sym_hit hit;

	if (!m || !dso_find(m->dso, addr, m->start, m->pgoff, &hit))
		return NULL;
	*ret_start = addr - (hit.addr - hit.start);
	*ret_module = m == s->kernel_map ? NULL : m->dso_name;
	return hit.name;
}

/* The event that --switch-on or --switch-off names. */
static int find_event(const struct perfdata *pd, const char *name, const struct pd_event **ret,
		      struct perr *e)
{
	size_t i;

	for (i = 0; name && i < pd->nr_events; i++) {
		if (!strcmp(pd->events[i]->name, name)) {
			*ret = pd->events[i];
			return 0;
		}
	}
	return name ? perr_set(e, PERR_USAGE, "no event of the file is called '%s'", name) : 0;
}

/* True when the sample lies outside of what --switch-on and --switch-off leave. */
static bool is_switched_off(struct pscript *p, const struct pd_event *ev)
{
	if (p->switch_on && p->discarding) {
		if (ev != p->switch_on)
			return true;
		p->discarding = false;
		return !p->opt.show_on_off;
	}
	if (p->switch_off && !p->discarding) {
		if (ev != p->switch_off)
			return false;
		p->discarding = true;
		return !p->opt.show_on_off;
	}
	return p->discarding;
}

/* -d: counts the samples that come before their time. */
static void check_order(struct pscript *p, const struct replay_event *ev)
{
	if (ev->sample.time < p->last_time)
		p->nr_misordered++;
	p->last_time = ev->sample.time;
}

/* True when -C can choose: the first event of every type has its CPU recorded. */
static bool has_cpus(const struct perfdata *pd)
{
	size_t i, j;

	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		for (j = 0; j < i; j++)
			if (pd->events[j]->attr.type == a->type)
				break;
		if (j == i && !(a->sample_type & PD_SAMPLE_CPU))
			return false;
	}
	return true;
}

/* What the options need of the file beyond its fields. */
static int check_data(struct pscript *p, struct perr *e)
{
	int type, err;

	if (p->opt.filter.cpus && !has_cpus(p->pd))
		return perr_set(e, PERR_USAGE,
				"-C cannot choose: there are events without a CPU; record with -a or --sample-cpu");
	err = find_event(p->pd, p->opt.switch_on, &p->switch_on, e);
	if (!err)
		err = find_event(p->pd, p->opt.switch_off, &p->switch_off, e);
	if (err)
		return err;
	p->discarding = p->switch_on;
	for (type = 0; type < NR_FIELD_TYPES; type++)
		if (p->opt.fields.type[type].fields & FIELD_BIT(TOD) &&
		    p->pd->kind != PD_PIPE && !pd_feature_get(p->pd, PD_FEAT_CLOCK_DATA))
			return perr_set(e, PERR_USAGE,
					"the time of day is unknown: record with -k (--clockid), which stores it");
	return 0;
}

static int open_file(struct pscript *p, struct perr *e)
{
	int err;

	err = pd_open(p->opt.input, &p->diag, &p->pd, e);
	if (!err)
		pd_set_text_format(p->pd, p->opt.text.format);
	return err;
}

/* What printing samples needs; the options that do not fit the file are refused here. */
static int prepare(struct pscript *p, struct perr *e)
{
	struct session_config cfg = { .symbols = p->opt.symbols };
	u64 first, last;
	int err;

	if (p->opt.time) {
		first = last = 0;
		if (filter_time_needs_range(p->opt.time)) {
			err = sample_range(p->pd, &first, &last, e);
			if (err)
				return err;
		}
		err = filter_set_time(&p->opt.filter, p->opt.time, first, last, e);
		if (err)
			return err;
	}
	err = fields_fit(&p->opt.fields, p->pd, !p->opt.text.hide_call_graph, e);
	if (err)
		return err;
	err = check_data(p, e);
	if (err)
		return err;
	p->session = session_new(p->pd, &cfg, &p->diag);
	p->replay = replay_new(p->session, !p->opt.no_merge);
	/* rounds mean something only where they lie */
	if (p->opt.show_round)
		replay_keep_file_order(p->replay);
	p->trace = tracetext_new(p->pd);
	tracetext_set_resolver(p->trace, resolve_kernel_symbol, p->session);
	p->text = sample_text_new(p->session, p->trace, &p->opt.text, 1);
	if (p->opt.dump_raw)
		rawdump_init(&p->dump, p->pd);
	return 0;
}

static void close_all(struct pscript *p)
{
	if (p->opt.dump_raw && p->pd)
		rawdump_fini(&p->dump);
	sample_text_free(p->text);
	tracetext_free(p->trace);
	replay_free(p->replay);
	session_free(p->session);
	pd_close(p->pd);
	diag_fini(&p->diag);
	pscript_options_fini(&p->opt);
}

/* True when the filters leave the sample in. */
static bool is_wanted(struct pscript *p, const struct replay_event *ev, const struct thread *th)
{
	struct task_view task;

	const struct filter *f = &p->opt.filter;

	if (!filter_wants_thread(f, p->session, th))
		return false;
	/* samples of guests belong to another machine's processes */
	if (ev->sample.cpumode == PD_CPUMODE_GUEST_KERNEL ||
	    ev->sample.cpumode == PD_CPUMODE_GUEST_USER)
		return false;
	if (!filter_needs_frame(f))
		return true;
	task = session_task(p->session, th);
	return filter_wants_frame(f, sample_text_own_frame(p->text, ev, &task));
}

/* The lines of -D that need the session: whose sample it is, and where. */
static void dump_place(struct pscript *p, const struct replay_event *ev, const struct thread *th)
{
	const struct map *m = session_find_map(p->session, th, ev->sample.cpumode, ev->sample.ip);

	rawdump_thread(&p->output.main, session_comm(p->session, th), th->tid,
		       m ? m->dso_name : NULL);
}

static int print_sample(struct pscript *p, const struct replay_event *ev,
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

/* Threads that format, where nothing but samples is printed. */
static void start_workers(struct pscript *p)
{
	const struct pscript_options *o = &p->opt;
	bool others = o->dump_raw || o->per_event_dump || o->show_task || o->show_mmap ||
		      o->show_switch || o->show_namespace || o->show_lost || o->show_round ||
		      o->show_bpf || o->show_cgroup || o->show_text_poke || o->no_merge;

	if (o->nr_threads > 1 && !others && script_workers_can(p->pd, &o->text))
		p->workers = script_workers_new(p->session, p->trace, &o->text, &p->output.main,
						(unsigned int)o->nr_threads);
}

static int print_all(struct pscript *p, struct perr *e)
{
	struct replay_event ev;
	struct task_view task;
	struct thread *th;
	int got, err;

	progress_init(&p->progress, "pscript", p->pd->file_size);
	while ((got = replay_next(p->replay, &ev, e)) == 1) {
		progress_update(&p->progress, ev.rec.off);
		if (p->opt.dump_raw)
			rawdump_record(&p->dump, &p->output.main, &ev.rec);
		if (!ev.is_sample) {
			script_output_record(&p->output, &p->opt, p->text, p->session, &ev);
			continue;
		}
		if (!filter_wants_record(&p->opt.filter, &ev.sample))
			continue;
		if (p->opt.check_order) {
			check_order(p, &ev);
			continue;
		}
		th = session_thread(p->session, ev.sample.pid, ev.sample.tid);
		session_settle_kernel(p->session, &ev.sample);
		if (p->opt.dump_raw)
			dump_place(p, &ev, th);
		if (!is_wanted(p, &ev, th) || p->opt.graph_function || is_switched_off(p, ev.ev))
			continue;
		task = session_task(p->session, th);
		err = print_sample(p, &ev, &task, e);
		if (err)
			return err;
	}
	return got;
}

/* What the recording itself lost, or this reader could not use: counted, never hidden. */
static void tell_losses(struct pscript *p)
{
	const struct replay_stats *st = replay_get_stats(p->replay);
	u64 lost = st->nr_lost_records > st->nr_lost_samples ? st->nr_lost_records
							     : st->nr_lost_samples;

	if (lost)
		fprintf(stderr,
			"pscript: the recorder lost %llu samples (%.1f %% of all): record with larger rings (-m) or a lower rate (-F)\n",
			(unsigned long long)lost,
			100.0 * (double)lost / (double)(st->nr_samples + lost));
	if (st->nr_unknown_id)
		fprintf(stderr, "pscript: %llu samples carry an id that no event of the file has\n",
			(unsigned long long)st->nr_unknown_id);
	if (p->pd->counts.nr_unknown_type)
		fprintf(stderr, "pscript: %llu records of unknown types were skipped\n",
			(unsigned long long)p->pd->counts.nr_unknown_type);
}

static void print_header(struct pscript *p)
{
	struct out o;

	out_init(&o, stdout);
	if (p->opt.header || p->opt.header_only)
		header_text_print(&o, p->pd, p->opt.show_info);
	/* a pipe's features come as records, which stock perf shows as it meets them */
	if (p->pd->kind == PD_PIPE && !p->opt.header_only)
		header_text_print_features(&o, p->pd, p->opt.show_info);
	out_fini(&o);
}

static int run(struct pscript *p)
{
	struct perr e = { .off = -1 };
	int err;

	err = open_file(p, &e);
	if (err)
		return fail(p, &e);
	/* first, so that it is there where the options turn out not to fit the file */
	if (p->opt.header || p->opt.header_only || p->opt.show_info)
		print_header(p);
	if (p->opt.header_only)
		return 0;
	err = prepare(p, &e);
	if (err)
		return fail(p, &e);
	err = script_output_init(&p->output, p->pd, p->opt.per_event_dump, &e);
	start_workers(p);
	if (!err)
		err = print_all(p, &e);
	script_workers_free(p->workers);
	progress_end(&p->progress);
	if (script_output_fini(&p->output) && !err)
		err = perr_io(&e, "cannot write");
	if (p->opt.check_order && !err)
		fprintf(stderr, "pscript: %llu samples come before their time\n",
			(unsigned long long)p->nr_misordered);
	tell_losses(p);
	return err ? fail(p, &e) : 0;
}

int main(int argc, char **argv)
{
	struct pscript p = { 0 };
	int ret;

	signal(SIGPIPE, SIG_DFL);
	sigbus_explain("pscript");
	diag_init(&p.diag);
	ret = pscript_options_parse(&p.opt, &p.diag, argc, argv);
	if (ret >= 0) {
		pscript_options_fini(&p.opt);
		return ret;
	}
	ret = run(&p);
	diag_print(&p.diag, "pscript", stderr);
	close_all(&p);
	return ret;
}
