/* SPDX-License-Identifier: MIT */
#include "fold/folded.h"

#include "base/hash.h"
#include "base/parallel.h"
#include "count/count_tails.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "fold/fold_chart.h"
#include "fold/fold_marks.h"
#include "fold/fold_frames.h"
#include "fold/fold_roots.h"
#include "fold/fold_shares.h"
#include "machine/chain_ips.h"

/*
 * Bits of the entries of a struct line that are not names: the name before it appears that many
 * times more; the names of the tail with that number.
 */
#define LINE_REPEAT (FOLD_IS_LIST >> 1)
#define LINE_TAIL (FOLD_IS_LIST >> 2)

#define PIECE_ROWS 4096 /* rows that a thread folds at least */
#define AHEAD 16        /* how many rows before its turn a row is prefetched */

struct folded {
	struct folded_config cfg;
	struct fold_tree tree;     /* of escaped names */
	struct fold_frames frames; /* of the recording that folded_name_frames saw last */
	struct fold_chart chart;
	u64 totals[FOLD_SIDES];
};

/*
 * A row as entries from the root on: names as in struct fold_frames, LINE_REPEATs and LINE_TAILs;
 * and the tree's node after each entry.
 */
struct line {
	u32 *names, *nodes;
	size_t n, cap_names, cap_nodes;
	struct stack_run *runs; /* of the stack that is being named */
	size_t cap_runs;
};

/* A share of the rows, which one thread puts into a tree. */
struct piece {
	struct fold_tree *tree; /* the recording's, or `own`, which is merged into it at the end */
	struct fold_tree own;
	struct line now, last;   /* of this row and the one before: they often begin alike */
	struct idmap tail_nodes; /* (node, tail) -> the tail's node below it */
	u32 *path;               /* tails without a node, while add_tail makes them */
	size_t cap_path;
};

/* Adding the rows of one recording. */
struct fold_job {
	struct folded *f;
	const struct session *s;
	const struct counts *c;
	const bool *wanted;
	unsigned int side;
	u32 *roots;                /* by row: the root's name; NULL without roots */
	u32 marks[UNWIND_NR_ENDS]; /* names of the frames that say how a stack ended */
	u32 waits[PD_NR_OFFCPU];   /* with wall: names of the frames that say how a thread waits */
	bool has_ends;             /* rows say how their stacks ended, and marks are wanted */
	const struct count_tail *tails;
	struct piece *pieces;
	struct fold_share *shares; /* of the pieces */
	size_t nr_pieces;
	size_t merged; /* the trees of so many pieces are one already */
};

void folded_want(const struct folded_config *cfg, const struct perfdata *pd,
		 struct counts_config *counts)
{
	counts->columns = 1u << COUNT_STACK | 1u << COUNT_IP;
	if (cfg->root == FOLD_ROOT_CGROUP)
		counts->columns |= 1u << COUNT_CGROUP;
	else if (cfg->root != FOLD_ROOT_NONE)
		counts->columns |= 1u << COUNT_COMM;
	if (cfg->root == FOLD_ROOT_PID || cfg->root == FOLD_ROOT_TID)
		counts->columns |= 1u << COUNT_PID;
	if (cfg->root == FOLD_ROOT_TID)
		counts->columns |= 1u << COUNT_TID;
	if (cfg->wall)
		counts->columns |= 1u << COUNT_OFFCPU;
	if (cfg->marks && pd_has_stack_ends(pd))
		counts->columns |= 1u << COUNT_END;
	if (cfg->chart) {
		counts->columns |= 1u << COUNT_TIME;
		counts->time_quantum_ns = 1;
	}
	counts->by_symbol = true;
	counts->keep_inlines = cfg->names.inlines;
}

struct folded *folded_new(const struct folded_config *cfg)
{
	struct folded *f = xcalloc(1, sizeof(*f));

	f->cfg = *cfg;
	fold_tree_init(&f->tree);
	return f;
}

void folded_free(struct folded *f)
{
	if (!f)
		return;
	fold_frames_fini(&f->frames);
	fold_tree_fini(&f->tree);
	fold_chart_fini(&f->chart);
	free(f);
}

struct fold_tree *folded_tree(struct folded *f)
{
	return &f->tree;
}

void folded_add_total(struct folded *f, unsigned int side, u64 weight)
{
	f->totals[side] += weight;
}

void folded_chart(struct folded *f, struct flame *ret)
{
	fold_chart_draw(&f->chart, &f->tree, ret);
}

u64 folded_total(const struct folded *f, unsigned int side)
{
	return f->totals[side];
}

static unsigned int nr_threads_of(const struct folded *f)
{
	return f->cfg.threads ? f->cfg.threads : parallel_nr_cpus();
}

/* --- marks ------------------------------------------------------------------------------------ */

static void make_marks(struct fold_job *a, u32 columns)
{
	a->has_ends = a->f->cfg.marks && columns >> COUNT_END & 1;
	for (int i = 0; a->has_ends && i < UNWIND_NR_ENDS; i++)
		a->marks[i] = intern_n(&a->f->tree.names, fold_mark_of_end((enum unwind_end)i),
				       strlen(fold_mark_of_end((enum unwind_end)i)));
}

static void make_waits(struct fold_job *a)
{
	for (int i = 0; a->f->cfg.wall && i < PD_NR_OFFCPU; i++)
		a->waits[i] = intern_str(&a->f->tree.names, pd_offcpu_frame((enum pd_offcpu)i));
}

/* Finds the mark above a row's stack. False: its end is not known, or it is the thread's start. */
static bool find_mark(const struct fold_job *a, const struct count_row *r, u32 *ret)
{
	u8 end = a->has_ends ? (u8)count_value(r, COUNT_END) & ~STACK_JOINED : STACK_RECORDED;

	if (end == STACK_RECORDED || end == STACK_ROOT)
		return false;
	*ret = a->marks[end - STACK_END(0)];
	return true;
}

/* --- lines of a piece ------------------------------------------------------------------------- */

static void name_line(const struct fold_job *a, struct line *l, size_t row)
{
	const struct count_row *r = &a->c->rows[row];
	u32 own = (u32)count_value(r, COUNT_IP), tail;
	size_t nr_runs = 0, nr_frames = 0, n = 0;
	struct stack_run run;
	struct stack_iter it;

	stack_iter_init(&it, a->c, count_value(r, COUNT_STACK));
	tail = stack_iter_take_tail(&it);
	while (stack_iter_next_run(&it, &run)) {
		vec_push(l->runs, nr_runs, l->cap_runs, run);
		nr_frames += run.nr;
	}
	if (!nr_runs && !tail)
		vec_push(l->runs, nr_runs, l->cap_runs, ((struct stack_run){ &own, 1, 1 }));
	vec_reserve(l->names, l->cap_names, nr_frames + nr_runs + 4);
	if (a->roots)
		l->names[n++] = a->roots[row];
	if (find_mark(a, r, &l->names[n]))
		n++;
	if (tail)
		l->names[n++] = LINE_TAIL | tail;
	while (nr_runs) {
		run = l->runs[--nr_runs];
		for (u32 i = run.nr; i;)
			l->names[n++] = a->f->frames.names[run.ids[--i]];
		if (run.times > 1)
			l->names[n++] = LINE_REPEAT | (run.times - 1);
	}
	if (a->f->cfg.wall && count_value(r, COUNT_OFFCPU))
		l->names[n++] = a->waits[count_value(r, COUNT_OFFCPU) - 1];
	l->n = n;
}

/* Adds a name, or a list of names, below a node. Returns the lowest node. */
static u32 add_name(const struct fold_job *a, struct piece *p, u32 node, u32 name)
{
	const u32 *list;

	if (!(name & FOLD_IS_LIST))
		return fold_tree_child(p->tree, node, name);
	list = &a->f->frames.lists[name & ~FOLD_IS_LIST];
	for (u32 i = 1; i <= *list; i++)
		node = fold_tree_child(p->tree, node, list[i]);
	return node;
}

/* Adds the frames of a tail below `top`. Returns the node of the innermost one. */
static u32 add_tail(const struct fold_job *a, struct piece *p, u32 top, u32 tail)
{
	u32 node = top, known = IDMAP_NONE;
	size_t nr = 0;

	for (; tail; tail = a->tails[tail].outer) {
		known = idmap_get(&p->tail_nodes, top, tail);
		if (known != IDMAP_NONE)
			break;
		vec_push(p->path, nr, p->cap_path, tail);
	}
	if (known != IDMAP_NONE)
		node = known;
	while (nr--) {
		node = add_name(a, p, node, a->f->frames.names[a->tails[p->path[nr]].frame]);
		idmap_put(&p->tail_nodes, top, p->path[nr], node);
	}
	return node;
}

/* Adds the names of p->now. Returns the node where the line ends. */
static u32 add_line(const struct fold_job *a, struct piece *p)
{
	const u32 *names = p->now.names;
	size_t n = p->now.n, i = 0;
	u32 node;

	while (i < n && i < p->last.n && names[i] == p->last.names[i])
		i++;
	vec_reserve(p->now.nodes, p->now.cap_nodes, n);
	if (i)
		memcpy(p->now.nodes, p->last.nodes, i * sizeof(*p->now.nodes));
	node = i ? p->now.nodes[i - 1] : 0;
	for (; i < n; i++) {
		if (names[i] & FOLD_IS_LIST || !(names[i] & (LINE_REPEAT | LINE_TAIL)))
			node = add_name(a, p, node, names[i]);
		else if (names[i] & LINE_TAIL)
			node = add_tail(a, p, node, names[i] & ~LINE_TAIL);
		else
			for (u32 more = names[i] & ~LINE_REPEAT; more; more--)
				node = add_name(a, p, node, names[i - 1]);
		p->now.nodes[i] = node;
	}
	return node;
}

static void fold_row(const struct fold_job *a, struct piece *p, size_t row)
{
	const struct count_row *r = &a->c->rows[row];
	u64 weight = a->f->cfg.weight == FOLD_WEIGHT_SAMPLES ? r->samples : r->period;
	struct line done;
	u32 node;

	name_line(a, &p->now, row);
	node = add_line(a, p);
	fold_tree_count(p->tree, node, a->side, weight);
	if (a->f->cfg.chart)
		vec_push(a->f->chart.rows, a->f->chart.nr, a->f->chart.cap,
			 ((struct fold_chart_row){ count_value(r, COUNT_TIME), r->first, weight,
						   a->roots ? a->roots[row] : 0, node }));
	done = p->now;
	p->now = p->last;
	p->last = done;
}

/* Prefetches the stack of a later row: each is read once, and they lie scattered. */
static void prefetch_row(const struct fold_job *a, size_t row)
{
	struct span s = stack_iter_memory(a->c, count_value(&a->c->rows[row], COUNT_STACK));

	for (size_t i = 0; i < s.n; i += 64)
		__builtin_prefetch(s.p + i);
}

static void piece_fini(struct piece *p)
{
	free(p->now.names);
	free(p->now.nodes);
	free(p->now.runs);
	free(p->last.names);
	free(p->last.nodes);
	free(p->last.runs);
	idmap_fini(&p->tail_nodes);
	free(p->path);
}

static void fold_piece(void *ctx, size_t i)
{
	struct fold_job *a = ctx;
	struct piece *p = &a->pieces[i];
	struct fold_share *s = &a->shares[i];

	p->tree = i ? &p->own : &a->f->tree;
	if (i)
		fold_tree_init(&p->own);
	for (size_t k = 0; k < s->nr; k++) {
		if (k + AHEAD < s->nr)
			prefetch_row(a, s->rows[k + AHEAD]);
		if (a->wanted[a->c->rows[s->rows[k]].event])
			fold_row(a, p, s->rows[k]);
	}
	free(s->rows);
	piece_fini(p);
}

/* Merges the tree of each second piece of those that are left into the one before it. */
static void merge_pair(void *ctx, size_t i)
{
	struct fold_job *a = ctx;
	size_t to = 2 * i * a->merged, from = to + a->merged;

	if (from >= a->nr_pieces)
		return;
	fold_tree_merge(a->pieces[to].tree, &a->pieces[from].own);
	fold_tree_fini(&a->pieces[from].own);
}

static void merge_pieces(struct fold_job *a)
{
	for (a->merged = 1; a->merged < a->nr_pieces; a->merged *= 2)
		parallel_run(nr_threads_of(a->f), (a->nr_pieces / a->merged + 1) / 2, merge_pair,
			     a);
}

static u64 weight_of_events(const struct folded *f, const struct counts *c, const bool *wanted)
{
	u64 sum = 0;
	size_t i;

	for (i = 0; i < c->nr_events; i++)
		if (wanted[i])
			sum += f->cfg.weight == FOLD_WEIGHT_SAMPLES ? c->events[i].samples
								    : c->events[i].period;
	return sum;
}

void folded_name_frames(struct folded *f, const struct counts *c)
{
	fold_frames_fini(&f->frames);
	fold_frames_init(&f->frames, c, &f->cfg.names, &f->tree.names, nr_threads_of(f));
}

void folded_add(struct folded *f, const struct session *s, const struct counts *c,
		const bool *wanted, unsigned int side)
{
	struct fold_job a = { .f = f, .s = s, .c = c, .wanted = wanted, .side = side };
	unsigned int threads = nr_threads_of(f);
	size_t i;

	make_marks(&a, c->columns);
	make_waits(&a);
	a.nr_pieces = c->nr_rows / PIECE_ROWS + 1 < threads ? c->nr_rows / PIECE_ROWS + 1 : threads;
	if (f->cfg.chart) /* its nodes are of f's tree */
		a.nr_pieces = 1;
	a.pieces = xcalloc(a.nr_pieces, sizeof(*a.pieces));
	a.roots = fold_roots_make(f->cfg.root, s, c, &f->tree.names, threads);
	a.shares = fold_shares_make(a.roots, f->tree.names.nr, c->nr_rows, a.nr_pieces);
	a.tails = counts_tails(c, &i);
	parallel_run(threads, a.nr_pieces, fold_piece, &a);
	merge_pieces(&a);
	f->totals[side] += weight_of_events(f, c, wanted);
	free(a.roots);
	free(a.shares);
	free(a.pieces);
}

/* --- printing --------------------------------------------------------------------------------- */

struct line_sums {
	fold_line_fn *fn;
	void *ctx;
	u64 sums[FOLD_SIDES];
};

static void sum_line(void *ctx, const char *text, size_t n, const u64 counts[FOLD_SIDES])
{
	struct line_sums *s = ctx;
	int i;

	for (i = 0; i < FOLD_SIDES; i++)
		s->sums[i] += counts[i];
	s->fn(s->ctx, text, n, counts);
}

/* The weights of the lines are those of the samples. */
static int check_sums(const struct folded *f, const u64 sums[FOLD_SIDES], struct perr *e)
{
	for (int i = 0; i < FOLD_SIDES; i++)
		if (sums[i] != f->totals[i])
			return perr_set(e, PERR_FORMAT,
					"the lines add up to %llu, but the samples to %llu: this "
					"is a bug in pfold",
					(unsigned long long)sums[i],
					(unsigned long long)f->totals[i]);
	return 0;
}

int folded_each(struct folded *f, fold_line_fn *fn, void *ctx, struct perr *e)
{
	struct line_sums s = { .fn = fn, .ctx = ctx };

	fold_tree_each(&f->tree, sum_line, &s);
	return check_sums(f, s.sums, e);
}

int folded_print(struct folded *f, struct out *o, struct perr *e)
{
	u64 sums[FOLD_SIDES];

	fold_tree_print(&f->tree, nr_threads_of(f), o, sums);
	return check_sums(f, sums, e);
}
