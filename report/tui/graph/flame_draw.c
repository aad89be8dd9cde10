/* SPDX-License-Identifier: MIT */
/* How a flame graph looks in cells: title, boxes, the line about the selected box. */
#include "base/mem.h"
#include "base/screen/escape.h"
#include "profile/function_name.h"
#include "report/tui/graph/flame_view.h"

#define LEAST_NAME 12   /* columns of the name in the line about the selected box */
#define MOST_IN_LINE 48 /* columns of it that details make room for */
#define LEAST_LABEL 2   /* columns of a name in front of the mark that it is cut */
#define FITTED_LABEL 24 /* columns from which on arguments are worth their room */
#define MOST_NAME                                                                                  \
	1024             /* bytes of a name that is fitted; longer ones lose their arguments first \
			  */
#define MOST_BYTES 16384 /* of a name that are looked at */
#define EIGHTHS 8

static int lines_above(const struct tui *t)
{
	return t->screen->rows >= 5;
}

static int lines_below(const struct tui *t)
{
	return t->screen->rows >= 3;
}

int flame_view_lines(const struct tui *t)
{
	int lines = t->screen->rows - 1 - lines_above(t) - lines_below(t);

	return lines > 0 ? lines : 1;
}

static int row_of(const struct flame_view *v, const struct tui *t, u32 depth)
{
	int line = (int)(depth - v->top);

	return lines_above(t) + (v->state.upwards ? flame_view_lines(t) - 1 - line : line);
}

s64 flame_view_depth(const struct flame_view *v, const struct tui *t, int row)
{
	int line = row - lines_above(t);

	if (line < 0 || line >= flame_view_lines(t))
		return -1;
	return (s64)v->top + (v->state.upwards ? flame_view_lines(t) - 1 - line : line);
}

void flame_view_lay(struct flame_view *v, int cols, u32 first, u32 nr)
{
	const struct flame_part part = {
		.zoom = v->state.zoom, .first = first, .nr = nr, .cols = cols, .side = v->side
	};

	flame_boxes_lay(&v->boxes, flame_shown(v), &part);
}

/* ---- boxes */

/* A name has the same colour wherever it is; neighbours differ. */
static enum screen_style color_of(const struct flame_name *name, enum screen_style beside)
{
	static const struct {
		enum screen_style first;
		unsigned nr;
	} colors[FLAME_NR_KINDS] = {
		[FLAME_USER] = { STYLE_FLAME, 8 },          [FLAME_INLINED] = { STYLE_FLAME, 8 },
		[FLAME_KERNEL] = { STYLE_FLAME_KERNEL, 4 }, [FLAME_JIT] = { STYLE_FLAME_JIT, 4 },
		[FLAME_WAKER] = { STYLE_FLAME_OTHER, 2 },   [FLAME_GAP] = { STYLE_FLAME_OTHER, 2 },
	};
	enum flame_kind kind = *name->text ? name->kind : FLAME_GAP; /* "": all stacks */
	unsigned first = colors[kind].first, nr = colors[kind].nr;
	u32 hash = 2166136261u;
	enum screen_style style;

	for (const char *s = name->text; *s; s++)
		hash = (hash ^ (u8)*s) * 16777619u;
	style = (enum screen_style)(first + (hash >> 8) % nr);
	return style == beside ? (enum screen_style)(first + (style - first + 1) % nr) : style;
}

/* Where the part of a name behind its first "::" begins, arguments apart; 0: it has none. */
static size_t behind_scope(const char *s, size_t n)
{
	int depth = 0;

	for (size_t i = 0; i + 2 < n; i++) {
		depth += s[i] == '<' || s[i] == '(' || s[i] == '{';
		depth -= s[i] == '>' || s[i] == ')' || s[i] == '}';
		if (depth <= 0 && s[i] == ':' && s[i + 1] == ':')
			return i + 2;
	}
	return 0;
}

/*
 * Appends what says most about a function in a few columns: its name without arguments, then
 * without what it is in, then the front of it.
 */
static void put_short_label(const struct tui *t, const char *s, size_t n, size_t width,
			    struct out *o)
{
	const char *mark = t->screen->utf8 ? "…" : "..";
	size_t mark_width = t->screen->utf8 ? 1 : 2, scope;
	struct out name;

	out_init_mem(&name);
	function_name_put(&name, s, n, FUNCTION_NAMES_SHORT);
	s = name.buf;
	n = name.len;
	while (n && escape_columns(s, n) > width && (scope = behind_scope(s, n))) {
		s += scope;
		n -= scope;
	}
	if (!n || escape_columns(s, n) <= width) {
		out_raw(o, n ? s : "", n);
	} else if (width >= mark_width + LEAST_LABEL) {
		out_raw(o, s, escape_fits(s, n, width - mark_width));
		out_raw(o, mark, strlen(mark));
	}
	out_fini(&name);
}

/* The name of a function is at the end of what templates can make very long. */
static void put_escaped_name(struct out *text, const char *name)
{
	size_t n = strnlen(name, MOST_BYTES);
	struct out shorter;

	if (n <= MOST_NAME) {
		out_mem(text, name, n);
		return;
	}
	out_init_mem(&shorter);
	function_name_put(&shorter, name, n, FUNCTION_NAMES_SHORT);
	out_mem(text, shorter.buf ? shorter.buf : "",
		shorter.len < MOST_NAME ? shorter.len : MOST_NAME);
	out_fini(&shorter);
}

/* Appends a name in so many columns, blanks behind it. */
static void put_label(const struct tui *t, const char *name, int width, struct out *o)
{
	size_t start = o->len, columns = width > 0 ? (size_t)width : 0, used;
	struct out text;

	out_init_mem(&text);
	text.escape = true;
	text.ascii = !t->screen->utf8;
	put_escaped_name(&text, name);
	if (!text.len || escape_columns(text.buf, text.len) <= columns)
		out_raw(o, text.len ? text.buf : "", text.len);
	else if (columns >= FITTED_LABEL)
		function_name_fit(o, text.buf, text.len, columns);
	else
		put_short_label(t, text.buf, text.len, columns, o);
	out_fini(&text);
	used = o->len > start ? escape_columns(o->buf + start, o->len - start) : 0;
	out_fill(o, ' ', columns > used ? columns - used : 0);
}

static void put_box(const struct flame_view *v, const struct tui *t, const struct flame_box *box,
		    struct out *o)
{
	const struct flame *f = flame_shown(v);
	const char *name = box->node ? f->names[f->name[box->node]].text : "all";
	int width = box->to - box->from;

	if (t->screen->color) {
		put_label(t, name, width, o);
	} else if (width == 1) {
		out_char(o, '|');
	} else {
		out_char(o, '[');
		put_label(t, name, width - 2, o);
		out_char(o, ']');
	}
}

/* What is left of a box behind its last cell, in eighths of a cell. */
static void draw_rest(struct tui *t, const struct flame_box *box, int row, enum screen_style style)
{
	static const char *const blocks[EIGHTHS] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	int eighths = (int)((box->end - box->to) * EIGHTHS);

	if (t->screen->color && t->screen->utf8 && eighths > 0)
		screen_say(t->screen, row, box->to,
			   (enum screen_style)(style - STYLE_FLAME + STYLE_FLAME_REST),
			   blocks[eighths]);
}

static void draw_boxes(struct flame_view *v, struct tui *t)
{
	const struct flame *f = flame_shown(v);
	size_t lines = (size_t)flame_view_lines(t), i;
	struct {
		enum screen_style style;
		int to;
	} *left = xcalloc(lines, sizeof(*left)); /* by line: the box before */
	struct out o;

	tui_out(t, &o);
	/* what is left behind a box is drawn first: the next box covers it */
	for (i = 0; i < v->boxes.nr; i++) {
		const struct flame_box *box = &v->boxes.items[i];
		u32 name = f->name[box->node], line = box->line - v->top;
		int row = row_of(v, t, box->line);
		enum screen_style style =
			color_of(&f->names[name], left[line].style && left[line].to == box->from
							  ? left[line].style
							  : STYLE_PLAIN);

		left[line].style = style;
		left[line].to = box->to;
		draw_rest(t, box, row, style);
		if (v->matches && v->matches[name])
			style = STYLE_MATCH;
		if (box->node == v->state.selected)
			style = STYLE_FLAME_CURSOR;
		put_box(v, t, box, &o);
		screen_put(t->screen, row, box->from, style, o.buf, o.len);
		o.len = 0;
	}
	free(left);
	out_fini(&o);
}

/* ---- text */

static double share_of(u64 part, u64 whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void draw_title(struct flame_view *v, struct tui *t)
{
	const struct flame *f = flame_shown(v);
	struct out title, steps;

	tui_out(t, &title);
	tui_out(t, &steps);
	out_str(&title, "Flame graph, ");
	v->in->title(v->in->ctx, v->event, &title);
	if (v->state.inverted)
		out_str(&steps, ", inverted");
	if (v->state.no_commands)
		out_str(&steps, ", no commands");
	if (v->state.no_recursion)
		out_str(&steps, ", no recursion");
	for (size_t i = 0; i < v->state.nr_changes; i++) {
		const char *name = f->names[v->changes[i].name].text;

		out_str(&steps, v->changes[i].kind == FLAME_DROP ? ", without " : ", merged ");
		out_mem(&steps, name, strnlen(name, (size_t)t->screen->cols));
	}
	if (*v->words)
		out_str(&steps, (const char *)v->words);
	if (v->state.zoom) {
		const char *name = f->names[f->name[v->state.zoom]].text;

		out_str(&steps, ", in ");
		out_mem(&steps, name, strnlen(name, (size_t)t->screen->cols));
	}
	if (v->pattern)
		out_printf(&steps, ", %zu found (%.1f %%)", v->nr_found,
			   share_of(v->found, f->total[v->side][0]));
	tui_title(t, 0, &title, &steps);
	out_fini(&title);
	out_fini(&steps);
}

/* What follows the name in the line about the selected box; the higher the level, the more. */
static void put_details(const struct flame_view *v, int level, struct out *o)
{
	const struct flame *f = flame_shown(v);
	u32 n = v->state.selected;
	u64 samples = f->total[FLAME_SAMPLES][n];
	const char *object = f->names[f->name[n]].object;

	o->len = 0;
	if (level > 0)
		out_printf(o, "  %llu sample%s", (unsigned long long)samples,
			   samples == 1 ? "" : "s");
	if (level > 1)
		out_printf(o, ", own %.2f%%", share_of(f->self[v->side][n], f->total[v->side][0]));
	if (level > 2 && v->state.zoom && n >= v->state.zoom)
		out_printf(o, ", %.2f%% of the zoom",
			   share_of(f->total[v->side][n], f->total[v->side][v->state.zoom]));
	if (level > 3 && v->side == FLAME_PERIOD)
		out_printf(o, ", period %llu", (unsigned long long)f->total[FLAME_PERIOD][n]);
	if (level > 4 && object && *object) {
		out_str(o, "  ");
		out_str(o, object);
	}
}

static void draw_selected(struct flame_view *v, struct tui *t)
{
	const struct flame *f = flame_shown(v);
	u32 n = v->state.selected;
	const char *name = n ? f->names[f->name[n]].text : "all";
	size_t cols = (size_t)t->screen->cols, room, used = 0, wanted = strnlen(name, MOST_IN_LINE);
	struct out line, details;

	tui_out(t, &line);
	tui_out(t, &details);
	out_printf(&line, "%.2f%% ", share_of(f->total[v->side][n], f->total[v->side][0]));
	for (int level = 5; level >= 0; level--) {
		put_details(v, level, &details);
		used = line.len + (details.len ? escape_columns(details.buf, details.len) : 0);
		if (level <= 1 && wanted > LEAST_NAME)
			wanted = LEAST_NAME;
		if (used + wanted <= cols)
			break;
	}
	room = used + wanted < cols ? cols - used : wanted;
	put_label(t, name, (int)room, &line);
	while (line.len && line.buf[line.len - 1] == ' ')
		line.len--;
	if (!flame_boxes_of(&v->boxes, n) && cols > used + wanted + 24)
		out_str(&details, ", too narrow to be drawn");
	out_raw(&line, details.buf, details.len);
	tui_line(t, t->screen->rows - 2, STYLE_HEAD, &line);
	out_fini(&line);
	out_fini(&details);
}

/* Scrolls until the selected box is on the screen. */
static void scroll(struct flame_view *v, u32 lines)
{
	u32 depth = flame_shown(v)->depth[v->state.selected];

	if (depth < v->top)
		v->top = depth;
	if (depth - v->top >= lines)
		v->top = depth - lines + 1;
}

void flame_view_draw(struct tui_view *view, struct tui *t)
{
	struct flame_view *v = flame_view_of(view);
	u32 lines = (u32)flame_view_lines(t);

	scroll(v, lines);
	flame_view_lay(v, t->screen->cols, v->top, lines);
	draw_boxes(v, t);
	if (lines_above(t))
		draw_title(v, t);
	if (lines_below(t))
		draw_selected(v, t);
}
