/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_callers.h"

#include "base/mem.h"
#include "count/count_tails.h"
#include "count/counts.h"
#include "profile/verdict/verdict_runtime.h"
#include "session/frames.h"

struct caller_weight {
	const struct dso *dso;
	struct verdict_weight weight;
};

static struct caller_weight *item_of(struct verdict_callers *c, const struct dso *d)
{
	struct caller_weight fresh = { .dso = d };
	u32 nr;

	if (c->nr && c->items[c->last].dso == d)
		return &c->items[c->last];
	nr = idmap_get(&c->by_dso, (u64)(uintptr_t)d, 0);
	if (nr == IDMAP_NONE) {
		nr = (u32)c->nr;
		idmap_put(&c->by_dso, (u64)(uintptr_t)d, 0, nr);
		vec_push(c->items, c->nr, c->cap, fresh);
	}
	c->last = nr;
	return &c->items[nr];
}

static bool is_unmapped(const struct verdict_marks *m, u32 id)
{
	u32 module = m->marks[id] & MARK_MODULE;

	if (module == MARK_WIDE)
		return !counts_frame(m->counts, id)->map;
	return module && (module == m->unmapped[0] || module == m->unmapped[1]);
}

/* A walk from the leaf to the first frame that is in no map but has user code before it. */
struct walk {
	u32 frame;    /* the last one */
	bool is_code; /* of a user-space object */
};

/* Goes on with n frames. Returns true if one of them ends the walk. */
static bool walk_on(const struct verdict_marks *m, struct walk *w, const u32 *ids, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		bool unmapped = is_unmapped(m, ids[i]);

		if (unmapped && w->is_code)
			return true;
		w->is_code = !unmapped && !(m->marks[ids[i]] & MARK_KERNEL);
		w->frame = ids[i];
	}
	return false;
}

static struct walk walk_to_unmapped(const struct verdict_marks *m, struct stack_iter *it, u32 tail)
{
	struct walk w = { 0 };
	struct stack_run run;
	size_t nr;

	while (stack_iter_next_run(it, &run))
		for (u32 i = 0; i < run.times && i < 2; i++)
			if (walk_on(m, &w, run.ids, run.nr))
				return w;
	for (const struct count_tail *t; tail; tail = t->outer) {
		t = &counts_tails(m->counts, &nr)[tail];
		if (walk_on(m, &w, &t->frame, 1))
			break;
	}
	return w;
}

void verdict_callers_add(struct verdict_callers *c, const struct verdict_marks *m,
			 struct stack_iter frames, u32 tail, const struct count_row *r)
{
	struct walk w = walk_to_unmapped(m, &frames, tail);
	struct caller_weight *item;

	if (!w.is_code)
		return;
	item = item_of(c, counts_frame(m->counts, w.frame)->map->dso);
	item->weight.samples += r->samples;
	item->weight.period += r->period;
}

void verdict_callers_count(struct verdict_callers *c, const struct dso *d, u64 samples)
{
	struct caller_weight *item = item_of(c, d);

	item->weight.samples += samples;
	item->weight.period += samples;
}

static void callers_fini(struct verdict_callers *c)
{
	free(c->items);
	idmap_fini(&c->by_dso);
	*c = (struct verdict_callers){ 0 };
}

void verdict_callers_move(struct verdict_callers *c, struct verdict_callers *from)
{
	for (size_t i = 0; i < from->nr; i++) {
		struct caller_weight *item = item_of(c, from->items[i].dso);

		item->weight.samples += from->items[i].weight.samples;
		item->weight.period += from->items[i].weight.period;
	}
	callers_fini(from);
}

void verdict_callers_finish(struct verdict_callers *c, const struct machine *mc, struct verdict *v)
{
	const struct caller_weight *most = NULL;
	const struct dso_desc *desc;
	const char *path;

	for (size_t i = 0; i < c->nr; i++)
		if (!most ||
		    verdict_measure(v, &c->items[i].weight) > verdict_measure(v, &most->weight))
			most = &c->items[i];
	if (most) {
		desc = dso_get_desc(most->dso);
		path = dso_get_file_path(most->dso);
		v->callerless.name = xstrdup(desc->name);
		v->callerless.file = xstrdup(path ? path : desc->name);
		if (desc->kind == DSO_JIT)
			v->callerless.runtime = verdict_runtime_of(mc, most->dso);
	}
	callers_fini(c);
}
