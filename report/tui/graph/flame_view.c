/* SPDX-License-Identifier: MIT */
/* The flame graph in cells: its keys, steps and their undoing. */
#include "report/tui/graph/flame_view.h"

#include "base/mem.h"
#include "report/tui/graph/graph_views.h"

enum question { ASK_SEARCH };

/* ---- steps */

static void step(struct flame_view *v)
{
	v->nr_steps = v->at;
	vec_push(v->steps, v->nr_steps, v->cap_steps, v->state);
	v->at = v->nr_steps;
}

/* Makes the tree that the state wants. */
static void make_shown(struct flame_view *v)
{
	const struct flame_state *s = &v->state;
	const struct flame_changes c = { v->changes, s->nr_changes, s->no_recursion,
					 s->no_commands };
	bool any = s->nr_changes || s->no_recursion || s->no_commands;
	struct flame changed = { 0 };

	if (v->shown.nr)
		flame_fini(&v->shown);
	if (any)
		flame_changed(&v->base, &c, &changed);
	if (s->inverted)
		flame_reversed(any ? &changed : &v->base, FLAME_BY_WEIGHT, &v->shown);
	else
		v->shown = changed;
	if (any && s->inverted)
		flame_fini(&changed);
	v->of = v->state;
}

/* Makes what follows from the state. */
static void apply(struct flame_view *v)
{
	const struct flame_state *a = &v->state, *b = &v->of;

	if (a->inverted != b->inverted || a->no_recursion != b->no_recursion ||
	    a->no_commands != b->no_commands || a->nr_changes != b->nr_changes)
		make_shown(v);
	flame_view_count_found(v);
}

static bool go(struct flame_view *v, size_t from, size_t to)
{
	struct flame_state s = v->steps[from];

	v->steps[from] = v->state;
	v->state = s;
	v->at = to;
	apply(v);
	return true;
}

static bool undo(struct flame_view *v)
{
	return v->at && go(v, v->at - 1, v->at - 1);
}

static bool redo(struct flame_view *v)
{
	return v->at < v->nr_steps && go(v, v->at, v->at + 1);
}

static void zoom_in(struct flame_view *v, struct tui *t)
{
	if (v->state.zoom == v->state.selected) {
		tui_say(t, "this box has the whole width; u goes back");
		return;
	}
	step(v);
	v->state.zoom = v->state.selected;
}

/* The heaviest box of a name; 0: there is none. */
static u32 heaviest_of(const struct flame_view *v, u32 name)
{
	const struct flame *f = flame_shown(v);
	u32 best = 0;

	for (u32 n = 1; n < f->nr; n++)
		if (f->name[n] == name && (!best || f->total[v->side][n] > f->total[v->side][best]))
			best = n;
	return best;
}

/* Shows the tree of a new state: the cursor goes to the heaviest box of a name. */
static void change_tree(struct flame_view *v, u32 name)
{
	v->state.zoom = 0;
	apply(v);
	v->state.selected = heaviest_of(v, name);
	v->top = 0;
}

static u32 selected_name(const struct flame_view *v)
{
	return flame_shown(v)->name[v->state.selected];
}

static void flip(struct flame_view *v, bool *what)
{
	u32 name = selected_name(v);

	step(v);
	*what = !*what;
	change_tree(v, name);
}

/* Leaves out the selected function. The cursor goes to its caller. */
static void leave_out(struct flame_view *v, struct tui *t, enum flame_change_kind kind)
{
	const struct flame *f = flame_shown(v);
	u32 name = selected_name(v), n = v->state.selected;

	if (!n || (kind == FLAME_DROP && f->total[v->side][n] == f->total[v->side][0])) {
		tui_warn(t, "nothing would be left");
		return;
	}
	while (f->name[n] == name)
		n = flame_parent(f, n);
	n = f->name[n];
	step(v);
	v->state.nr_changes++;
	vec_reserve(v->changes, v->cap_changes, v->state.nr_changes);
	v->changes[v->state.nr_changes - 1] = (struct flame_change){ name, kind };
	/* a tree of as many changes that were undone is another one */
	v->of.nr_changes = SIZE_MAX;
	change_tree(v, n);
}

/* ---- moves */

/* The heaviest box below the selected one that is drawn; 0: there is none. */
static u32 drawn_below(struct flame_view *v, const struct tui *t)
{
	const struct flame *f = flame_shown(v);
	const u64 *total = f->total[v->side];
	u32 n = v->state.selected, best = flame_heaviest(f, n, v->side);

	if (!best || (double)total[best] * t->screen->cols >= (double)total[v->state.zoom])
		return best; /* at least one cell wide */
	flame_view_lay(v, t->screen->cols, f->depth[best], 1);
	best = 0;
	for (size_t i = 0; i < v->boxes.nr; i++) {
		u32 box = v->boxes.items[i].node;

		if (box > n && box < f->end[n] && (!best || total[box] > total[best]))
			best = box;
	}
	return best;
}

/* To the heaviest box below, or the box above. */
static void move_depth(struct flame_view *v, struct tui *t, int by)
{
	const struct flame *f = flame_shown(v);
	u32 n;

	for (; by < 0 && v->state.selected; by++)
		v->state.selected = flame_parent(f, v->state.selected);
	for (; by > 0; by--) {
		/* from above the zoom towards it */
		n = v->state.selected < v->state.zoom
			    ? flame_ancestor(f, v->state.zoom, f->depth[v->state.selected] + 1)
			    : drawn_below(v, t);
		if (!n) {
			if (by == 1 && v->state.selected + 1 < f->end[v->state.selected])
				tui_say(t, "what it calls is too narrow to be drawn: zoom in");
			return;
		}
		v->state.selected = n;
	}
}

/* To the next box on the same line. */
static void move_side(struct flame_view *v, const struct tui *t, int by)
{
	u32 depth = flame_shown(v)->depth[v->state.selected];
	size_t i;

	flame_view_lay(v, t->screen->cols, depth, 1);
	for (i = 0; i < v->boxes.nr && v->boxes.items[i].node < v->state.selected; i++)
		;
	if (by < 0 && i)
		v->state.selected = v->boxes.items[i - 1].node;
	if (by > 0 && i < v->boxes.nr && v->boxes.items[i].node == v->state.selected)
		i++;
	if (by > 0 && i < v->boxes.nr)
		v->state.selected = v->boxes.items[i].node;
}

static bool click(struct flame_view *v, const struct tui *t)
{
	s64 depth = flame_view_depth(v, t, t->screen->click_row);
	const struct flame_box *box =
		depth < 0 ? NULL : flame_boxes_at(&v->boxes, (u32)depth, t->screen->click_col);

	if (box)
		v->state.selected = box->node;
	return box;
}

static bool move_key(struct flame_view *v, struct tui *t, int key)
{
	int down = v->state.upwards ? -1 : 1, page = flame_view_lines(t);

	switch (key) {
	case TKEY_ARROW_DOWN:
	case TKEY_WHEEL_DOWN: move_depth(v, t, down); break;
	case TKEY_ARROW_UP:
	case TKEY_WHEEL_UP: move_depth(v, t, -down); break;
	case TKEY_PAGE_DOWN:
	case ' ': move_depth(v, t, down * page); break;
	case TKEY_PAGE_UP: move_depth(v, t, -down * page); break;
	case TKEY_ARROW_LEFT: move_side(v, t, -1); break;
	case TKEY_ARROW_RIGHT: move_side(v, t, 1); break;
	case TKEY_TO_START: v->state.selected = v->state.zoom; break;
	case TKEY_TO_END: move_depth(v, t, (int)flame_shown(v)->nr); break;
	case TKEY_CLICK: (void)click(v, t); break;
	case TKEY_DOUBLE_CLICK:
		if (click(v, t))
			zoom_in(v, t);
		break;
	default: return false;
	}
	return true;
}

/* ---- search */

static void say_match(struct flame_view *v, struct tui *t, size_t number)
{
	u64 total = flame_shown(v)->total[v->side][0];

	if (!v->pattern)
		tui_say(t, "no search yet: /");
	else if (!number)
		tui_warn(t, "%s is in no box", v->pattern);
	else
		tui_say(t, "%s: match %zu of %zu, %.2f %% of the samples", v->pattern, number,
			v->nr_found, total ? 100.0 * (double)v->found / (double)total : 0);
}

/* Counts the match that is selected, or goes to the next one. */
static void go_to_match(struct flame_view *v, struct tui *t)
{
	if (v->matches[flame_shown(v)->name[v->state.selected]])
		(void)flame_view_find(v, -1);
	say_match(v, t, flame_view_find(v, 1));
}

static void flame_answer(struct tui_view *view, struct tui *t, int question, const char *text)
{
	struct flame_view *v = flame_view_of(view);
	struct perr e = { 0 };

	(void)question;
	if (flame_view_search(v, *text ? text : NULL, &e))
		tui_warn(t, "%s", e.text);
	else if (*text)
		go_to_match(v, t);
}

static bool search_key(struct flame_view *v, struct tui *t, int key)
{
	struct perr e;

	switch (key) {
	case '/':
	case TKEY_CTRL('F'): tui_ask(t, ASK_SEARCH, "Find (regular expression)", ""); break;
	case '#':
		if (!v->state.selected)
			return true;
		flame_view_search_name(v, flame_shown(v)->name[v->state.selected]);
		go_to_match(v, t);
		break;
	case 'n':
	case 'N': say_match(v, t, flame_view_find(v, key == 'n' ? 1 : -1)); break;
	case TKEY_ESCAPE:
		if (!v->pattern)
			return undo(v);
		(void)!flame_view_search(v, NULL, &e);
		break;
	default: return false;
	}
	return true;
}

/* ---- other keys */

/* The selected box's name; NULL: it is no function, which the last line says. */
static const struct flame_name *function_of(struct flame_view *v, struct tui *t)
{
	const struct flame *f = flame_shown(v);
	const struct flame_name *name = &f->names[f->name[v->state.selected]];

	if (v->state.selected && name->kind != FLAME_GAP)
		return name;
	tui_warn(t, "this box is no function");
	return NULL;
}

static void show_callers(struct flame_view *v, struct tui *t)
{
	const struct flame_name *name = function_of(v, t);
	struct table_place place;
	struct out o;

	if (!name || !v->in->callers)
		return;
	place = (struct table_place){ .function = name->text, .object = name->object };
	out_init_mem(&o);
	v->in->callers(v->in->ctx, v->event, &place, &o);
	tui_push(t, view_text_new("Callers and callees", &o));
}

static void annotate(struct flame_view *v, struct tui *t)
{
	const struct flame_name *name = function_of(v, t);
	struct table_place place;
	struct tui_view *opened;
	struct perr e;

	if (!name || !v->in->annotate)
		return;
	place = (struct table_place){ .function = name->text, .object = name->object };
	opened = v->in->annotate(v->in->ctx, v->event, &place, &e);
	if (opened)
		tui_push(t, opened);
	else
		tui_warn(t, "%s", e.text);
}

static void copy_name(struct flame_view *v, struct tui *t)
{
	const struct flame_name *name = function_of(v, t);

	if (!name)
		return;
	t->screen->ops->copy(t->screen, name->text, strlen(name->text));
	tui_say(t, "copied: %s", name->text);
}

static bool step_key(struct flame_view *v, struct tui *t, int key)
{
	switch (key) {
	case TKEY_RETURN:
	case '+': zoom_in(v, t); break;
	case 'u':
	case TKEY_ERASE:
		if (!undo(v))
			tui_say(t, "nothing to undo; q goes back to the rows");
		break;
	case TKEY_CTRL('R'):
		if (!redo(v))
			tui_say(t, "nothing to do again");
		break;
	case 'I': flip(v, &v->state.inverted); break;
	case 'R': flip(v, &v->state.no_recursion); break;
	case 'c': flip(v, &v->state.no_commands); break;
	case 'x': leave_out(v, t, FLAME_DROP); break;
	case 'M': leave_out(v, t, FLAME_MERGE); break;
	case 'f':
		step(v);
		v->state.upwards = !v->state.upwards;
		break;
	case 'a': annotate(v, t); break;
	case 'b': show_callers(v, t); break;
	case 'T': time_view_open(v->in, v->event, v->rows, t); break;
	case 'y': copy_name(v, t); break;
	default: return false;
	}
	return true;
}

static bool flame_key(struct tui_view *view, struct tui *t, int key)
{
	struct flame_view *v = flame_view_of(view);

	return move_key(v, t, key) || search_key(v, t, key) || step_key(v, t, key);
}

static void flame_close(struct tui_view *view)
{
	struct flame_view *v = flame_view_of(view);

	flame_fini(&v->base);
	if (v->shown.nr)
		flame_fini(&v->shown);
	free(v->changes);
	flame_boxes_fini(&v->boxes);
	free(v->steps);
	free(v->words);
	free(v->pattern);
	free(v->matches);
	free(v);
}

static const struct tui_key flame_keys[] = {
	{ TKEY_RETURN, "zoom", "zoom into the box; a double click and + as well" },
	{ 'u', "undo", "undo the last step; Backspace and Esc as well" },
	{ '/', "find", "mark the names that match a regular expression; ^F as well" },
	{ 'I', "invert", "what ran at the top and its callers below; and back" },
	{ 'h', "help", "the keys; ? and F1 as well" },
	{ 'q', "back", "back to the rows" },
	{ 'n', NULL, "next match of the search; N: the one before" },
	{ '#', "same", "mark all boxes with the name of this one" },
	{ 'c', "commands", "without the commands that stacks begin with; and back" },
	{ 'R', "recursion", "functions that call themselves become one box; and back" },
	{ 'x', "drop", "without the stacks through this function" },
	{ 'M', "merge", "without this function: what it calls is its caller's" },
	{ 'f', NULL, "the first callers at the bottom, as in flame graphs; and back" },
	{ 'a', NULL, "the code of the function, with its costs" },
	{ 'b', NULL, "callers and callees of the function" },
	{ TKEY_ARROW_DOWN, NULL, "the heaviest box below; Up: the one above" },
	{ TKEY_ARROW_RIGHT, NULL, "the next box on the line; Left: the one before" },
	{ TKEY_PAGE_DOWN, NULL, "a page down, along the heaviest boxes; PgUp likewise" },
	{ TKEY_TO_START, NULL, "the box with the whole width; End: the end of the heaviest stack" },
	{ TKEY_CTRL('R'), NULL, "do again what was undone" },
	{ 'T', NULL, "threads by time, and ranges of time that all views follow" },
	{ 'y', NULL, "copy the function's name to the clipboard of the terminal" },
};

static const struct tui_view_ops flame_ops = {
	.name = "flame graph",
	.keys = flame_keys,
	.nr_keys = ARRAY_SIZE(flame_keys),
	.draw = flame_view_draw,
	.key = flame_key,
	.answer = flame_answer,
	.close = flame_close,
};

/* The heaviest box of a function is selected, and all of them are marked. */
static void go_to(struct flame_view *v, const struct table_place *place)
{
	const struct flame *f = &v->base;
	u32 best = 0;

	for (u32 n = 1; n < f->nr; n++) {
		const struct flame_name *name = &f->names[f->name[n]];

		if (strcmp(name->text, place->function) ||
		    strcmp(name->object ? name->object : "", place->object ? place->object : ""))
			continue;
		if (!best || f->total[v->side][n] > f->total[v->side][best])
			best = n;
	}
	if (!best)
		return;
	v->state.selected = best;
	flame_view_search_name(v, f->name[best]);
}

struct tui_view *flame_view_new(const struct tui_tables *in, size_t i, const bool *shown,
				const char *words, const struct table_place *place,
				struct tui_view *rows)
{
	struct flame_view *v = xcalloc(1, sizeof(*v));

	*v = (struct flame_view){
		.view = { &flame_ops }, .in = in, .rows = rows, .event = i, .words = xstrdup(words)
	};
	if (!in->flame || !in->flame(in->ctx, i, shown, &v->base)) {
		free(v->words);
		free(v);
		return NULL;
	}
	v->side = flame_total(&v->base, FLAME_PERIOD) ? FLAME_PERIOD : FLAME_SAMPLES;
	if (place && place->function)
		go_to(v, place);
	return &v->view;
}
