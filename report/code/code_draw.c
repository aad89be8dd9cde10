/* SPDX-License-Identifier: MIT */
/* How the view of code looks: perf annotate's title, columns, offsets, arrows and scroll bar. */
#include "base/screen/escape.h"
#include "profile/function_name.h"
#include "report/code/code_view_priv.h"

#define LEAST_NAME 12 /* columns that the function's name keeps in the title */

/* "  /usr/bin/prog [Percent: local period]"; brief: without the folders. */
static size_t put_object(const struct code_view *v, bool brief, struct out *o)
{
	const char *object = v->code.object, *slash = strrchr(object, '/');

	o->len = 0;
	out_printf(o, "  %s [Percent: %s]", brief && slash && *object == '/' ? slash + 1 : object,
		   annot_percent_text(v->in->look.style.percent));
	return escape_columns(o->buf, o->len);
}

static void draw_title(struct code_view *v, struct tui *t)
{
	size_t cols = (size_t)t->screen->cols, used, room;
	struct out o, name, object;

	tui_out(t, &o);
	tui_out(t, &name);
	tui_out(t, &object);
	annot_put_event(&o, &v->page);
	if (v->in->look.source)
		out_str(&o, " [source: On]");
	tui_line(t, 0, STYLE_TITLE, &o);
	out_mem(&name, v->func.name, strlen(v->func.name));
	used = name.len ? escape_columns(name.buf, name.len) : 0;
	room = put_object(v, false, &object);
	if (used + room > cols)
		room = put_object(v, true, &object);
	room = cols > room + LEAST_NAME ? cols - room : LEAST_NAME;
	if (used > room)
		function_name_fit(&o, name.buf, name.len, room);
	else
		out_raw(&o, name.buf, name.len);
	out_raw(&o, object.buf, object.len);
	tui_line(t, 1, STYLE_TITLE, &o);
	out_fini(&o);
	out_fini(&name);
	out_fini(&object);
}

/* A line that is drawn part by part. */
struct drawn {
	struct screen *s;
	int row, col;
	bool at_cursor;
	struct out *o; /* the part that is not drawn yet */
};

/* Draws the first n bytes that are not drawn yet. */
static void draw_bytes(struct drawn *d, enum screen_style style, size_t n)
{
	if (!n)
		return;
	screen_put(d->s, d->row, d->col, d->at_cursor ? STYLE_CURSOR : style, d->o->buf, n);
	d->col += (int)escape_columns(d->o->buf, n);
	memmove(d->o->buf, d->o->buf + n, d->o->len - n);
	d->o->len -= n;
}

static void draw_part(struct drawn *d, enum screen_style style)
{
	draw_bytes(d, style, d->o->len);
}

static enum screen_style style_of(const struct code_view *v, const struct code_line *l)
{
	const struct annot_insn *in = &v->code.insns[l->insn];
	double share = l->number ? 0 : annot_insn_share(&v->page, in->vaddr, in->len);

	return share >= 5 ? STYLE_HOT : share > 0.5 ? STYLE_WARM : STYLE_PLAIN;
}

static void draw_line(struct code_view *v, struct drawn *d, const struct code_line *l, bool head)
{
	const struct annot_insn *in = &v->code.insns[l->insn];
	enum screen_style style = style_of(v, l);
	size_t found;

	head &= !annot_put_columns(d->o, &v->page, in->vaddr, l->number ? 0 : in->len, head);
	draw_part(d, style);
	out_str(d->o, d->s->utf8 ? "│" : "|");
	draw_part(d, STYLE_PLAIN);
	code_put_cycles(v, l, head, d->o);
	code_put_line(v, l, d->s->utf8, d->o);
	while (d->o->len && code_find_text(v, d->o->buf, d->o->len, &found)) {
		draw_bytes(d, style, found);
		draw_bytes(d, STYLE_MATCH, strlen(v->pattern));
	}
	draw_part(d, style);
	if (d->at_cursor && d->col < d->s->cols) {
		out_fill(d->o, ' ', (size_t)(d->s->cols - d->col));
		draw_part(d, STYLE_CURSOR);
	}
}

/* Whether an instruction compares for the jump after it: processors run the two as one. */
static bool is_fused(const struct code_view *v, size_t jump)
{
	const struct annot_code *c = &v->code;
	const char *a = jump ? c->text.buf + c->insns[jump - 1].text : "";
	const char *b = c->text.buf + c->insns[jump].text;

	return jump && *b == 'j' && strncmp(b, "jmp", 3) != 0 &&
	       (!strncmp(a, "cmp", 3) || !strncmp(a, "test", 4)) && strncmp(a, "cmpxchg", 7) != 0 &&
	       v->lines.line_of[jump] == v->lines.line_of[jump - 1] + 1;
}

/*
 * The arrow from the jump at the cursor to where it goes; its ends may lie outside the page. A
 * comparison that the jump ends belongs to it.
 */
static void draw_jump(struct code_view *v, struct tui *t, int page)
{
	enum shape { LINE, FROM_TOP, TO_TOP, FROM_END, TO_END, FUSED };
	static const char *const shapes[][6] = { { "|", ",--", ",->", "`--", "`->", "+--" },
						 { "│", "┌──", "┌─→", "└──", "└─→", "├──" } };
	const struct code_line *l = code_line_at(v);
	const struct annot_insn *in = l ? &v->code.insns[l->insn] : NULL;
	int col = annot_columns_width(&v->page) + annot_cycles_width(&v->page) + code_margin(v);
	size_t target, first, last;
	bool down, fused;

	if (!l || l->number || v->in->look.no_arrows || in->is.flow != DISASM_JUMP ||
	    !in->target_inside)
		return;
	target = annot_code_at(&v->code, in->is.target);
	if (target == v->code.nr)
		return;
	target = v->lines.line_of[target];
	down = target > v->at;
	fused = is_fused(v, l->insn);
	first = down ? v->at - fused : target;
	last = down ? target : v->at;
	for (size_t i = first > v->top ? first : v->top; i <= last && i < v->top + (size_t)page;
	     i++) {
		enum shape shape = i == first                    ? (down ? FROM_TOP : TO_TOP)
				   : i == last                   ? (down ? TO_END : FROM_END)
				   : fused && i == v->at - !down ? FUSED
								 : LINE;

		screen_say(t->screen, CODE_ABOVE + (int)(i - v->top), col,
			   i == v->at ? STYLE_CURSOR : STYLE_ARROW, shapes[t->screen->utf8][shape]);
	}
}

/* Moves the page so that the cursor is on it, and no line is missing at the end without need. */
static void find_top(struct code_view *v, size_t page)
{
	if (v->at < v->top)
		v->top = v->at;
	if (v->at >= v->top + page)
		v->top = v->at - page + 1;
	if (v->lines.nr < page)
		v->top = 0;
	else if (v->top > v->lines.nr - page)
		v->top = v->lines.nr - page;
}

void code_view_draw(struct tui_view *view, struct tui *t)
{
	struct code_view *v = code_view_of(view);
	int page = tui_page(t, CODE_ABOVE);
	struct out o;

	code_view_refresh(v);
	find_top(v, (size_t)page);
	draw_title(v, t);
	tui_out(t, &o);
	for (int i = 0; i < page && v->top + (size_t)i < v->lines.nr; i++) {
		const struct code_line *l = &v->lines.lines[v->top + (size_t)i];
		struct drawn d = { .s = t->screen,
				   .row = CODE_ABOVE + i,
				   .at_cursor = v->top + (size_t)i == v->at,
				   .o = &o };

		draw_line(v, &d, l, !i);
	}
	draw_jump(v, t, page);
	tui_scroll_bar(t, CODE_ABOVE, page, v->at, v->lines.nr);
	if (v->note) {
		tui_warn(t, "%s", v->note);
		free(v->note);
		v->note = NULL;
	}
	out_fini(&o);
}
