/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict.h"

#include "base/mem.h"
#include "count/count_tails.h"
#include "count/counts.h"
#include "profile/verdict/verdict_callers.h"
#include "profile/verdict/verdict_limits.h"
#include "profile/verdict/verdict_marks.h"
#include "profile/verdict/verdict_modules.h"
#include "profile/verdict/verdict_runtime.h"
#include "machine/chain_ips.h"
#include "symbols/find/debuginfod.h"
#include "count/stack_iter.h"

/* The frames of a tail, those of its outer tails included. */
struct tail {
	u64 modules[2]; /* see struct places */
	u32 depth;
	u32 leaf; /* frame */
};

struct survey {
	const struct verdict_input *in;
	struct verdict *v;
	u32 columns;        /* that rows have */
	bool hidden_kernel; /* the kernel was recorded, and where it is was not */
	u8 *marks;          /* by frame id, see verdict_marks.h */
	struct tail *tails; /* by number */
	struct idmap wide;  /* frame id -> number + 1 of the module */
	size_t *last_row;   /* by module: number + 1 of the row that add_to_wide added last */
	struct verdict_modules modules;
	struct verdict_callers callers;
	size_t cap_events;
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
	s->last_row = xcalloc(s->v->nr_modules, sizeof(*s->last_row));
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

static enum verdict_chain chain_of(const struct pd_event *ev)
{
	const struct pd_attr *a = &ev->attr;
	u64 type = a->sample_type;

	if (a->branch_sample_type & PD_BRANCH_CALL_STACK)
		return VERDICT_CHAIN_LBR;
	if (type & PD_SAMPLE_STACK_USER && type & PD_SAMPLE_REGS_USER)
		return VERDICT_CHAIN_COPIES;
	if (ev->is_unwound)
		return VERDICT_CHAIN_COPIES;
	if (!(type & PD_SAMPLE_CALLCHAIN))
		return VERDICT_CHAIN_NONE;
	return pd_attr_has(a, PD_ATTR_DEFER_CALLCHAIN) ? VERDICT_CHAIN_DEFERRED
						       : VERDICT_CHAIN_FRAME_POINTERS;
}

static bool has_half_chains(const struct pd_attr *a)
{
	return pd_attr_has(a, PD_ATTR_EXCLUDE_CALLCHAIN_KERNEL) ||
	       pd_attr_has(a, PD_ATTR_EXCLUDE_CALLCHAIN_USER);
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

static void look_at_end(struct survey *s, struct verdict_event *ev, const struct count_row *r,
			const struct places *p)
{
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
			&s->callers,
			&(struct verdict_marks){ s->in->counts, s->marks, s->modules.unmapped },
			p->frames, p->tail, r);
	if (end == VERDICT_END_NO_INFO && (jit = jit_at_end(s, p))) {
		add(&ev->jit_ends, r);
		if (!s->v->jit_runtime)
			s->v->jit_runtime = verdict_runtime_of(s->in->session->machine, jit);
	}
}

/* Adds the row to the frame's module, if its number is too large for a mark: once for each row. */
static void add_wide(struct survey *s, const struct count_row *r, size_t row, u32 id)
{
	u32 module;

	if ((s->marks[id] & MARK_MODULE) != MARK_WIDE)
		return;
	module = idmap_get(&s->wide, id, 0);
	if (s->last_row[module - 1] == row + 1)
		return;
	s->last_row[module - 1] = row + 1;
	add(&s->v->modules[module - 1].any, r);
}

/* Adds the row, once each, to those of its modules whose numbers are too large for a mark. */
static void add_to_wide(struct survey *s, const struct count_row *r, size_t row,
			const struct places *p)
{
	size_t nr;
	const struct count_tail *tails = counts_tails(s->in->counts, &nr);
	struct stack_iter it = p->frames;
	struct stack_run run;

	while (stack_iter_next_run(&it, &run))
		for (u32 i = 0; i < run.nr; i++)
			add_wide(s, r, row, run.ids[i]);
	for (u32 t = p->tail; t; t = tails[t].outer)
		add_wide(s, r, row, tails[t].frame);
}

static void look_at_names(struct survey *s, struct verdict_event *ev, const struct count_row *r,
			  size_t row, const struct places *p)
{
	u32 module;

	if (!p->modules[0] && !p->modules[1])
		return;
	add(&ev->any_unnamed, r);
	module = s->marks[p->leaf] & MARK_MODULE;
	if (module) {
		if (module == MARK_WIDE)
			module = idmap_get(&s->wide, p->leaf, 0);
		add(&ev->leaf_unnamed, r);
		add(&s->v->modules[module - 1].leaf, r);
	}
	for (u32 word = 0; word < 2; word++) {
		for (u64 left = p->modules[word]; left; left &= left - 1) {
			module = word * 64 + (u32)__builtin_ctzll(left);
			if (module == MARK_WIDE)
				add_to_wide(s, r, row, p);
			else
				add(&s->v->modules[module - 1].any, r);
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

static void look_at_row(struct survey *s, struct verdict_event *ev, size_t row)
{
	const struct count_row *r = &s->in->counts->rows[row];
	struct places p = { 0 };
	u32 own[2];

	add(&ev->all, r);
	if (s->columns >> COUNT_STACK & 1) {
		stack_iter_init(&p.frames, s->in->counts, count_value(r, COUNT_STACK));
		p.tail = stack_iter_take_tail(&p.frames);
	}
	survey_places(s, &p);
	look_at_end(s, ev, r, &p);
	if (!p.depth || s->in->config->branch_rows) {
		p = (struct places){ 0 };
		stack_iter_init_ids(&p.frames, own, own_places(s, r, own));
		survey_places(s, &p);
	}
	look_at_names(s, ev, r, row, &p);
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

static void look_at_rows(struct survey *s)
{
	const struct perfdata *pd = s->in->session->pd;
	const struct counts *c = s->in->counts;
	u32 *of_idx = xcalloc(c->nr_events + 1, sizeof(*of_idx)); /* number + 1 */
	struct verdict *v = s->v;

	for (u32 idx = 0; idx < c->nr_events; idx++) {
		struct verdict_event ev = { .totals = c->events[idx] };

		if ((s->in->wanted && !s->in->wanted[idx]) ||
		    (!ev.totals.samples && !ev.totals.filtered))
			continue;
		ev.name = xstrdup(idx < pd->nr_events ? pd->events[idx]->name : "");
		if (idx < pd->nr_events) {
			ev.chain = chain_of(pd->events[idx]);
			ev.half_chains = has_half_chains(&pd->events[idx]->attr);
		}
		vec_push(v->events, v->nr_events, s->cap_events, ev);
		of_idx[idx] = (u32)v->nr_events;
	}
	for (size_t row = 0; row < c->nr_rows; row++) {
		u32 idx = c->rows[row].event;

		if (idx >= c->nr_events || !of_idx[idx])
			continue;
		if (s->in->wanted_rows && !s->in->wanted_rows[row])
			leave_out(s, &v->events[of_idx[idx] - 1], &c->rows[row]);
		else
			look_at_row(s, &v->events[of_idx[idx] - 1], row);
	}
	free(of_idx);
}

/* True if the periods of all events can be added up: one event, or halves of a hybrid one. */
static bool do_periods_add_up(const struct verdict *v, const struct verdict_input *in)
{
	size_t nr = 0;
	u64 period = 0;

	for (size_t i = 0; i < v->nr_events; i++) {
		nr += v->events[i].all.samples > 0;
		period |= v->events[i].all.period;
	}
	return period && (nr == 1 || in->events_add_up) && !in->config->branch_rows;
}

struct verdict *verdict_new_losses(const struct verdict_input *in, const struct replay_stats *st)
{
	const struct perfdata *pd = in->session->pd;
	struct verdict *v = xcalloc(1, sizeof(*v));

	v->input = xstrdup(in->input);
	v->os_release =
		in->session->machine->os_release ? xstrdup(in->session->machine->os_release) : NULL;
	v->could_ask = !symbols_get_config(in->session->machine->symbols)->debuginfod;
	v->debuginfod_problem = debuginfod_get_problem(
		symbols_get_config(in->session->machine->symbols)->debuginfod_client);
	v->stats = *st;
	v->lost = st->nr_lost_records > st->nr_lost_samples ? st->nr_lost_records
							    : st->nr_lost_samples;
	v->nr_unknown_type = pd->counts.nr_unknown_type;
	v->unfinished = pd->unfinished;
	v->truncated = pd->truncated;
	v->last_time = pd->last_time;
	v->last_write = pd->last_write;
	v->by_samples = true;
	v->losses_only = true;
	v->is_stream = !session_can_repeat(in->session);
	v->is_not_joined = v->is_stream && pd_has_stack_copies(pd);
	return v;
}

struct verdict *verdict_new(const struct verdict_input *in)
{
	const u32 branches = 1u << COUNT_BRANCH_FROM | 1u << COUNT_BRANCH_TO;
	struct verdict *v = verdict_new_losses(in, &in->counts->stats);
	struct survey s = { .in = in,
			    .v = v,
			    .columns = in->config->columns,
			    .modules = { .v = v, .machine = in->session->machine } };

	if (!in->config->branch_rows)
		s.columns &= ~branches;
	v->has_places = s.columns & (branches | 1u << COUNT_STACK | 1u << COUNT_IP);
	v->names_unseen = in->names_unseen;
	v->losses_only = false;
	v->of_branches = in->config->branch_rows;
	v->leaves_only = !v->of_branches && !(s.columns >> COUNT_STACK & 1);
	verdict_set_limits(v, in);
	s.hidden_kernel = !in->session->machine->kernel_map && pd_records_kernel(in->session->pd);
	look_at_frames(&s);
	look_at_tails(&s);
	look_at_rows(&s);
	v->by_samples = !do_periods_add_up(v, in);
	verdict_sort_modules(v);
	verdict_callers_finish(&s.callers, in->session->machine, v);
	free(s.marks);
	free(s.tails);
	idmap_fini(&s.wide);
	free(s.last_row);
	verdict_modules_fini(&s.modules);
	return v;
}

void verdict_free(struct verdict *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->nr_events; i++)
		free(v->events[i].name);
	for (size_t i = 0; i < v->nr_modules; i++)
		verdict_module_fini(&v->modules[i]);
	free(v->callerless.name);
	free(v->callerless.file);
	free(v->events);
	free(v->modules);
	free(v->input);
	free(v->os_release);
	free(v);
}
