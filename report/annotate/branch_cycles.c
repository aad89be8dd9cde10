/* SPDX-License-Identifier: MIT */
#include "report/annotate/branch_cycles.h"

#include "report/text/datasrc_text.h"

/* The code [start, end] without a branch but the one at end. */
struct run {
	u64 start; /* 0: not known */
	u64 end;
	u64 nr, cycles, min, max;
};

struct object_runs {
	struct run *runs;
	size_t nr, cap;
	struct idmap index; /* (start, end) -> index in runs, which are in the order of their ends
			       later */
	bool sorted;
};

struct branch_cycles {
	struct sample_sink sink;
	struct session *s;
	struct object_runs *objects;
	size_t nr, cap;
	struct intern names;
};

static struct object_runs *runs_of(struct branch_cycles *b, const char *name)
{
	u32 i = intern_str(&b->names, name);

	while (b->nr <= i)
		vec_push(b->objects, b->nr, b->cap, (struct object_runs){ 0 });
	return &b->objects[i];
}

static void add_run(struct object_runs *of, u64 start, u64 end, u64 cycles)
{
	u32 i = idmap_get(&of->index, start, end);
	struct run *r;

	if (i == IDMAP_NONE) {
		i = (u32)of->nr;
		idmap_put(&of->index, start, end, i);
		vec_push(of->runs, of->nr, of->cap,
			 ((struct run){ .start = start, .end = end, .min = cycles }));
	}
	r = &of->runs[i];
	r->nr++;
	r->cycles += cycles;
	if (cycles < r->min)
		r->min = cycles;
	if (cycles > r->max)
		r->max = cycles;
}

/* Each branch, and where the one before it went. A sample's newest branch is the first. */
static int take_sample(struct sample_sink *k, const struct sample_view *v, struct perr *e)
{
	struct branch_cycles *b = CONTAINER_OF(k, struct branch_cycles, sink);
	const struct pd_sample *s = &v->ev->sample;
	size_t n = s->branches.n / 24;

	(void)e;
	for (size_t i = 0; i < n; i++) {
		u64 end = span_u64(s->branches, i * 3, s->swap);
		u64 start = i + 1 < n ? span_u64(s->branches, (i + 1) * 3 + 1, s->swap) : 0;
		u16 cycles = branch_flags_decode(span_u64(s->branches, i * 3 + 2, s->swap), s->swap)
				     .cycles;
		const struct map *m;

		if (!cycles && !i) /* perf takes the first for whether the processor counts them */
			return 0;
		if (!cycles)
			continue;
		m = machine_find_map(b->s->machine, v->thread,
				     (s64)end < 0 ? PD_CPUMODE_KERNEL : PD_CPUMODE_USER, end);
		if (!m)
			continue;
		if (start < m->start || start >= end)
			start = 0;
		add_run(runs_of(b, m->dso_name), start ? map_ip_to_addr(m, start) : 0,
			map_ip_to_addr(m, end), cycles);
	}
	return 0;
}

struct branch_cycles *branch_cycles_new(struct session *s, const struct filter *filter)
{
	const struct sample_query q = { .pass = "counting the cycles of branches",
					.pass_flags = SESSION_QUIET,
					.filter = filter };
	struct branch_cycles *b;
	struct perr e;

	if (!pd_has_branches(s->pd) || !session_can_repeat(s) || s->pd->kind == PD_PIPE)
		return NULL;
	b = xcalloc(1, sizeof(*b));
	intern_init(&b->names);
	b->s = s;
	b->sink.sample = take_sample;
	(void)!session_run(s, &q, &b->sink, &e);
	if (b->nr)
		return b;
	branch_cycles_free(b);
	return NULL;
}

void branch_cycles_free(struct branch_cycles *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->nr; i++) {
		free(b->objects[i].runs);
		idmap_fini(&b->objects[i].index);
	}
	free(b->objects);
	intern_fini(&b->names);
	free(b);
}

/* By end, then by start: those without a start come first. */
static int by_end(const void *x, const void *y)
{
	const struct run *a = x, *b = y;

	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->start > b->start) - (a->start < b->start);
}

/* The index of the first run that ends at addr or behind. */
static size_t first_at(const struct object_runs *of, u64 addr)
{
	size_t lo = 0, hi = of->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (of->runs[mid].end < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* The index of the instruction at an address of the object; code->nr: none begins there. */
static size_t insn_at(const struct annot_code *code, u64 addr)
{
	size_t lo = 0, hi = code->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (annot_code_addr(code, code->insns[mid].vaddr) < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < code->nr && annot_code_addr(code, code->insns[lo].vaddr) == addr ? lo
										     : code->nr;
}

/* What the branches of a function sum up to. */
struct totals {
	double insns, cycles;
	size_t with_ipc; /* instructions */
	s32 *change;     /* by instruction: how many more runs cover it than the one before */
};

/* The runs that end at one branch: runs[0..nr). */
static void fill_branch(struct insn_cycles *ic, struct totals *t, const struct annot_code *code,
			const struct run *runs, size_t nr)
{
	const struct run *longest = NULL;
	size_t end = insn_at(code, runs->end), begin;
	u64 all = 0, cycles = 0;

	if (end == code->nr)
		return;
	ic += end;
	ic->min = runs->min;
	for (size_t i = 0; i < nr; i++) {
		all += runs[i].nr;
		cycles += runs[i].cycles;
		ic->min = runs[i].min < ic->min ? runs[i].min : ic->min;
		ic->max = runs[i].max > ic->max ? runs[i].max : ic->max;
		if (!longest && runs[i].start >= code->func->start &&
		    runs[i].start < code->func->end)
			longest = &runs[i];
	}
	ic->avg = cycles / all;
	begin = longest ? insn_at(code, longest->start) : code->nr;
	if (begin == code->nr)
		return;
	ic->ipc = (double)(end - begin + 1) * (double)longest->nr / (double)longest->cycles;
	t->insns += (double)(end - begin + 1) * (double)longest->nr;
	t->cycles += (double)longest->cycles;
	t->with_ipc++;
	t->change[begin]++;
	t->change[end + 1]--;
}

bool code_cycles_init(struct code_cycles *c, struct branch_cycles *b, const struct annot_code *code)
{
	struct object_runs *of = b ? runs_of(b, code->func->map->dso_name) : NULL;
	struct totals t = { 0 };
	size_t i, n, covered = 0;
	s64 runs = 0;

	*c = (struct code_cycles){ 0 };
	if (!of || !of->nr || !code->nr)
		return false;
	if (!of->sorted)
		qsort(of->runs, of->nr, sizeof(*of->runs), by_end);
	of->sorted = true;
	i = first_at(of, code->func->start);
	if (i == of->nr || of->runs[i].end >= code->func->end)
		return false;
	c->of = xcalloc(code->nr, sizeof(*c->of));
	t.change = xcalloc(code->nr + 1, sizeof(*t.change));
	for (; i < of->nr && of->runs[i].end < code->func->end; i += n) {
		for (n = 1; i + n < of->nr && of->runs[i + n].end == of->runs[i].end;)
			n++;
		fill_branch(c->of, &t, code, &of->runs[i], n);
	}
	for (size_t k = 0; k < code->nr; k++) {
		runs += t.change[k];
		covered += runs > 0;
	}
	free(t.change);
	c->ipc = t.cycles > 0 ? t.insns / t.cycles : 0;
	c->coverage = 100.0 * (double)covered / (double)code->nr;
	c->with_ipc = 100.0 * (double)t.with_ipc / (double)code->nr;
	return true;
}

void code_cycles_fini(struct code_cycles *c)
{
	free(c->of);
}
