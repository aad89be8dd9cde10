/* SPDX-License-Identifier: MIT */
/*
 * Does with one recording all that the commands do with one: its header, its events, its records in
 * both orders, every text that is printed of them, into memory; use_counts.h counts its samples.
 * Nothing of this host is looked up but files under testdata or use_all.symfs. For fuzz targets and
 * for tests over whole files; all in headers because the two are linked differently.
 */
#ifndef TESTS_FRAME_USE_ALL_H
#define TESTS_FRAME_USE_ALL_H

#include "count/session_joins.h"
#include "report/pscript/debug_unwind.h"
#include "report/text/rawdump.h"
#include "report/text/record_text.h"
#include "report/pscript/script_output.h"
#include "session/why.h"
#include "unwind/join/join.h"
#include "tests/frame/decode_all.h"
#include "tests/frame/feature_all.h"
#include "tests/frame/use_counts.h"
#include "tests/frame/use_fold.h"
#include "tests/frame/use_pann.h"
#include "tests/frame/use_prep.h"

static inline void use_all_header(struct use_all *u, struct out *o, const struct perfdata *pd)
{
	int full;

	for (full = 0; full < 2; full++) {
		header_text_print(o, pd, full);
		header_text_print_features(o, pd, full);
		use_all_take(u, o, 0);
	}
}

/* pevlist with each of its options. */
static inline void use_all_events(struct use_all *u, struct out *o, const struct perfdata *pd)
{
	struct attr_text t;
	struct pd_trace_field field;
	struct span format;
	size_t i, pos;
	u32 j;

	attr_text_init(&t, pd);
	for (i = 0; i < pd->nr_events; i++) {
		const struct pd_event *ev = pd->events[i];

		out_str(o, ev->group_name ? ev->group_name : ev->name);
		for (j = 1; j < ev->nr_members; j++)
			out_str(o, pd->events[ev->idx + j]->name);
		attr_text_print(&t, o, &ev->attr, ev->name, ATTR_EVLIST);
		attr_text_print(&t, o, &ev->attr, NULL, ATTR_HEADER);
		format = attr_text_format(&t, ev->attr.config);
		pos = 0;
		while (ev->attr.type == PD_TYPE_TRACEPOINT &&
		       pd_trace_field_next(format, &pos, &field)) {
			out_mem(o, field.name.p, field.name.n);
			use_all_take(u, o, USE_ALL_TEXT);
		}
		use_all_take(u, o, USE_ALL_TEXT);
	}
	attr_text_fini(&t);
	use_all_take(u, o, 0);
}

static inline void use_all_features(struct use_all *u, const struct perfdata *pd)
{
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_AUXTRACE);
	struct pd_auxtrace aux;
	struct pd_list l;
	struct perr e;
	u64 sum = touch_tracing(pd->tracing_data);

	if (f && !pd_auxtrace_open(f->data, pd->swap, &l, &e))
		while (pd_auxtrace_next(&l, &aux, &e) > 0)
			sum += aux.off;
	f = pd_feature_get(pd, PD_FEAT_BUILD_ID);
	if (f)
		sum += touch_build_ids(f->data, pd->swap);
	/* so that none of it is left out */
	u->text_bytes += sum & 1;
}

static inline void use_all_file(struct use_all *u, struct diag *diag, bool in_time_order)
{
	struct perfdata *pd;
	struct decoded d;
	struct perr e;
	struct out o;

	u->stage = in_time_order ? "decoding in time order" : "decoding in file order";
	if (u->open(u->ctx, diag, &pd, &e))
		return;
	out_init_mem(&o);
	u->nr_opened++;
	if (!in_time_order) {
		u->stage = "printing the header";
		use_all_header(u, &o, pd);
		use_all_events(u, &o, pd);
		u->stage = "decoding in file order";
	}
	if (decode_all(pd, in_time_order, &d, &e) > 0)
		BUG();
	u->nr_records += d.nr_records;
	u->nr_samples += d.nr_samples;
	if (!in_time_order) {
		u->stage = "printing events and features";
		/* the header again: records of a stream have added to it */
		use_all_header(u, &o, pd);
		pd_set_text_format(pd, TEXT_PERF_6_1);
		use_all_header(u, &o, pd);
		use_all_events(u, &o, pd);
		use_all_features(u, pd);
	}
	(void)out_fini(&o);
	pd_close(pd);
}

enum use_all_way {
	USE_ALL_DEFAULT,  /* pscript */
	USE_ALL_FIELDS,   /* -F with every field that fits, -D, and all other records */
	USE_ALL_PERF_6_1, /* --format=perf-6.1, -G, --show-round-events, -L */
};

static inline struct pscript_options use_all_options(const struct use_all *u, enum use_all_way way,
						     struct diag *diag)
{
	u64 turn = hash_u64(u->turn + 3) >> 8 * way;
	struct pscript_options o = {
		.text.max_stack = 127,
		.text.max_user_stack = turn & 1 ? 1024 : 3,
		.text.no_inlines = turn & 2,
		.symbols = use_all_symbols(u, turn & 4, diag),
		.unwinder = use_all_unwinder(u),
		.no_join = turn & 8,
		.debug_unwind.given = way == USE_ALL_FIELDS && !(turn & 0xf0),
	};

	if (way == USE_ALL_FIELDS) {
		o.dump_raw = o.show_task = o.show_mmap = o.show_switch = o.show_namespace = true;
		o.show_lost = o.show_bpf = o.show_cgroup = o.show_text_poke = true;
		o.text.ns = o.text.full_source_path = o.text.show_kernel_path = true;
	} else if (way == USE_ALL_PERF_6_1) {
		o.no_merge = o.show_round = o.text.hide_call_graph = true;
		o.text.latency = o.text.reltime = true;
		o.text.format = TEXT_PERF_6_1;
		o.symbols.format = TEXT_PERF_6_1;
	}
	return o;
}

static inline void use_all_set_fields(struct fields *f, u64 fields)
{
	int i;

	fields_init(f);
	for (i = 0; i < NR_FIELD_TYPES; i++)
		f->type[i].fields = fields;
}

/* False where pscript refuses the file for its fields. */
static inline bool use_all_fit(struct fields *f, const struct perfdata *pd, enum use_all_way way,
			       bool use_callchain)
{
	u64 all = (1ull << NR_FIELDS) - 1, branches = 0;
	struct perr e;
	size_t i;

	fields_init(f);
	if (way != USE_ALL_FIELDS)
		return !fields_fit(f, pd, use_callchain, &e);
	for (i = 0; i < pd->nr_events; i++)
		branches |= pd->events[i]->attr.branch_sample_type;
	if (!(branches & PD_BRANCH_ANY))
		all &= ~BRANCH_INSN_FIELDS;
	if (!(branches & PD_BRANCH_COUNTERS))
		all &= ~FIELD_BIT(BRCNTR);
	use_all_set_fields(f, all);
	if (!fields_fit(f, pd, use_callchain, &e))
		return true;
	all &= ~(FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | FIELD_BIT(DSO) | FIELD_BIT(DSOFF) |
		 FIELD_BIT(SRCLINE) | FIELD_BIT(SRCCODE));
	use_all_set_fields(f, all);
	return !fields_fit(f, pd, use_callchain, &e);
}

struct use_all_script {
	struct pscript_options opt;
	struct script_output output;
	struct session *session;
	struct tracetext *trace;
	struct sample_text *text;
	struct rawdump dump;
	struct join_table *joins;
};

static inline void use_all_sample(struct use_all_script *s, struct replay_event *ev)
{
	struct thread *th = machine_thread(s->session->machine, ev->sample.pid, ev->sample.tid);
	struct task_view task;

	machine_settle_kernel(s->session->machine, &ev->sample);
	if (s->opt.dump_raw)
		rawdump_place(&s->output.main, s->session->machine, th, &ev->sample);
	task = machine_task(s->session->machine, th);
	(void)!sample_text_own_frame(s->text, ev, &task);
	sample_text_print(s->text, &s->output.main, ev, &task);
	if (s->opt.debug_unwind.given)
		debug_unwind_print(&s->output.main, s->session, &s->opt.text, ev, &task);
	if (s->opt.dump_raw && ev->ev && ev->ev->attr.type == PD_TYPE_TRACEPOINT)
		(void)tracetext_print_fields(s->trace, &s->output.main, ev->ev->attr.config,
					     ev->sample.cpu, ev->sample.time, ev->sample.raw);
}

static inline void use_all_replay(struct use_all *u, struct perfdata *pd, struct diag *diag,
				  enum use_all_way way)
{
	struct use_all_script s = { .opt = use_all_options(u, way, diag) };
	struct session_config cfg = { .symbols = s.opt.symbols, .unwinder = s.opt.unwinder };
	struct replay_event ev;
	struct replay *r;
	struct perr e;

	pd_set_text_format(pd, s.opt.text.format);
	if (!use_all_fit(&s.opt.fields, pd, way, !s.opt.text.hide_call_graph))
		return;
	s.opt.text.fields = &s.opt.fields;
	s.opt.text.stop_bt = &s.opt.filter.stop_bt;
	s.output.pd = pd;
	out_init_mem(&s.output.main);
	s.session = session_new(pd, &cfg, diag);
	if (!s.opt.no_join)
		joins_of_session(s.session, 1 + (u->turn & 1), s.opt.text.max_user_stack, &s.joins);
	if (session_begin_pass(s.session, "using all", 0, &e))
		BUG();
	r = replay_new(s.session, !s.opt.no_merge);
	if (s.opt.show_round)
		replay_keep_file_order(r);
	s.trace = tracetext_new(pd);
	s.opt.text.joins = s.joins;
	s.text = sample_text_new(s.session, s.trace, &s.opt.text, 64);
	if (s.opt.dump_raw)
		rawdump_init(&s.dump, pd, RAWDUMP_SCRIPT);
	while (replay_next(r, &ev, &e) == 1) {
		if (s.opt.dump_raw)
			(void)rawdump_record(&s.dump, &s.output.main, &ev.rec);
		if (ev.is_sample)
			use_all_sample(&s, &ev);
		else
			script_output_record(&s.output, &s.opt, s.text, s.session, &ev);
		if (way == USE_ALL_FIELDS)
			record_text(&s.output.main, pd, &ev.rec, NULL);
		use_all_take(u, &s.output.main, USE_ALL_TEXT);
	}
	use_all_take(u, &s.output.main, 0);
	if (s.opt.dump_raw)
		rawdump_fini(&s.dump);
	sample_text_free(s.text);
	join_table_free(s.joins);
	tracetext_free(s.trace);
	replay_free(r);
	session_free(s.session);
	stat_text_fini(&s.output.stat);
	(void)out_fini(&s.output.main);
}

static inline void use_all_script(struct use_all *u, struct diag *diag, enum use_all_way way)
{
	static const char *const stages[] = { "printing samples", "printing all fields and -D",
					      "printing as perf 6.1" };
	struct perfdata *pd;
	struct perr e;

	u->stage = stages[way];
	if (u->open(u->ctx, diag, &pd, &e))
		return;
	u->nr_opened++;
	use_all_replay(u, pd, diag, way);
	pd_close(pd);
}

/* --why */
static inline void use_all_why(struct use_all *u, struct diag *diag)
{
	static const char *const patterns[] = { "w_cpp", "e", "[kernel.kallsyms]",
						"/tmp/w/w_fork" };
	struct session_config cfg = { .symbols = use_all_symbols(u, true, diag) };
	struct perfdata *pd;
	struct perr e;
	struct out o;

	u->stage = "telling where files are looked for";
	if (u->open(u->ctx, diag, &pd, &e))
		return;
	u->nr_opened++;
	out_init_mem(&o);
	(void)!why_print(&o, pd, &cfg, diag, patterns[u->turn / 8 % USE_ARRAY_SIZE(patterns)], &e);
	use_all_take(u, &o, 0);
	(void)out_fini(&o);
	pd_close(pd);
}

static inline void use_all(struct use_all *u)
{
	struct diag diag;
	int way;

	diag_init(&diag);
	use_all_file(u, &diag, false);
	use_all_file(u, &diag, true);
	for (way = USE_ALL_DEFAULT; way <= USE_ALL_PERF_6_1; way++)
		use_all_script(u, &diag, (enum use_all_way)way);
	use_count(u, &diag);
	use_fold(u, &diag);
	use_prep(u, &diag);
	use_pann(u, &diag);
	if (u->turn % 8 == 5)
		use_all_why(u, &diag);
	diag_fini(&diag);
	u->stage = "between recordings";
}

#endif
