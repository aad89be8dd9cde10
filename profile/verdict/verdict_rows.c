/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_rows.h"

#include <pthread.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "count/count_tails.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "machine/chain_ips.h"
#include "profile/verdict/verdict_callers.h"
#include "profile/verdict/verdict_limits.h"
#include "profile/verdict/verdict_marks.h"
#include "profile/verdict/verdict_modules.h"
#include "profile/verdict/verdict_pointers.h"
#include "profile/verdict/verdict_runtime.h"

#define PIECE_ROWS 4096 /* rows that a thread looks at, at least */

/* The frames of a tail, those of its outer tails included. */
struct tail {
	u64 modules[2]; /* see struct places */
	u32 depth;
	u32 leaf; /* frame */
};

/* What all pieces of the rows have in common. */
struct survey {
	const struct verdict_input *in;
	struct verdict *v;
	u32 columns;        /* that rows have */
	bool hidden_kernel; /* the kernel was recorded, and where it is was not */
	u8 *marks;          /* by frame id, see verdict_marks.h */
	struct tail *tails; /* by number */
	struct idmap wide;  /* frame id -> number + 1 of the module */
	struct verdict_modules modules;
	u32 *of_idx; /* by pd_event.idx: number + 1 in v->events */
	struct piece *pieces;
	size_t nr_pieces;
	pthread_mutex_t runtimes; /* held while a runtime is looked for */
};

struct module_weights {
	struct verdict_weight leaf, any;
};

/* What one thread adds up: rows that follow each other. */
struct piece {
	struct survey *s;
	struct verdict_event *events;   /* as v->events, with sums of its own */
	struct module_weights *modules; /* by number */
	size_t *last_row; /* by module: number + 1 of the row that add_to_wide added last */
	struct verdict_callers callers;
	enum verdict_runtime jit_runtime;
};

static void add(struct verdict_weight *w, const struct count_row *r)
{
	w->samples += r->samples;
	w->period += r->period;
}

/*
 * A frame outside all maps may be anything that a frame pointer held. An address of the upper half
 * counts as the kernel's only if the kernel was recorded without a map: a known kernel has all its
 * code mapped.
 */
static bool is_in_kernel(const struct survey *s, const struct frame *f)
{
	return f->map ? f->map->kernel : (s64)f->ip < 0 && s->hidden_kernel;
}

static u8 mark_of(struct survey *s, u32 id)
{
	const struct frame *f = counts_frame(s->in->counts, id);
	bool kernel = is_in_kernel(s, f);
	u32 module = 0;

	if (!f->map || !f->has_sym)
		module = verdict_modules_add(&s->modules, f, kernel);
	if (module >= MARK_WIDE) {
		idmap_put(&s->wide, id, 0, module);
		module = MARK_WIDE;
	}
	return (u8)(module | (kernel ? MARK_KERNEL : 0));
}

static void look_at_frames(struct survey *s)
{
	size_t i, nr = counts_nr_frames(s->in->counts);

	s->marks = xcalloc(nr, sizeof(*s->marks));
	for (i = 0; i < nr; i++)
		s->marks[i] = mark_of(s, (u32)i);
}

static void look_at_tails(struct survey *s)
{
	size_t i, nr;
	const struct count_tail *t = counts_tails(s->in->counts, &nr);

	s->tails = xcalloc(nr + 1, sizeof(*s->tails));
	for (i = 1; i < nr; i++) {
		unsigned int module = s->marks[t[i].frame] & MARK_MODULE;

		s->tails[i] = s->tails[t[i].outer];
		s->tails[i].modules[module / 64] |= 1ull << module % 64;
		s->tails[i].depth = t[i].depth;
		s->tails[i].leaf = t[i].frame;
	}
}

/* The frames of one row. */
struct places {
	struct stack_iter frames; /* before the first; without those of the tail */
	u32 tail;                 /* number of the tail that the stack ends in; 0: none */
	u32 leaf, last, caller; /* the first frame, the last before the tail, the one before that */
	u32 times;              /* how often the last run of frames appears; 0: there is none */
	u64 depth;              /* frames, repeated ones and those of the tail as well */
	u64 modules[2];         /* bit n: some frame's MARK_MODULE is n */
};

/* Fills in what is known of the places' frames. */
static void survey_places(const struct survey *s, struct places *p)
{
	struct stack_iter it = p->frames;
	struct stack_run run;
	const struct tail *t = &s->tails[p->tail]; /* tail 0 is all zeros */
	u64 modules[2] = { t->modules[0], t->modules[1] };

	while (stack_iter_next_run(&it, &run)) {
		if (!p->depth)
			p->leaf = run.ids[0];
		p->caller = run.nr > 1 ? run.ids[run.nr - 2] : p->last;
		p->last = run.ids[run.nr - 1];
		p->times = run.times;
		p->depth += (u64)run.nr * run.times;
		for (u32 i = 0; i < run.nr; i++) {
			unsigned int module = s->marks[run.ids[i]] & MARK_MODULE;

			if (module) /* 0: the frame has a name */
				modules[module / 64] |= 1ull << module % 64;
		}
	}
	if (!p->depth)
		p->leaf = t->leaf;
	p->depth += t->depth;
	p->modules[0] = modules[0] & ~1ull; /* bit 0: the frame has a name */
	p->modules[1] = modules[1];
}

/* How the chain of a row ended, for events that record chains of addresses. */
static enum verdict_end end_of(const struct survey *s, const struct places *p, bool *ret_lone)
{
	*ret_lone = false;
	if (!p->depth)
		return VERDICT_END_EMPTY;
	if (p->depth >= s->v->max_stack)
		return VERDICT_END_TOO_DEEP;
	/* kernel frames come first */
	if (p->tail)
		return VERDICT_END_USER;
	if (s->marks[p->last] & MARK_KERNEL)
		return VERDICT_END_KERNEL_ONLY;
	*ret_lone = p->depth == 1 || (p->times == 1 && s->marks[p->caller] & MARK_KERNEL);
	return VERDICT_END_USER;
}

/* How an unwound stack copy ended: its row has the unwinder's result. */
static enum verdict_end end_of_copy(u8 end)
{
	switch ((enum unwind_end)((end & ~STACK_JOINED) - STACK_END(0))) {
	case UNWIND_ROOT: return VERDICT_END_COMPLETE;
	case UNWIND_TRUNCATED: return VERDICT_END_TRUNCATED;
	case UNWIND_DEPTH: return VERDICT_END_TOO_DEEP;
	case UNWIND_NO_INFO:
	case UNWIND_NO_OBJECT: return VERDICT_END_NO_INFO;
	case UNWIND_NO_REGS: return VERDICT_END_KERNEL_ONLY;
	case UNWIND_NO_MAP:
	case UNWIND_BAD_INFO:
	case UNWIND_BAD_STACK:
	case UNWIND_NR_ENDS: break;
	}
	return VERDICT_END_BROKEN;
}

/* The object of the outermost frame, the last one, if it is code of a JIT without a jitdump. */
static const struct dso *jit_at_end(const struct survey *s, const struct places *p)
{
	const struct frame *f;

	if (!p->times || p->tail)
		return NULL;
	f = counts_frame(s->in->counts, p->last);
	return f->map && dso_get_desc(f->map->dso)->kind == DSO_JIT &&
			       !dso_get_desc(f->map->dso)->jit
		       ? f->map->dso
		       : NULL;
}

/* True if some user frame lies in no map. */
static bool has_unmapped(const struct survey *s, const struct places *p)
{
	u32 module = s->modules.unmapped[0];

	return module && module < MARK_WIDE && p->modules[module / 64] >> module % 64 & 1;
}

/* The first JIT of the piece whose runtime is known says which one it is. */
static void note_runtime(struct piece *piece, const struct dso *jit)
{
	struct survey *s = piece->s;

	if (piece->jit_runtime)
		return;
	pthread_mutex_lock(&s->runtimes);
	piece->jit_runtime = verdict_runtime_of(s->in->session->machine, jit);
	pthread_mutex_unlock(&s->runtimes);
}

static void look_at_end(struct piece *piece, struct verdict_event *ev, const struct count_row *r,
			const struct places *p)
{
	const struct survey *s = piece->s;
	enum verdict_end end = VERDICT_END_NO_CHAIN;
	const struct dso *jit;
	bool lone = false;

	if (s->columns >> COUNT_END & 1 &&
	    (count_value(r, COUNT_END) & ~STACK_JOINED) != STACK_RECORDED)
		end = end_of_copy((u8)count_value(r, COUNT_END));
	else if (ev->chain != VERDICT_CHAIN_NONE && s->columns >> COUNT_STACK & 1)
		end = end_of(s, p, &lone);
	add(&ev->ends[end], r);
	if (lone)
		add(&ev->lone_user, r);
	if (ev->chain == VERDICT_CHAIN_COPIES ? end == VERDICT_END_TRUNCATED
					      : lone || has_unmapped(s, p))
		verdict_callers_add(
			&piece->callers,
			&(struct verdict_marks){ s->in->counts, s->marks, s->modules.unmapped },
			p->frames, p->tail, r);
	if (end == VERDICT_END_NO_INFO && (jit = jit_at_end(s, p))) {
		add(&ev->jit_ends, r);
		note_runtime(piece, jit);
	}
}

/* Adds the row to the frame's module, if its number is too large for a mark: once for each row. */
static void add_wide(struct piece *piece, const struct count_row *r, size_t row, u32 id)
{
	const struct survey *s = piece->s;
	u32 module;

	if ((s->marks[id] & MARK_MODULE) != MARK_WIDE)
		return;
	module = idmap_get(&s->wide, id, 0);
	if (piece->last_row[module - 1] == row + 1)
		return;
	piece->last_row[module - 1] = row + 1;
	add(&piece->modules[module - 1].any, r);
}

/* Adds the row, once each, to those of its modules whose numbers are too large for a mark. */
static void add_to_wide(struct piece *piece, const struct count_row *r, size_t row,
			const struct places *p)
{
	size_t nr;
	const struct count_tail *tails = counts_tails(piece->s->in->counts, &nr);
	struct stack_iter it = p->frames;
	struct stack_run run;

	while (stack_iter_next_run(&it, &run))
		for (u32 i = 0; i < run.nr; i++)
			add_wide(piece, r, row, run.ids[i]);
	for (u32 t = p->tail; t; t = tails[t].outer)
		add_wide(piece, r, row, tails[t].frame);
}

static void look_at_names(struct piece *piece, struct verdict_event *ev, const struct count_row *r,
			  size_t row, const struct places *p)
{
	const struct survey *s = piece->s;
	u32 module;

	if (!p->modules[0] && !p->modules[1])
		return;
	add(&ev->any_unnamed, r);
	module = s->marks[p->leaf] & MARK_MODULE;
	if (module) {
		if (module == MARK_WIDE)
			module = idmap_get(&s->wide, p->leaf, 0);
		add(&ev->leaf_unnamed, r);
		add(&piece->modules[module - 1].leaf, r);
	}
	for (u32 word = 0; word < 2; word++) {
		for (u64 left = p->modules[word]; left; left &= left - 1) {
			module = word * 64 + (u32)__builtin_ctzll(left);
			if (module == MARK_WIDE)
				add_to_wide(piece, r, row, p);
			else
				add(&piece->modules[module - 1].any, r);
		}
	}
}

/* The frame ids of a row without a stack: both ends of a branch, or the sampled address. */
static size_t own_places(const struct survey *s, const struct count_row *r, u32 ret[2])
{
	size_t n = 0;

	if (s->columns & 1u << COUNT_BRANCH_TO)
		ret[n++] = (u32)count_value(r, COUNT_BRANCH_TO);
	if (s->columns & 1u << COUNT_BRANCH_FROM)
		ret[n++] = (u32)count_value(r, COUNT_BRANCH_FROM);
	if (!n && s->columns & 1u << COUNT_IP)
		ret[n++] = (u32)count_value(r, COUNT_IP);
	return n;
}

static void look_at_row(struct piece *piece, struct verdict_event *ev, size_t row)
{
	const struct survey *s = piece->s;
	const struct count_row *r = &s->in->counts->rows[row];
	struct places p = { 0 };
	u32 own[2];

	add(&ev->all, r);
	if (s->columns >> COUNT_STACK & 1) {
		stack_iter_init(&p.frames, s->in->counts, count_value(r, COUNT_STACK));
		p.tail = stack_iter_take_tail(&p.frames);
	}
	survey_places(s, &p);
	look_at_end(piece, ev, r, &p);
	if (!p.depth || s->in->config->branch_rows) {
		p = (struct places){ 0 };
		stack_iter_init_ids(&p.frames, own, own_places(s, r, own));
		survey_places(s, &p);
	}
	look_at_names(piece, ev, r, row, &p);
}

/* Moves a row that was counted but is not wanted from the counted samples to the filtered ones. */
static void leave_out(const struct survey *s, struct verdict_event *ev, const struct count_row *r)
{
	if (s->in->config->branch_rows) /* other branches of the sample may be wanted */
		return;
	ev->totals.samples -= r->samples;
	ev->totals.period -= r->period;
	ev->totals.filtered += r->samples;
	ev->totals.filtered_period += r->period;
}

static void piece_init(struct piece *p, struct survey *s)
{
	const struct verdict *v = s->v;

	p->s = s;
	p->events = xcalloc(v->nr_events + 1, sizeof(*p->events));
	for (size_t i = 0; i < v->nr_events; i++)
		p->events[i].chain = v->events[i].chain;
	p->modules = xcalloc(v->nr_modules + 1, sizeof(*p->modules));
	p->last_row = xcalloc(v->nr_modules + 1, sizeof(*p->last_row));
}

static void look_at_piece(void *ctx, size_t i)
{
	struct survey *s = ctx;
	struct piece *p = &s->pieces[i];
	const struct counts *c = s->in->counts;
	size_t row = c->nr_rows * i / s->nr_pieces, end = c->nr_rows * (i + 1) / s->nr_pieces;

	piece_init(p, s);
	for (; row < end; row++) {
		u32 idx = c->rows[row].event;

		if (idx >= c->nr_events || !s->of_idx[idx])
			continue;
		if (s->in->wanted_rows && !s->in->wanted_rows[row])
			leave_out(s, &p->events[s->of_idx[idx] - 1], &c->rows[row]);
		else
			look_at_row(p, &p->events[s->of_idx[idx] - 1], row);
	}
}

static void add_weight(struct verdict_weight *to, const struct verdict_weight *w)
{
	to->samples += w->samples;
	to->period += w->period;
}

/* Adds a piece's sums; what it has left out of the totals is below zero, and wraps around. */
static void add_event(struct verdict_event *to, const struct verdict_event *ev)
{
	to->totals.samples += ev->totals.samples;
	to->totals.period += ev->totals.period;
	to->totals.filtered += ev->totals.filtered;
	to->totals.filtered_period += ev->totals.filtered_period;
	add_weight(&to->all, &ev->all);
	add_weight(&to->leaf_unnamed, &ev->leaf_unnamed);
	add_weight(&to->any_unnamed, &ev->any_unnamed);
	add_weight(&to->lone_user, &ev->lone_user);
	add_weight(&to->jit_ends, &ev->jit_ends);
	for (int i = 0; i < VERDICT_ENDS; i++)
		add_weight(&to->ends[i], &ev->ends[i]);
}

/* Pieces are added in their order, so that what comes first in them is the first of all rows. */
static void add_piece(struct verdict *v, struct verdict_callers *callers, struct piece *p)
{
	for (size_t i = 0; i < v->nr_events; i++)
		add_event(&v->events[i], &p->events[i]);
	for (size_t i = 0; i < v->nr_modules; i++) {
		add_weight(&v->modules[i].leaf, &p->modules[i].leaf);
		add_weight(&v->modules[i].any, &p->modules[i].any);
	}
	verdict_callers_move(callers, &p->callers);
	if (!v->jit_runtime)
		v->jit_runtime = p->jit_runtime;
	free(p->events);
	free(p->modules);
	free(p->last_row);
}

static void look_at_rows(struct survey *s)
{
	unsigned int threads = s->in->config->threads;
	struct verdict_callers callers = { 0 };

	if (!threads)
		threads = parallel_nr_cpus();
	s->nr_pieces = s->in->counts->nr_rows / PIECE_ROWS + 1;
	if (s->nr_pieces > threads)
		s->nr_pieces = threads;
	s->pieces = xcalloc(s->nr_pieces, sizeof(*s->pieces));
	pthread_mutex_init(&s->runtimes, NULL);
	parallel_run(threads, s->nr_pieces, look_at_piece, s);
	pthread_mutex_destroy(&s->runtimes);
	for (size_t i = 0; i < s->nr_pieces; i++)
		add_piece(s->v, &callers, &s->pieces[i]);
	free(s->pieces);
	verdict_callers_finish(&callers, s->in->session->machine, s->v);
}

void verdict_look_at_rows(const struct verdict_input *in, struct verdict *v, u32 columns)
{
	const struct machine *mc = in->session->machine;
	struct survey s = { .in = in,
			    .v = v,
			    .columns = columns,
			    .hidden_kernel = !mc->kernel_map && pd_records_kernel(in->session->pd),
			    .modules = { .v = v, .machine = in->session->machine } };

	look_at_frames(&s);
	look_at_tails(&s);
	s.of_idx = verdict_list_events(in, v);
	look_at_rows(&s);
	verdict_look_at_pointers(in, v, s.marks, s.of_idx);
	free(s.of_idx);
	free(s.marks);
	free(s.tails);
	idmap_fini(&s.wide);
	verdict_modules_fini(&s.modules);
}
