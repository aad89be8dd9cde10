/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_pointers.h"

#include <stdlib.h>

#include "base/mem.h"
#include "count/counts.h"
#include "count/stack_iter.h"
#include "machine/frame_pointers.h"
#include "profile/verdict/verdict_callers.h"
#include "profile/verdict/verdict_marks.h"
#include "session/frames.h"

#define SAMPLES_WANTED 500
#define MAX_FRAMES 1024

struct look {
	const struct verdict_input *in;
	const u8 *marks;
	struct machine_modules_known known[MACHINE_MODULES_KNOWN];
	u8 *kept[2]; /* by frame id, of leaves and of callers: enum frame_pointer + 1; 0: not yet */
	struct frame_kept frames[MAX_FRAMES];
	size_t nr;
	struct verdict_callers callers;
};

/* The frame of a caller is looked up where its call is, not where it returns to. */
static struct frame_kept kept_of(struct look *l, u32 id, bool is_leaf)
{
	u8 *kept = &l->kept[is_leaf ? 0 : 1][id];
	const struct frame *f = counts_frame(l->in->counts, id);

	if (!*kept)
		*kept = (u8)(1 +
			     (f->map ? frame_pointer_in(l->in->session->machine->modules, l->known,
							f->map, f->ip - (is_leaf ? 0 : 1))
				     : FRAME_POINTER_UNKNOWN));
	return (struct frame_kept){ (enum frame_pointer)(*kept - 1), f->map ? f->map->dso : NULL };
}

/* Lists the user frames of a row. Returns false if some are of code that nothing is known of. */
static bool list_frames(struct look *l, const struct count_row *r)
{
	struct stack_iter it;
	bool known = true;
	u32 id;

	l->nr = 0;
	stack_iter_init(&it, l->in->counts, count_value(r, COUNT_STACK));
	while (l->nr < MAX_FRAMES && stack_iter_next(&it, &id)) {
		struct frame_kept f;

		if (l->marks[id] & MARK_KERNEL)
			continue;
		f = kept_of(l, id, !l->nr);
		l->frames[l->nr++] = f;
		known &= f.kept != FRAME_POINTER_UNKNOWN;
		if (f.kept == FRAME_POINTER_START)
			break;
	}
	return known;
}

static void look_at_row(struct look *l, struct verdict *v, const struct count_row *r, u64 samples)
{
	bool others, known = list_frames(l, r);
	const struct dso *lacking;

	if (!l->nr)
		return;
	lacking = frame_pointers_lacking(l->frames, l->nr, &others);
	v->pointers.samples += samples;
	v->pointers.known += known || lacking ? samples : 0;
	if (!lacking)
		return;
	v->pointers.lacking += samples;
	v->pointers.one_only += others ? 0 : samples;
	verdict_callers_count(&l->callers, lacking, samples);
}

static bool is_walked_by_pointers(const struct verdict_input *in, const struct verdict *v,
				  const u32 *of_idx, size_t row)
{
	u32 event = in->counts->rows[row].event;

	return event < in->counts->nr_events && of_idx[event] &&
	       v->events[of_idx[event] - 1].chain == VERDICT_CHAIN_FRAME_POINTERS &&
	       (!in->wanted_rows || in->wanted_rows[row]);
}

/*
 * Names the object with the most of the chains that lack callers. Where it is the innermost
 * function's only, another build does not help: compilers set up the frame behind the first tests.
 */
static void name_lacking(struct look *l, struct verdict *v)
{
	char *name = v->callerless.name, *file = v->callerless.file;
	enum verdict_runtime runtime = v->callerless.runtime;

	if (!v->pointers.lacking)
		return;
	v->callerless.runtime = VERDICT_RUNTIME_UNKNOWN;
	verdict_callers_finish(&l->callers, l->in->session->machine, v);
	v->pointers.object = xstrdup(v->callerless.name);
	if (verdict_chains_are_cut(v) && verdict_chains_are_known(v)) {
		free(name);
		free(file);
		return;
	}
	free(v->callerless.name);
	free(v->callerless.file);
	v->callerless.name = name;
	v->callerless.file = file;
	v->callerless.runtime = runtime;
}

void verdict_look_at_pointers(const struct verdict_input *in, struct verdict *v, const u8 *marks,
			      const u32 *of_idx)
{
	const struct counts *c = in->counts;
	u64 all = 0, every, left = 0;
	struct look *l;

	/* functions have no address of their own */
	if (!(in->config->columns >> COUNT_STACK & 1) || in->config->by_symbol)
		return;
	for (size_t i = 0; i < v->nr_events; i++)
		if (v->events[i].chain == VERDICT_CHAIN_FRAME_POINTERS)
			all += v->events[i].all.samples;
	if (!all)
		return;
	l = xcalloc(1, sizeof(*l));
	l->in = in;
	l->marks = marks;
	for (int i = 0; i < 2; i++)
		l->kept[i] = xcalloc(counts_nr_frames(c) + 1, 1);
	every = all > SAMPLES_WANTED ? all / SAMPLES_WANTED : 1;
	for (size_t row = 0; row < c->nr_rows; row++) {
		const struct count_row *r = &c->rows[row];

		if (!is_walked_by_pointers(in, v, of_idx, row))
			continue;
		left += r->samples;
		if (left >= every)
			look_at_row(l, v, r, left / every);
		left %= every;
	}
	name_lacking(l, v);
	free(l->kept[0]);
	free(l->kept[1]);
	free(l);
}
