/* SPDX-License-Identifier: MIT */
/* The lines of a view of code, and their texts. */
#include <ctype.h>

#include "report/code/code_view_priv.h"

void code_view_make_lines(struct code_view *v)
{
	code_lines_init(&v->lines, &v->page, v->in->look.source);
	v->made_source = v->in->look.source;
	v->made_percent = v->in->look.style.percent;
}

void code_view_refresh(struct code_view *v)
{
	const struct code_line *l = code_line_at(v);
	u32 insn = l ? l->insn : 0;
	size_t above = v->at - v->top;

	if (v->made_source == v->in->look.source && v->made_percent == v->in->look.style.percent)
		return;
	code_lines_fini(&v->lines);
	code_view_make_lines(v);
	v->at = v->code.nr ? v->lines.line_of[insn] : 0;
	v->top = v->at > above ? v->at - above : 0;
	v->hot = 0;
}

void code_view_go(struct code_view *v, struct tui *t, size_t insn)
{
	size_t page = (size_t)tui_page(t, CODE_ABOVE);

	v->at = v->lines.line_of[insn];
	if (v->at < v->top || v->at >= v->top + page)
		v->top = v->at > page / 2 ? v->at - page / 2 : 0;
}

static int count_width(const struct code_view *v)
{
	return v->in->look.count_jumps ? snprintf(NULL, 0, "%u", v->shortened.most_jumps) + 1 : 0;
}

/* The address of the first instruction, as lines show it. */
static u64 base_of(const struct code_view *v)
{
	return !v->in->look.raw ? 0 : v->in->look.full ? v->code.ip : v->code.vaddr;
}

/* Characters of an offset or address, without its colon. */
static int offset_width(const struct code_view *v)
{
	const struct annot_code *c = &v->code;

	if (!v->in->look.raw)
		return v->shortened.digits;
	return snprintf(NULL, 0, "%llx", (unsigned long long)(base_of(v) + c->nr_bytes));
}

static bool has_offset(const struct code_view *v, size_t i)
{
	const struct code_look *look = &v->in->look;

	return look->raw || look->offsets >= 3 || v->shortened.jumps[i] ||
	       (look->offsets == 2 && v->code.insns[i].is.flow == DISASM_CALL);
}

static const char *arrow_of(const struct annot_insn *in, bool utf8)
{
	if (utf8 || in->is.flow == DISASM_PLAIN)
		return annot_arrow(in);
	return in->is.flow == DISASM_RETURN                       ? "<"
	       : in->is.flow == DISASM_CALL || !in->target_inside ? ">"
	       : in->is.target > in->vaddr                        ? "v"
								  : "^";
}

int code_margin(const struct code_view *v)
{
	return count_width(v) + offset_width(v) + 2;
}

static void put_source(struct code_view *v, const struct code_line *l, struct out *o)
{
	int width = code_margin(v);
	const char *text;
	size_t n;

	if (v->in->look.numbers)
		out_printf(o, "%-*u ", width - 1, l->number);
	else
		out_fill(o, ' ', (size_t)width);
	text = line_source_get(v->page.lines, l->file, l->number, &n);
	while (text && n && isspace((u8)text[n - 1]))
		n--;
	if (text)
		annot_expand_tabs(o, text, n, 0);
}

void code_put_line(struct code_view *v, const struct code_line *l, bool utf8, struct out *o)
{
	const struct annot_insn *in = &v->code.insns[l->insn];
	const struct code_look *look = &v->in->look;
	u32 jumps = v->shortened.jumps[l->insn];
	const char *arrow = arrow_of(in, utf8);

	if (l->number) {
		put_source(v, l, o);
		return;
	}
	if (look->count_jumps && jumps)
		out_printf(o, "%-*u", count_width(v), jumps);
	else
		out_fill(o, ' ', (size_t)count_width(v));
	if (has_offset(v, l->insn))
		out_printf(o, "%*llx: ", offset_width(v),
			   (unsigned long long)(base_of(v) + (in->vaddr - v->code.vaddr)));
	else
		out_fill(o, ' ', (size_t)offset_width(v) + 2);
	out_raw(o, arrow, strlen(arrow));
	out_char(o, ' ');
	if (look->raw)
		annot_long_text(&v->code, in, o);
	else
		annot_short_text(&v->shortened, in, o);
	if (look->types && v->types && v->types[l->insn]) {
		out_str(o, "  # data-type: ");
		out_mem(o, v->types[l->insn], strlen(v->types[l->insn]));
	}
}

void code_put_cycles(const struct code_view *v, const struct code_line *l, bool head, struct out *o)
{
	size_t before = o->len;

	annot_put_cycles(o, &v->page, l->number ? v->code.nr : l->insn, head);
	if (o->len == before || o->buf[before] != ' ')
		return;
	/* the bar is the blank that stands first in other layouts */
	memmove(o->buf + before, o->buf + before + 1, o->len - before - 1);
	o->buf[o->len - 1] = ' ';
}

static bool same(char a, char b, bool fold)
{
	return a == b || (fold && tolower((u8)a) == tolower((u8)b));
}

bool code_find_text(const struct code_view *v, const char *s, size_t len, size_t *ret_at)
{
	const char *p = v->pattern;
	size_t n = p ? strlen(p) : 0;
	bool fold = true;

	for (size_t i = 0; i < n; i++)
		fold &= !isupper((u8)p[i]);
	for (*ret_at = 0; n && *ret_at + n <= len; ++*ret_at) {
		size_t i = 0;

		while (i < n && same(s[*ret_at + i], p[i], fold))
			i++;
		if (i == n)
			return true;
	}
	return false;
}
