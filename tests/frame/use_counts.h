/* SPDX-License-Identifier: MIT */
/*
 * Counts one recording and prints the counts in every way that pfold and prep have, two or three of
 * them each turn. What must hold of any recording is checked on the way: all samples are in rows,
 * rows do not depend on the number of threads, folded lines sum up.
 */
#ifndef TESTS_FRAME_USE_COUNTS_H
#define TESTS_FRAME_USE_COUNTS_H

#include "base/hash.h"
#include "base/mem.h"
#include "count/count_tails.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "fold/fold_diff.h"
#include "profile/event_choice.h"
#include "report/text/header_text.h"
#include "report/prep/prep_diff.h"
#include "report/prep/prep_report.h"
#include "report/prep/prep_stats.h"
#include "profile/verdict/verdict_text.h"
#include "tests/frame/use_way.h"

#define USE_ARRAY_SIZE(a) (sizeof(a) / sizeof(*(a)))

/* --- counts ----------------------------------------------------------------------------------- */

struct use_hash {
	u64 v;
	bool inlines, lines; /* of frames: what was inlined, and its source lines */
};

static inline void use_hash_add(struct use_hash *h, u64 v)
{
	h->v = hash_pair(h->v, v);
}

/* What was inlined at a frame's place. */
static inline void use_hash_inlines(struct use_hash *h, const struct frame *fr)
{
	const struct inline_frame *in;
	size_t n = h->lines ? frame_inlines_with_lines(fr, &in) : frame_inlines(fr, &in), i;

	for (i = 0; i < n; i++) {
		use_hash_add(h, hash_bytes(in[i].name, strlen(in[i].name)));
		if (h->lines && in[i].file)
			use_hash_add(h, hash_bytes(in[i].file, strlen(in[i].file)));
		use_hash_add(h, h->lines ? in[i].line : in[i].is_inlined);
	}
}

static inline void use_hash_frame(struct use_hash *h, const struct frame *fr)
{
	use_hash_add(h, fr->ip);
	use_hash_add(h, fr->map ? fr->map->start : 1);
	use_hash_add(h, fr->has_sym ? hash_bytes(fr->sym.name, strlen(fr->sym.name)) : 2);
	if (h->inlines)
		use_hash_inlines(h, fr);
}

static inline void use_hash_stack(struct use_hash *h, const struct counts *c, u64 stack)
{
	struct stack_iter it;
	struct stack_run run;

	stack_iter_init(&it, c, stack);
	while (stack_iter_next_run(&it, &run)) {
		use_hash_add(h, run.nr);
		use_hash_add(h, run.times);
		for (u32 i = 0; i < run.nr; i++)
			use_hash_frame(h, counts_frame(c, run.ids[i]));
	}
}

/* All that a row refers to. */
static inline void use_hash_row(struct use_hash *h, const struct counts *c, u32 columns,
				const struct count_row *r)
{
	static const u8 frames[] = { COUNT_IP, COUNT_ADDR, COUNT_BRANCH_FROM, COUNT_BRANCH_TO };
	struct span blob;
	size_t i;

	/* numbers of stacks and blobs are not told to be the same each time */
	for (i = 0; i < COUNT_COLUMNS; i++)
		if (columns >> i & 1 && i != COUNT_STACK && i != COUNT_RAW)
			use_hash_add(h, r->v[i]);
	for (i = 0; i < USE_ARRAY_SIZE(frames); i++)
		if (columns >> frames[i] & 1)
			use_hash_frame(h, counts_frame(c, (u32)r->v[frames[i]]));
	if (columns >> COUNT_STACK & 1)
		use_hash_stack(h, c, r->v[COUNT_STACK]);
	if (columns >> COUNT_RAW & 1) {
		blob = counts_blob(c, r->v[COUNT_RAW]);
		use_hash_add(h, blob.n ? hash_bytes(blob.p, blob.n) : 0);
	}
	use_hash_add(h, r->event);
	use_hash_add(h, r->samples);
	use_hash_add(h, r->period);
	use_hash_add(h, r->first);
}

/* Every sample that was counted is in one row. */
static inline void use_check_totals(const struct counts *c)
{
	struct count_totals *sums = xcalloc(c->nr_events + 1, sizeof(*sums));
	size_t i;

	for (i = 0; i < c->nr_rows; i++) {
		if (c->rows[i].event >= c->nr_events)
			BUG();
		sums[c->rows[i].event].samples += c->rows[i].samples;
		sums[c->rows[i].event].period += c->rows[i].period;
	}
	for (i = 0; i < c->nr_events; i++)
		if (sums[i].samples != c->events[i].samples ||
		    sums[i].period != c->events[i].period)
			BUG();
	free(sums);
}

static inline void use_filter_init(struct filter *f, u64 turn)
{
	static const char *const comms[] = { "prog", "swapper", "w_fork", "perf", "w_simple" };
	static const char *const dsos[] = { "[kernel.kallsyms]", "w_simple", "[unknown]" };
	static const char *const times[] = { "0%-50%", "0.000001,", "10%/2" };
	struct perr e;
	size_t i;
	int err = 0;

	*f = (struct filter){ 0 };
	for (i = 0; turn & 1 && i < USE_ARRAY_SIZE(comms); i++)
		err |= filter_add_names(&f->comms, comms[i], &e);
	if (turn & 2)
		err |= filter_set_cpus(f, "0-2", &e);
	if (turn & 4)
		err |= filter_set_time(f, times[turn % 3], 1000, 1u << 30, &e);
	if (turn & 8)
		err |= filter_add_names(&f->dsos, dsos[turn % 3], &e);
	if (turn & 16)
		err |= filter_add_names(&f->symbols, "main,depth(int),0x401000", &e);
	if (turn & 32)
		err |= filter_add_numbers(turn & 1 ? &f->pids : &f->tids, "7,8", &e);
	if (err)
		BUG();
}

static inline struct counts_config use_counts_config(u64 turn, const struct filter *f)
{
	static const u32 max_stack[] = { 0, UINT32_MAX, 1, 3 };
	struct counts_config cfg = {
		.columns = (1u << COUNT_COLUMNS) - 1,
		.max_stack = max_stack[turn % 4],
		.branch_rows = turn / 4 % 4 == 3,
		.by_symbol = turn / 4 % 4 == 2,
		.keep_deferred_apart = turn / 16 & 1,
		.time_quantum_ns = turn / 32 & 1 ? 1 : 0,
		.max_mem = turn / 64 % 4 == 3 ? 1 : 0,
		.filter = turn / 256 & 1 ? f : NULL,
		.no_join = turn >> 40 & 1,
		.no_unwind = (turn >> 41 & 7) == 7,
		.max_user_stack = turn >> 44 & 1 ? 0 : 5,
		.keep_inlines = turn >> 45 & 1,
	};

	if (cfg.by_symbol)
		cfg.columns = 1u << COUNT_COMM | 1u << COUNT_TID | 1u << COUNT_CPUMODE |
			      1u << COUNT_IP | 1u << COUNT_STACK;
	else if (turn / 512 & 1)
		cfg.columns &= (u32)hash_u64(turn);
	if (!cfg.branch_rows)
		cfg.columns &= (1u << COUNT_BRANCH_FROM) - 1;
	return cfg;
}

static inline void use_verdict(struct use_all *u, struct out *o, const struct verdict_input *in)
{
	struct verdict *v = verdict_new(in);
	const struct verdict *const list[] = { v, v };

	verdict_print_text(o, "test", v, u->turn & 1);
	verdict_print_json(o, "test", list, 2, NULL);
	verdict_free(v);
	v = verdict_new_losses(in, &in->counts->stats);
	verdict_print_text(o, "test", v, u->turn & 1);
	verdict_free(v);
	use_all_take(u, o, 0);
}

/* What came out, as a number. */
static inline u64 use_count_once(struct use_all *u, struct diag *diag, unsigned int threads)
{
	u64 turn = hash_u64(u->turn);
	struct session_config cfg = { .symbols = use_all_symbols(u, turn >> 60 & 1, diag),
				      .unwinder = use_all_unwinder(u) };
	struct counts_config counts;
	struct use_hash h = { .inlines = turn >> 61 & 1, .lines = turn >> 62 & 1 };
	struct counts *c = NULL;
	struct filter filter;
	struct perfdata *pd;
	struct session *s;
	struct out o;
	struct perr e;
	size_t i;

	if (u->open(u->ctx, diag, &pd, &e))
		return 0;
	u->nr_opened++;
	use_filter_init(&filter, turn >> 16);
	counts = use_counts_config(turn, &filter);
	counts.threads = threads;
	s = session_new(pd, &cfg, diag);
	use_hash_add(&h, (u64)counts_run(s, &counts, &c, &e));
	if (c) {
		counts_resolve(c);
		u->nr_rows += c->nr_rows;
		for (i = 0; i < c->nr_rows; i++)
			use_hash_row(&h, c, counts.columns, &c->rows[i]);
		use_hash_add(&h, c->unwound.stacks);
		use_hash_add(&h, c->unwound.frames);
		use_hash_add(&h, c->unwound.guessed);
		use_hash_add(&h, c->unwound.joined);
		use_hash_add(&h, c->unwound.joined_frames);
		use_hash_add(&h, c->first_time);
		use_hash_add(&h, c->last_time);
		if (!counts.branch_rows)
			use_check_totals(c);
		out_init_mem(&o);
		use_verdict(
			u, &o,
			&(struct verdict_input){
				.input = "file", .session = s, .counts = c, .config = &counts });
		(void)out_fini(&o);
	}
	/* where the limit is met depends on the threads */
	if (counts.max_mem)
		h.v = 0;
	counts_free(c);
	session_free(s);
	pd_close(pd);
	filter_fini(&filter);
	return h.v;
}

static inline void use_count(struct use_all *u, struct diag *diag)
{
	u->stage = "counting";
	if (use_count_once(u, diag, 1) != use_count_once(u, diag, u->turn & 1 ? 2 : 3))
		BUG();
}

/* --- pfold ------------------------------------------------------------------------------------ */

static inline void use_fold_print(struct use_all *u, struct folded *f)
{
	struct perr e;
	struct out o;
	int err;

	if (folded_total(f, 0) != folded_total(f, 1))
		BUG();
	out_init_mem(&o);
	/* these tell of lines that do not sum up */
	err = folded_print(f, &o, &e);
	use_all_take(u, &o, 0);
	err |= fold_diff_print(f, u->turn & 2, &o, &e);
	use_all_take(u, &o, 0);
	if (err)
		BUG();
	(void)out_fini(&o);
}

/* A recording and itself. */
static inline void use_fold_add(struct use_all *u, struct perfdata *pd, struct diag *diag,
				const struct folded_config *cfg)
{
	struct session_config session = { .symbols = use_all_symbols(u, u->turn & 1, diag),
					  .unwinder = use_all_unwinder(u) };
	struct counts_config config = { .threads = cfg->threads, .no_join = u->turn & 2 };
	struct counts *c = NULL;
	struct session *s;
	bool *wanted;
	char *choices = NULL;
	struct folded *f;
	struct perr e;

	session.symbols.no_demangle = cfg->names.names == FUNCTION_NAMES_RAW;
	folded_want(cfg, pd, &config);
	s = session_new(pd, &session, diag);
	(void)!counts_run(s, &config, &c, &e);
	if (c) {
		counts_resolve(c);
		wanted = xcalloc(c->nr_events + 1, sizeof(*wanted));
		if (event_choose_one(pd, c, u->turn & 1 ? "cycles" : NULL, wanted, &choices, &e))
			memset(wanted, true, c->nr_events);
		f = folded_new(cfg);
		folded_name_frames(f, c);
		folded_add(f, s, c, wanted, 0);
		folded_add(f, s, c, wanted, 1);
		counts_free(c);
		use_fold_print(u, f);
		folded_free(f);
		free(wanted);
		free(choices);
	}
	session_free(s);
}

static inline void use_fold(struct use_all *u, struct diag *diag)
{
	u64 turn = hash_u64(u->turn + 1);
	const struct folded_config cfg = {
		.names = { .names = (enum function_names)(turn % 4),
			   .mark_kernel = turn / 4 & 1,
			   .mark_jit = turn / 8 & 1,
			   .inlines = turn / 256 & 1 },
		.marks = turn / 512 & 1,
		.root = (enum fold_root)(turn / 16 % 4),
		.weight = turn / 64 & 1 ? FOLD_WEIGHT_SAMPLES : FOLD_WEIGHT_PERIOD,
		.threads = 1 + (unsigned int)(turn / 128 & 1),
	};
	struct perfdata *pd;
	struct perr e;

	u->stage = "folding";
	if (u->open(u->ctx, diag, &pd, &e))
		return;
	u->nr_opened++;
	use_fold_add(u, pd, diag, &cfg);
	pd_close(pd);
}

/* --- prep ------------------------------------------------------------------------------------- */

/* Command lines without the name; blanks separate words. */
static const char *const use_prep_options[] = {
	"",
	"--header -I -v",
	"--header-only",
	"--stats",
	"--tasks",
	"--mmaps",
	"-D",
	"--no-children",
	"--no-children -g graph,0,caller",
	"--no-children -g fractal,0,callee,address,period -G",
	"--no-children -g flat,0,callee,function,count --max-stack 2",
	"--no-children -g folded,0,caller,srcline,count -t ;",
	"--children -g fractal,0.1,caller,address,percent --percent-limit 0",
	"--children -g graph,0,4,callee,srcline,period -s dso,sym -n",
	"--children -g folded,0 -F +period --stdio-color always",
	"--no-children -H -g graph,0,caller",
	"-H -g none -s comm,dso,sym,cpu,pid --percent-limit 0.5 -n --show-total-period",
	"-H -s trace,comm -U",
	"-g none --group -n --show-cpu-utilization",
	"-g none --group --group-sort-idx 1 --no-skip-empty",
	"-g none --no-group -F overhead,overhead_sys,overhead_us,sample,period,comm,sym -w 8,4,0,9",
	"-g none -s pid,tgid,comm,comm_nodigit,cpu,socket,time,cgroup,cgroup_id --ns",
	"-g none -s dso,dso_size,symbol,symbol_size,symoff,addr,srcline,srcfile -v",
	"-g none -s local_weight,weight,transaction,simd,code_page_size,sym --time-quantum 1ms",
	"-g none -s ins_lat,local_ins_lat,p_stage_cyc,local_p_stage_cyc,retire_lat",
	"-g none -s local_retire_lat,comm -F +weight3",
	"-g none -F overhead,weight1,weight2,weight3,sample,sym",
	"-g none -s trace --raw-trace",
	"-g none -s trace_fields,comm -n",
	"-g none -s next_comm,prev_pid -F +sample",
	"-g graph,0,caller -p . -x -s parent,sym",
	"-g graph,0,callee --ignore-callees main|depth -s sym",
	"-g none --mem-mode",
	"-g none --mem-mode -s symbol_daddr,dso_daddr,symbol_iaddr,phys_daddr,data_page_size",
	"-g none --mem-mode -s blocked,sym",
	"-g none --mem-mode -s dcacheline,snoop,locked,tlb,mem,local_weight -n",
	"--no-branch-stack -g graph,0",
	"-b -s comm,dso_from,symbol_from,dso_to,symbol_to,mispredict,cycles",
	"-b -s srcline_from,srcline_to,addr_from,addr_to -n",
	"-b -s in_tx,abort,symbol_to,dso_to -n -U",
	"-s sym,ipc_null,comm",
	"-b -H -s symbol_from,symbol_to",
	"--comms prog,w_fork,w_simple --percentage relative",
	"--dsos [kernel.kallsyms],w_simple --time 0%-60% -g graph,0,caller",
	"-S main --symbol-filter e --pid 7,8 -q",
	"--tid 8 -C 0 --socket-filter 0 -U -T",
	"-C 0-3 --comms swapper,w_fork -s cpu,socket,comm",
	"--time 10%/3 -t , --max-mem 1",
	"--no-inline -g graph,0,caller",
	"--no-join -g graph,0,caller,function -s comm,sym",
	"--inline -g graph,0,caller,srcline -s comm,dso",
	"--no-inline --no-join -g folded,0,caller,address",
	"--max-stack 4 -g graph,0,callee -s sym,srcline",
	"--unwinder libdw -g graph,0,caller -s comm",
	"--unwinder libunwind -g graph,0,caller -s comm",
};

/* What was printed, as a number. */
static inline u64 use_prep_run(struct use_all *u, struct perfdata *pd, struct prep_options *opt,
			       struct diag *diag, struct out *o)
{
	const struct reader_command rc = { .prog = "prep",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt->pager,
					   .diag = diag,
					   .quality = opt->quality };
	struct verdict *verdict = NULL;
	struct perr e;
	size_t head;
	u64 hash;
	int err;

	if (opt->header || opt->header_only) {
		header_text_print(o, pd, opt->show_info);
		if (pd->kind == PD_PIPE)
			header_text_print_features(o, pd, opt->show_info);
	}
	head = o->len; /* of pipes the header tells what time it is */
	if (opt->dump_raw)
		err = prep_dump_print(o, pd, &e);
	else if (opt->stats)
		err = prep_stats_print(o, pd, &e);
	else if (opt->tasks || opt->mmaps)
		err = prep_tasks_print(o, pd, &opt->symbols, opt->mmaps, diag, &e);
	else
		err = opt->header_only ? 0 : prep_report(&rc, opt, pd, o, &verdict, &e);
	if (err > 0)
		BUG();
	if (verdict)
		verdict_print_text(o, "test", verdict, false);
	verdict_free(verdict);
	hash = hash_pair((u64)err, o->len > head ? hash_bytes(o->buf + head, o->len - head) : 0);
	use_all_take(u, o, 0);
	return hash;
}

static inline u64 use_prep(struct use_all *u, struct diag *diag, u64 which, unsigned int threads)
{
	struct use_words words =
		use_words_of("prep", use_prep_options[which % USE_ARRAY_SIZE(use_prep_options)]);
	struct prep_options opt = { 0 };
	struct perfdata *pd;
	struct perr e;
	struct out o;
	u64 ret = 0;

	u->stage = "reporting as prep";
	if (prep_options_parse(&opt, diag, words.nr, words.argv) >= 0)
		BUG();
	opt.symbols = use_all_symbols(u, u->turn & 1, diag);
	opt.nr_threads = threads;
	if (!u->open(u->ctx, diag, &pd, &e)) {
		u->nr_opened++;
		out_init_mem(&o);
		ret = use_prep_run(u, pd, &opt, diag, &o);
		(void)out_fini(&o);
		pd_close(pd);
	}
	prep_options_fini(&opt);
	use_words_fini(&words);
	return ret;
}

/* prep opens the two that it compares itself. */
static inline void use_prep_diff(struct use_all *u, struct diag *diag)
{
	struct prep_options opt = {
		.input = u->path,
		.diff_to = u->path,
		.symbols = use_all_symbols(u, u->turn & 1, diag),
		.nr_threads = 1 + (u->turn & 1),
		.table = { .socket = -1 },
	};
	const struct reader_command rc = { .prog = "prep",
					   .output = stdout,
					   .messages = stderr,
					   .pager = &opt.pager,
					   .diag = diag,
					   .quality = opt.quality };
	struct prep_diff diff = { .rc = &rc, .opt = &opt };
	struct perr e;
	struct out o;

	u->stage = "comparing as prep";
	out_init_mem(&o);
	(void)!prep_diff_print(&diff, &o, &e);
	for (int i = 0; i < PREP_DIFF_SIDES; i++)
		verdict_free(diff.verdicts[i]);
	use_all_take(u, &o, 0);
	(void)out_fini(&o);
}

static inline void use_all_counts(struct use_all *u, struct diag *diag)
{
	u64 other = hash_u64(u->turn);

	use_count(u, diag);
	use_fold(u, diag);
	if (use_prep(u, diag, u->turn, 1) != use_prep(u, diag, u->turn, 2))
		BUG();
	(void)use_prep(u, diag, other, 1 + (other >> 32 & 1));
	if (u->path && u->turn % 4 == 0)
		use_prep_diff(u, diag);
}

#endif
