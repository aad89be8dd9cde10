/* SPDX-License-Identifier: MIT */
/* How threads look by time: an axis, a line for each thread, the line about the range. */
#include <math.h>

#include "base/mem.h"
#include "base/screen/escape.h"
#include "base/screen/fit.h"
#include "report/tui/graph/time_view.h"

#define MOST_SIDE 24 /* columns of the names of threads */
#define TICK 14      /* columns between two times of the axis, at least */
#define LEVELS 8

int time_view_above(const struct tui *t)
{
	return t->screen->rows >= 6 ? 2 : 0;
}

int time_view_lines(const struct tui *t)
{
	int lines = t->screen->rows - 2 - time_view_above(t);

	return lines > 0 ? lines : 1;
}

int time_view_side(const struct tui *t)
{
	int side = t->screen->cols / 4;

	return side > MOST_SIDE ? MOST_SIDE : side;
}

void time_view_slice(struct time_view *v, const struct tui *t)
{
	int cols = t->screen->cols - time_view_side(t);

	free(v->slices.counts);
	time_slices_count(&v->slices, &v->data, v->state.span, cols > 1 ? cols : 1);
}

void time_view_range(const struct time_view *v, int *ret_first, int *ret_last)
{
	int a = time_slices_at(&v->slices, v->state.cursor), b = a;

	if (v->state.mark != TIME_NO_MARK)
		b = time_slices_at(&v->slices, v->state.mark);
	*ret_first = a < b ? a : b;
	*ret_last = a < b ? b : a;
}

struct time_span time_view_span(const struct time_view *v)
{
	int first, last;

	time_view_range(v, &first, &last);
	return time_slices_span(&v->slices, first, last);
}

/* ---- lanes */

/* A lane's number in the data, given its line from 0: the first line is the sum. */
static size_t lane_of_line(const struct time_view *v, size_t line)
{
	return line ? line - 1 : v->data.nr_lanes;
}

static void put_name(const struct time_view *v, const struct tui *t, size_t line, size_t width,
		     struct out *o)
{
	size_t start = o->len, used;
	struct out name;

	out_init_mem(&name);
	name.escape = true;
	name.ascii = !t->screen->utf8;
	if (!line) {
		out_str(&name, "all");
	} else {
		const struct time_lane *lane = &v->data.lanes[line - 1];

		out_printf(&name, "%u %s", lane->tid, lane->name);
	}
	out_raw(o, name.buf, escape_fits(name.buf, name.len, width));
	out_fini(&name);
	used = o->len > start ? escape_columns(o->buf + start, o->len - start) : 0;
	out_fill(o, ' ', width - used);
}

/* A cell of a count: the higher, the more samples of the most that a cell has. */
static const char *cell_of(const struct tui *t, u64 count, u64 most)
{
	static const char *const blocks[LEVELS] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
	static const char *const letters[LEVELS] = { ".", ":", "-", "=", "+", "*", "#", "@" };
	size_t level;

	if (!count)
		return " ";
	level = (size_t)ceil((double)count * LEVELS / (double)most);
	level = level > LEVELS ? LEVELS : level;
	return t->screen->utf8 ? blocks[level - 1] : letters[level - 1];
}

static void draw_lane(const struct time_view *v, struct tui *t, size_t line, int row)
{
	const struct time_slices *s = &v->slices;
	size_t lane = lane_of_line(v, line);
	const u64 *counts = &s->counts[lane * (size_t)s->nr];
	u64 most = line ? s->most : s->most_of_all;
	int side = time_view_side(t), first, last, cursor;
	struct out o;

	time_view_range(v, &first, &last);
	cursor = time_slices_at(s, v->state.cursor);
	tui_out(t, &o);
	if (side > 1) {
		put_name(v, t, line, (size_t)side - 1, &o);
		screen_put(t->screen, row, 0, line == v->lane ? STYLE_CURSOR : STYLE_PLAIN, o.buf,
			   o.len);
	}
	for (int i = 0; i < s->nr; i++) {
		bool in = v->state.mark != TIME_NO_MARK && i >= first && i <= last;
		enum screen_style style = i == cursor ? STYLE_FLAME_CURSOR
					  : in        ? STYLE_MATCH
					  : line      ? STYLE_FLAME_REST + 1
						      : STYLE_PLAIN;

		if (counts[i] || style == STYLE_FLAME_CURSOR || in)
			screen_say(t->screen, row, side + i, style, cell_of(t, counts[i], most));
	}
	out_fini(&o);
}

/* ---- text */

/* A time since the first sample, in seconds, as exact as a slice needs it. */
static void put_time(const struct time_view *v, u64 time, struct out *o)
{
	u64 slice = (v->slices.span.to - v->slices.span.from) / (u64)v->slices.nr;
	int digits = slice >= 100000000 ? 1 : slice >= 1000000 ? 3 : slice >= 1000 ? 6 : 9;

	out_printf(o, "%.*f", digits, (double)(time - v->data.first) / 1e9);
}

static void draw_axis(struct time_view *v, struct tui *t)
{
	int side = time_view_side(t);
	struct out o;

	tui_out(t, &o);
	tui_line(t, 1, STYLE_HEAD, &o);
	for (int i = 0; i + TICK <= v->slices.nr || !i; i += TICK) {
		out_str(&o, t->screen->utf8 ? "╷" : "|");
		put_time(v, time_slices_span(&v->slices, i, i).from, &o);
		if (!i)
			out_str(&o, " s");
		screen_put(t->screen, 1, side + i, STYLE_HEAD, o.buf, o.len);
		o.len = 0;
	}
	out_fini(&o);
}

static void draw_title(struct time_view *v, struct tui *t)
{
	struct out title, steps;

	tui_out(t, &title);
	tui_out(t, &steps);
	out_str(&title, "Time, ");
	v->in->title(v->in->ctx, v->event, &title);
	if (v->state.span.from > v->data.first || v->state.span.to < v->data.last)
		out_str(&steps, ", zoomed in");
	tui_title(t, 0, &title, &steps);
	out_fini(&title);
	out_fini(&steps);
}

static u64 samples_in(const struct time_view *v, size_t lane, int first, int last)
{
	u64 sum = 0;

	for (int i = first; i <= last; i++)
		sum += v->slices.counts[lane * (size_t)v->slices.nr + (size_t)i];
	return sum;
}

/* "0.120 to 0.240 s (0.120 s): 41 of 379 samples, 12 of 4711 prog" */
static void draw_range(struct time_view *v, struct tui *t)
{
	struct time_span span = time_view_span(v);
	u64 all = 0, in;
	int first, last;
	struct out o;

	time_view_range(v, &first, &last);
	in = samples_in(v, v->data.nr_lanes, first, last);
	for (size_t i = 0; i < v->data.nr_lanes; i++)
		all += v->data.lanes[i].samples;
	tui_out(t, &o);
	put_time(v, span.from, &o);
	out_str(&o, " to ");
	put_time(v, span.to, &o);
	out_printf(&o, " s: %llu of %llu samples (%.1f %%)", (unsigned long long)in,
		   (unsigned long long)all, all ? 100.0 * (double)in / (double)all : 0);
	if (v->lane)
		out_printf(&o, ", %llu of thread %u",
			   (unsigned long long)samples_in(v, v->lane - 1, first, last),
			   v->data.lanes[v->lane - 1].tid);
	tui_line(t, t->screen->rows - 2, STYLE_HEAD, &o);
	out_fini(&o);
}

void time_view_draw(struct tui_view *view, struct tui *t)
{
	struct time_view *v = time_view_of(view);
	size_t lines = (size_t)time_view_lines(t);

	time_view_slice(v, t);
	if (v->lane < v->top)
		v->top = v->lane;
	if (v->lane >= v->top + lines)
		v->top = v->lane - lines + 1;
	for (size_t i = 0; i < lines && v->top + i <= v->data.nr_lanes; i++)
		draw_lane(v, t, v->top + i, time_view_above(t) + (int)i);
	if (time_view_above(t)) {
		draw_title(v, t);
		draw_axis(v, t);
	}
	if (t->screen->rows > 2)
		draw_range(v, t);
}
