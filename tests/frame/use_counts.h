/* SPDX-License-Identifier: MIT */
/*
 * Counts one recording with other options each turn and checks what must hold of any recording: all
 * samples are in rows, and rows do not depend on the number of threads. See use_all.h.
 */
#ifndef TESTS_FRAME_USE_COUNTS_H
#define TESTS_FRAME_USE_COUNTS_H

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "profile/verdict/verdict_text.h"
#include "session/filter.h"
#include "session/session.h"
#include "tests/frame/use_way.h"

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
	use_hash_add(h, fr->has_sym ? hash_bytes(fr->sym->name, strlen(fr->sym->name)) : 2);
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

	/* numbers of stacks and blobs may differ from one count to the next */
	for (i = 0; i < COUNT_COLUMNS; i++)
		if (columns >> i & 1 && i != COUNT_STACK && i != COUNT_RAW)
			use_hash_add(h, count_value(r, i));
	for (i = 0; i < USE_ARRAY_SIZE(frames); i++)
		if (columns >> frames[i] & 1)
			use_hash_frame(h, counts_frame(c, (u32)count_value(r, frames[i])));
	if (columns >> COUNT_STACK & 1)
		use_hash_stack(h, c, count_value(r, COUNT_STACK));
	if (columns >> COUNT_RAW & 1) {
		blob = counts_blob(c, count_value(r, COUNT_RAW));
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
		err |= filter_add_set(&f->cpus, "0-2", "CPUs", &e);
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
	cfg.first_only = turn >> 47 & 1 ? 1u << COUNT_PID | 1u << COUNT_TID : 0;
	cfg.by_file_address = turn >> 46 & 1 && !cfg.by_symbol && !cfg.branch_rows &&
			      !(cfg.columns >> COUNT_ADDR & 1);
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

#endif
