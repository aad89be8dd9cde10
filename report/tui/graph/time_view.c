/* SPDX-License-Identifier: MIT */
/* Threads by time: the keys that choose a range, which other views then show. */
#include "report/tui/graph/time_view.h"

#include "base/mem.h"
#include "report/tui/graph/graph_views.h"

#define FAR 10 /* slices that < and > move by */

/* ---- steps */

static void step(struct time_view *v)
{
	v->nr_steps = v->at;
	vec_push(v->steps, v->nr_steps, v->cap_steps, v->state);
	v->at = v->nr_steps;
}

static bool go(struct time_view *v, size_t from, size_t to)
{
	struct time_state s = v->steps[from];

	v->steps[from] = v->state;
	v->state = s;
	v->at = to;
	return true;
}

static bool undo(struct time_view *v)
{
	return v->at && go(v, v->at - 1, v->at - 1);
}

static bool redo(struct time_view *v)
{
	return v->at < v->nr_steps && go(v, v->at, v->at + 1);
}

/* The range takes the whole width. */
static void zoom_in(struct time_view *v, struct tui *t)
{
	struct time_span span;

	if (v->state.mark == TIME_NO_MARK) {
		tui_say(t, "no range yet: Space begins one at the cursor");
		return;
	}
	span = time_view_span(v);
	step(v);
	v->state = (struct time_state){ .span = span, .cursor = span.from, .mark = TIME_NO_MARK };
}

/* ---- moves */

/* The cursor goes to the middle of a slice. */
static void set_slice(struct time_view *v, int slice)
{
	struct time_span span;

	slice = slice < 0 ? 0 : slice >= v->slices.nr ? v->slices.nr - 1 : slice;
	span = time_slices_span(&v->slices, slice, slice);
	v->state.cursor = span.from + (span.to - span.from) / 2;
}

static void move_time(struct time_view *v, int by)
{
	set_slice(v, time_slices_at(&v->slices, v->state.cursor) + by);
}

static void move_lane(struct time_view *v, long by)
{
	long lane = (long)v->lane + by;

	v->lane = lane < 0 ? 0 : lane > (long)v->data.nr_lanes ? v->data.nr_lanes : (size_t)lane;
}

/* The slice and the lane at the mouse; false: it is beside them. */
static bool point(struct time_view *v, const struct tui *t)
{
	int line = t->screen->click_row - time_view_above(t);
	int slice = t->screen->click_col - time_view_side(t);

	if (line < 0 || line >= time_view_lines(t) || slice < 0)
		return false;
	set_slice(v, slice);
	if (v->top + (size_t)line <= v->data.nr_lanes)
		v->lane = v->top + (size_t)line;
	return true;
}

static void mark(struct time_view *v)
{
	step(v);
	v->state.mark = v->state.mark == TIME_NO_MARK ? v->state.cursor : TIME_NO_MARK;
}

static bool mouse_key(struct time_view *v, struct tui *t, int key)
{
	u64 pressed = v->state.cursor;

	switch (key) {
	case TKEY_CLICK: (void)point(v, t); break;
	case TKEY_DRAG:
		if (point(v, t) && v->state.cursor != pressed) {
			step(v);
			v->state.mark = pressed;
		}
		break;
	case TKEY_WHEEL_DOWN: move_lane(v, 1); break;
	case TKEY_WHEEL_UP: move_lane(v, -1); break;
	default: return false;
	}
	return true;
}

static bool move_key(struct time_view *v, struct tui *t, int key)
{
	switch (key) {
	case TKEY_ARROW_RIGHT: move_time(v, 1); break;
	case TKEY_ARROW_LEFT: move_time(v, -1); break;
	case '>': move_time(v, FAR); break;
	case '<': move_time(v, -FAR); break;
	case TKEY_TO_START: set_slice(v, 0); break;
	case TKEY_TO_END: set_slice(v, v->slices.nr - 1); break;
	case TKEY_ARROW_DOWN: move_lane(v, 1); break;
	case TKEY_ARROW_UP: move_lane(v, -1); break;
	case TKEY_PAGE_DOWN: move_lane(v, time_view_lines(t)); break;
	case TKEY_PAGE_UP: move_lane(v, -time_view_lines(t)); break;
	default: return mouse_key(v, t, key);
	}
	return true;
}

/* ---- the range in other views */

static char *name_of(const struct tui_tables *in, size_t i)
{
	struct out o;
	char *name;

	out_init_mem(&o);
	in->name(in->ctx, i, &o);
	name = xstrndup(o.len ? o.buf : "", o.len);
	out_fini(&o);
	return name;
}

/* The table of the same event in the part; false: it has no samples there. */
static bool find_event(const struct time_view *v, size_t *ret)
{
	char *wanted = name_of(v->in, v->event);
	bool found = false;

	for (size_t i = 0; i < v->part->nr && !found; i++) {
		char *name = name_of(v->part, i);

		found = !strcmp(name, wanted);
		*ret = i;
		free(name);
	}
	free(wanted);
	return found;
}

/* Makes the tables of the range, unless they are there. False: it has no samples. */
static bool make_part(struct time_view *v, struct tui *t, size_t *ret_event)
{
	struct time_span span = time_view_span(v);
	struct perr e = { 0 };

	if (!v->part || v->part_of.from != span.from || v->part_of.to != span.to) {
		if (v->part)
			v->in->free_part(v->part);
		v->part = v->in->part(v->in->ctx, span.from, span.to, &e);
		v->part_of = span;
		if (v->part)
			v->part->rows = v->in->rows;
	}
	if (!v->part && e.code)
		tui_warn(t, "%s", e.text);
	else if (!v->part || !find_event(v, ret_event))
		tui_warn(t, "no samples were taken in this range");
	else
		return true;
	return false;
}

/* Shows the rows of the range and plays `key` there; TKEY_NONE: no key. */
static void show_rows(struct time_view *v, struct tui *t, int key)
{
	struct tui_view *rows;
	size_t event;

	if (!make_part(v, t, &event))
		return;
	rows = v->part->rows(v->part, event, v->rows);
	tui_push(t, rows);
	if (key != TKEY_NONE)
		(void)rows->ops->key(rows, t, key);
}

/* ---- keys */

static bool escape(struct time_view *v)
{
	if (v->state.mark == TIME_NO_MARK)
		return undo(v);
	mark(v);
	return true;
}

static bool time_key(struct tui_view *view, struct tui *t, int key)
{
	struct time_view *v = time_view_of(view);

	if (!v->slices.counts)
		time_view_slice(v, t);
	switch (key) {
	case TKEY_RETURN:
	case TKEY_DOUBLE_CLICK: show_rows(v, t, TKEY_NONE); break;
	case 'g': show_rows(v, t, key); break;
	case ' ': mark(v); break;
	case 'z':
	case '+': zoom_in(v, t); break;
	case 'u':
	case TKEY_ERASE:
		if (!undo(v))
			tui_say(t, "nothing to undo; q goes back");
		break;
	case TKEY_CTRL('R'):
		if (!redo(v))
			tui_say(t, "nothing to do again");
		break;
	case TKEY_ESCAPE: return escape(v);
	default: return move_key(v, t, key);
	}
	return true;
}

static void time_close(struct tui_view *view)
{
	struct time_view *v = time_view_of(view);

	if (v->part)
		v->in->free_part(v->part);
	time_lanes_fini(&v->data);
	free(v->slices.counts);
	free(v->steps);
	free(v);
}

static const struct tui_key time_keys[] = {
	{ ' ', "range",
	  "begin a range at the cursor; again: no range. A drag of the mouse as well" },
	{ TKEY_RETURN, "rows", "the rows of the range, or of the cursor's slice; q comes back" },
	{ 'g', "flame graph", "flame graph of the range; q goes to its rows" },
	{ 'z', "zoom", "the range takes the whole width; + as well" },
	{ 'u', "undo", "undo the last step; Backspace and Esc as well" },
	{ 'h', "help", "the keys; ? and F1 as well" },
	{ 'q', "back", "back" },
	{ TKEY_ARROW_RIGHT, NULL, "next slice of time; Left: the one before" },
	{ '>', NULL, "ten slices on; <: ten back" },
	{ TKEY_TO_START, NULL, "the first slice; End: the last" },
	{ TKEY_ARROW_DOWN, NULL, "next thread; Up, PgUp and PgDn likewise" },
	{ TKEY_CTRL('R'), NULL, "do again what was undone" },
};

static const struct tui_view_ops time_ops = {
	.name = "time",
	.keys = time_keys,
	.nr_keys = ARRAY_SIZE(time_keys),
	.draw = time_view_draw,
	.key = time_key,
	.close = time_close,
};

struct tui_view *time_view_new(const struct tui_tables *in, size_t i, struct tui_view *rows,
			       struct perr *e)
{
	struct time_view *v = xcalloc(1, sizeof(*v));

	*v = (struct time_view){ .view = { &time_ops }, .in = in, .rows = rows, .event = i };
	if (in->lanes(in->ctx, i, &v->data, e)) {
		free(v);
		return NULL;
	}
	v->state = (struct time_state){ .span = { v->data.first, v->data.last },
					.cursor = v->data.first,
					.mark = TIME_NO_MARK };
	return &v->view;
}

void time_view_open(const struct tui_tables *in, size_t i, struct tui_view *rows, struct tui *t)
{
	struct perr e = { 0 };
	struct tui_view *v = in->lanes ? time_view_new(in, i, rows, &e) : NULL;

	if (v)
		tui_push(t, v);
	else
		tui_warn(t, "%s", in->lanes ? e.text : "the times of samples are not known");
}
