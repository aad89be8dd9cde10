/* SPDX-License-Identifier: MIT */
/* From one place of code to others: jumps, callees, the functions before and after. */
#include "base/mem.h"
#include "machine/mapset.h"
#include "report/code/code_view_priv.h"

static void open_function(struct code_view *v, struct tui *t, const struct annot_func *f)
{
	struct perr e;
	struct tui_view *opened = v->open(v->in, f, &e);

	if (opened)
		tui_push(t, opened);
	else
		tui_warn(t, "cannot annotate %s: %s", f->name, e.text);
}

static void follow_call(struct code_view *v, struct tui *t, const struct annot_insn *in)
{
	struct annot_func f;

	if (annot_func_called(v->page.samples, &v->code, in, v->none, &f))
		open_function(v, t, &f);
	else if (!in->is.kind)
		tui_warn(t, "where this goes is known only at run time");
	else if (in->target)
		tui_warn(t, "%s is in another object, and has no samples", in->target);
	else
		tui_warn(t, "no function is known at %#llx", (unsigned long long)in->is.target);
}

static void follow_jump(struct code_view *v, struct tui *t, const struct annot_insn *in)
{
	size_t target = in->target_inside ? annot_code_at(&v->code, in->is.target) : v->code.nr;

	if (!in->target_inside) {
		follow_call(v, t, in);
	} else if (target == v->code.nr) {
		tui_warn(t, "no instruction begins where this jump goes");
	} else {
		vec_push(v->visited, v->nr_visited, v->cap_visited, v->lines.lines[v->at].insn);
		code_view_go(v, t, target);
	}
}

void code_follow(struct code_view *v, struct tui *t)
{
	const struct code_line *l = code_line_at(v);
	const struct annot_insn *in = l ? &v->code.insns[l->insn] : NULL;

	if (!l || l->number || in->is.flow == DISASM_PLAIN) {
		tui_warn(t, "only calls, jumps and returns lead elsewhere");
		return;
	}
	switch (in->is.flow) {
	case DISASM_JUMP: follow_jump(v, t, in); break;
	case DISASM_CALL: follow_call(v, t, in); break;
	case DISASM_RETURN:
		if (t->nr > 1)
			tui_pop(t);
		else
			tui_say(t, "no call was followed to here");
		break;
	case DISASM_PLAIN: break;
	}
}

void code_unfollow(struct code_view *v, struct tui *t)
{
	if (v->nr_visited)
		code_view_go(v, t, v->visited[--v->nr_visited]);
	else
		tui_say(t, "no jump was followed");
}

/* ---- functions */

static size_t place_of(const struct code_view *v)
{
	const struct annot_samples *s = v->page.samples;
	size_t i = 0;

	while (i < v->in->nr_listed &&
	       (s->funcs[i].map->dso != v->func.map->dso || s->funcs[i].start != v->func.start ||
		s->funcs[i].ip != v->func.ip))
		i++;
	return i;
}

struct tui_view *code_find(code_open_fn *open, struct code_input *in, size_t first, int direction,
			   struct perr *e)
{
	const struct annot_samples *s = in->page.samples;
	struct perr later, *why = e;
	size_t skipped = 0;

	for (size_t i = first; i < in->nr_listed; i += (size_t)(long)direction, skipped++) {
		struct tui_view *v = open(in, &s->funcs[i], why);

		if (v && skipped)
			code_view_of(v)->note = xasprintf(
				"%zu function%s without code passed over: %s: %s", skipped,
				skipped > 1 ? "s" : "", s->funcs[first].name, e->text);
		if (v)
			return v;
		why = &later;
	}
	return NULL;
}

static void replace(struct code_view *v, struct tui *t, size_t first, int direction)
{
	struct perr e;
	struct tui_view *opened = code_find(v->open, v->in, first, direction, &e);

	if (!opened) {
		tui_warn(t, "cannot annotate %s: %s", v->page.samples->funcs[first].name, e.text);
		return;
	}
	tui_pop(t);
	tui_push(t, opened);
}

void code_neighbour(struct code_view *v, struct tui *t, int direction)
{
	size_t at = place_of(v), nr = v->in->nr_listed;

	if (at == nr)
		tui_warn(t, "%s is not among the functions with samples", v->func.name);
	else if (direction < 0 && !at)
		tui_say(t, "this is the costliest function");
	else if (direction > 0 && at + 1 == nr)
		tui_say(t, "this is the last function that has samples");
	else
		replace(v, t, direction < 0 ? at - 1 : at + 1, direction);
}

static void choose_function(void *view, struct tui *t, int id)
{
	struct code_view *v = view;

	open_function(v, t, &v->page.samples->funcs[id]);
}

void code_functions(struct code_view *v, struct tui *t)
{
	const struct annot_samples *s = v->page.samples;
	struct tui_item *items = xcalloc(v->in->nr_listed + 1, sizeof(*items));

	for (size_t i = 0; i < v->in->nr_listed; i++) {
		const struct annot_func *f = &s->funcs[i];
		u64 whole = s->totals[v->page.events[0]].period;

		items[i].id = (int)i;
		items[i].text = xasprintf(
			"%6.2f%%  %s  %s",
			whole ? 100.0 * (double)f->sums[v->page.events[0]].period / (double)whole
			      : 0,
			f->name, f->map->dso_name);
	}
	if (v->in->nr_listed)
		tui_push(t, view_menu_new("Functions, the costliest first", items, v->in->nr_listed,
					  false, choose_function, v));
	else
		free(items);
}
