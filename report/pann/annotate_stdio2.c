/* SPDX-License-Identifier: MIT */
/* --stdio2: instructions alone, places in the function as offsets, jumps with arrows. No colours.
 */
#include "report/pann/annotate_print.h"

#include "report/annotate/annotate_short.h"

struct page {
	struct out *o;
	const struct annot_view *v;
	struct annot_short shortened;
	struct out text;
	bool first;
};

/* insn: of p->v->code; cycles stand beside the first line of one only */
static void print_columns(struct page *p, u64 vaddr, u32 len, size_t insn)
{
	bool any = annot_put_columns(p->o, p->v, vaddr, len, p->first);

	annot_put_cycles(p->o, p->v, insn, p->first && !any);
	p->first = false;
}

static void print_insn(struct page *p, size_t i)
{
	const struct annot_insn *in = &p->v->code->insns[i];
	const char *arrow = annot_arrow(in);

	print_columns(p, in->vaddr, in->len, i);
	if (p->shortened.jumps[i])
		out_printf(p->o, "%*llx:", p->shortened.digits + 1,
			   (unsigned long long)(in->vaddr - p->v->code->vaddr));
	else
		out_fill(p->o, ' ', (size_t)p->shortened.digits + 2);
	out_char(p->o, ' ');
	out_raw(p->o, arrow, strlen(arrow));
	out_char(p->o, ' ');
	p->text.len = 0;
	annot_short_text(&p->shortened, in, &p->text);
	out_mem(p->o, p->text.buf, p->text.len);
	out_char(p->o, '\n');
}

/* With --asm-raw perf shows objdump's text and no arrows. */
static void print_raw(struct page *p, size_t i)
{
	const struct annot_insn *in = &p->v->code->insns[i];
	const u8 *b = p->v->code->bytes + (in->vaddr - p->v->code->vaddr);
	u32 n;

	for (u32 done = 0; done < in->len; done += n) {
		n = in->len - done < 7 ? in->len - done : 7;
		print_columns(p, in->vaddr + done, n, done ? p->v->code->nr : i);
		out_fill(p->o, ' ', (size_t)p->shortened.digits + 5);
		for (u32 k = 0; k < n; k++)
			out_printf(p->o, k ? " %02x" : "%02x", b[done + k]);
		if (!done) {
			out_fill(p->o, ' ', 24 - (3 * n - 1));
			annot_long_text(p->v->code, in, p->o);
		}
		out_char(p->o, '\n');
	}
}

void annot_print_stdio2(struct out *o, const struct annot_view *v)
{
	const struct annot_code *c = v->code;
	struct page p = { .o = o, .v = v, .first = true };

	annot_short_init(&p.shortened, c);
	out_init_mem(&p.text);
	annot_put_event(o, v);
	out_printf(o, ", [percent: %s]\n%s() %s\n", annot_percent_text(v->style->percent),
		   v->func->name, c->object);
	for (size_t i = 0; i < c->nr; i++) {
		if (v->style->raw)
			print_raw(&p, i);
		else
			print_insn(&p, i);
	}
	out_fini(&p.text);
	annot_short_fini(&p.shortened);
}
