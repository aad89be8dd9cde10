/* SPDX-License-Identifier: MIT */
#include "profile/verdict/verdict_callers.h"

#include "base/mem.h"
#include "profile/verdict/verdict_runtime.h"
#include "session/frames.h"

struct caller_weight {
	const struct dso *dso;
	struct verdict_weight weight;
};

static struct caller_weight *item_of(struct verdict_callers *c, const struct dso *d)
{
	struct caller_weight fresh = { .dso = d };
	u32 nr = idmap_get(&c->by_dso, (u64)(uintptr_t)d, 0);

	if (nr == IDMAP_NONE) {
		nr = (u32)c->nr;
		idmap_put(&c->by_dso, (u64)(uintptr_t)d, 0, nr);
		vec_push(c->items, c->nr, c->cap, fresh);
	}
	return &c->items[nr];
}

void verdict_callers_add(struct verdict_callers *c, const struct counts *counts,
			 struct stack_iter frames, const struct count_row *r)
{
	const struct dso *last = NULL;
	struct caller_weight *item;
	u32 id;

	while (stack_iter_next(&frames, &id)) {
		const struct frame *f = counts_frame(counts, id);

		if (last && !f->map)
			break;
		last = f->map && !f->map->kernel ? f->map->dso : NULL;
	}
	if (!last)
		return;
	item = item_of(c, last);
	item->weight.samples += r->samples;
	item->weight.period += r->period;
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
	free(c->items);
	idmap_fini(&c->by_dso);
	*c = (struct verdict_callers){ 0 };
}
