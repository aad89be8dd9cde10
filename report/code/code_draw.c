/* SPDX-License-Identifier: MIT */
/* How the view of code looks: perf annotate's title, columns, offsets, arrows and scroll bar. */
#include "base/screen/escape.h"
#include "profile/function_name.h"
#include "report/code/code_view_priv.h"

#define LEAST_NAME 12 /* columns that the function's name keeps in the title */

static void draw_title(struct code_view *v, struct tui *t)
{
	size_t cols = (size_t)t->screen->cols, rest, n = strlen(v->func.name);
	struct out o, name, end;

	tui_out(t, &o);
	tui_out(t, &name);
	tui_out(t, &end);
	annot_put_event(&o, &v->page);
	if (v->in->look.source)
		out_str(&o, " [source: On]");
	tui_line(t, 0, STYLE_TITLE, &o);
	out_printf(&end, "  %s [Percent: %s]", v->code.object,
		   annot_percent_text(v->in->look.style.percent));
	out_mem(&name, v->func.name, n);
	rest = escape_columns(end.buf, end.len);
	rest = cols > rest + LEAST_NAME ? cols - rest : LEAST_NAME;
	if (escape_columns(name.buf, name.len) > rest)
		function_name_fit(&o, name.buf, name.len, rest);
	else
		out_raw(&o, name.buf, name.len);
	out_raw(&o, end.buf, end.len);
	tui_line(t, 1, STYLE_TITLE, &o);
	out_fini(&o);
	out_fini(&name);
	out_fini(&end);
}

/* A line that is drawn part by part. */
struct drawn {
	struct screen *s;
	int row, col;
	bool at_cursor;
	struct out *o; /* the part that is not drawn yet */
};

static void draw_part(struct drawn *d, enum screen_style style)
{
	if (!d->o->len)
		return;
	screen_put(d->s, d->row, d->col, d->at_cursor ? STYLE_CURSOR : style, d->o->buf, d->o->len);
	d->col += (int)escape_columns(d->o->buf, d->o->len);
	d->o->len = 0;
}

static enum screen_style style_of(const struct code_view *v, const struct code_line *l)
{
	const struct annot_insn *in = &v->code.insns[l->insn];
	double share = l->number ? 0 : annot_insn_share(&v->page, in->vaddr, in->len);

	return share >= 5 ? STYLE_HOT : share > 0.5 ? STYLE_WARM : STYLE_PLAIN;
}

static void draw_line(struct code_view *v, struct drawn *d, const struct code_line *l, bool head,
		      bool found)
{
	const struct annot_insn *in = &v->code.insns[l->insn];
	enum screen_style style = style_of(v, l);

	annot_put_columns(d->o, &v->page, in->vaddr, l->number ? 0 : in->len, head);
	draw_part(d, style);
	out_str(d->o, d->s->utf8 ? "│" : "|");
	draw_part(d, STYLE_PLAIN);
	code_put_line(v, l, d->s->utf8, d->o);
	draw_part(d, found ? STYLE_MATCH : style);
	if (d->at_cursor && d->col < d->s->cols) {
		out_fill(d->o, ' ', (size_t)(d->s->cols - d->col));
		draw_part(d, STYLE_CURSOR);
	}
}

/* The arrow from the jump at the cursor to where it goes; its ends may lie outside the page. */
static void draw_jump(struct code_view *v, struct tui *t, int page)
{
	static const char *const shapes[][3] = { { "|", ",->", "`--" }, { "│", "┌─→", "└──" } };
	static const char *const up[] = { "`->", "└─→" }, *const down[] = { ",--", "┌──" };
	const struct code_line *l = code_line_at(v);
	const struct annot_insn *in = l ? &v->code.insns[l->insn] : NULL;
	bool utf8 = t->screen->utf8;
	int col = annot_columns_width(&v->page) + code_margin(v);
	size_t target, first, last;

	if (!l || l->number || v->in->look.no_arrows || in->is.flow != DISASM_JUMP ||
	    !in->target_inside)
		return;
	target = annot_code_at(&v->code, in->is.target);
	if (target == v->code.nr)
		return;
	target = v->lines.line_of[target];
	first = target < v->at ? target : v->at;
	last = target < v->at ? v->at : target;
	for (size_t i = first > v->top ? first : v->top; i <= last && i < v->top + (size_t)page;
	     i++) {
		const char *shape = shapes[utf8][0];

		if (i == first && first != last)
			shape = target < v->at ? shapes[utf8][1] : down[utf8];
		else if (i == last)
			shape = target < v->at ? shapes[utf8][2] : up[utf8];
		screen_say(t->screen, CODE_ABOVE + (int)(i - v->top), col,
			   i == v->at ? STYLE_CURSOR : STYLE_ARROW, shape);
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
	struct out o, scratch;

	code_view_refresh(v);
	find_top(v, (size_t)page);
	draw_title(v, t);
	tui_out(t, &o);
	out_init_mem(&scratch);
	for (int i = 0; i < page && v->top + (size_t)i < v->lines.nr; i++) {
		const struct code_line *l = &v->lines.lines[v->top + (size_t)i];
		struct drawn d = { .s = t->screen,
				   .row = CODE_ABOVE + i,
				   .at_cursor = v->top + (size_t)i == v->at,
				   .o = &o };

		draw_line(v, &d, l, !i, code_is_found(v, l, &scratch));
	}
	draw_jump(v, t, page);
	tui_scroll_bar(t, CODE_ABOVE, page, v->at, v->lines.nr);
	if (v->note) {
		tui_warn(t, "%s", v->note);
		free(v->note);
		v->note = NULL;
	}
	out_fini(&o);
	out_fini(&scratch);
}
