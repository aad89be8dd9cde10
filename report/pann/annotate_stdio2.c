/* SPDX-License-Identifier: MIT */
/* --stdio2: instructions alone, places in the function as offsets, jumps with arrows. No colours.
 */
#include "report/pann/annotate_view.h"

struct page {
	struct out *o;
	const struct annot_view *v;
	int column;      /* characters of one event's column, with the blank after it */
	int digits;      /* digits of the highest offset */
	int name_width;  /* characters of the longest mnemonic */
	bool *is_target; /* by instruction: a jump in the function goes to it */
	struct out text, insn;
	bool first;
};

static u64 offset_of(const struct page *p, u64 vaddr)
{
	return vaddr - p->v->code->vaddr;
}

static size_t name_len(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] != ' ' && s[i] != '\t')
		i++;
	return i;
}

static void raw_text(struct page *p, const struct annot_insn *in)
{
	p->insn.len = 0;
	annot_insn_text(p->v->code, in, &p->insn);
	while (p->insn.len && p->insn.buf[p->insn.len - 1] == ' ')
		p->insn.len--;
}

static void measure(struct page *p)
{
	const struct annot_code *c = p->v->code;
	size_t size = c->func->end - c->func->start;

	p->digits = snprintf(NULL, 0, "%zx", size);
	for (size_t i = 0; i < c->nr; i++) {
		const struct annot_insn *in = &c->insns[i];
		size_t n = name_len(c->text.buf + in->text, in->text_len), lo = 0, hi = c->nr;

		if ((int)n > p->name_width)
			p->name_width = (int)n;
		if (in->is.flow != DISASM_JUMP || !in->target_inside)
			continue;
		while (lo < hi) {
			size_t mid = lo + (hi - lo) / 2;

			if (c->insns[mid].vaddr < in->is.target)
				lo = mid + 1;
			else
				hi = mid;
		}
		if (lo < c->nr && c->insns[lo].vaddr == in->is.target)
			p->is_target[lo] = true;
	}
}

/* "5K": as perf shortens counts in titles. */
static void print_count(struct out *o, u64 n)
{
	static const char units[] = " KMGTPE";
	int unit = 0;

	while (n >= 1000 && unit < 6) {
		n /= 1000;
		unit++;
	}
	out_printf(o, "%llu%c", (unsigned long long)n, units[unit]);
}

static void print_title(struct page *p)
{
	const struct annot_view *v = p->v;
	u64 samples = 0, period = 0;

	for (size_t i = 0; i < v->nr_events; i++) {
		samples += v->samples->totals[v->events[i]].samples;
		period += v->samples->totals[v->events[i]].period;
	}
	out_str(p->o, "Samples: ");
	print_count(p->o, samples);
	out_printf(p->o, " of event%s '%s',", v->nr_events > 1 ? "s" : "", v->event_name);
	if (pd_attr_has(&v->leader->attr, PD_ATTR_FREQ))
		out_printf(p->o, " %llu Hz,",
			   (unsigned long long)v->leader->attr.sample_period_or_freq);
	out_printf(p->o, " Event count (approx.): %llu, [percent: %s]\n",
		   (unsigned long long)period, annot_percent_text(v->style->percent));
	out_printf(p->o, "%s() %s\n", v->func->name, v->code->object);
}

static void print_columns(struct page *p, u64 vaddr, u32 len)
{
	const struct annot_view *v = p->v;
	static const char *const titles[] = { "Percent", "Samples", "Period" };
	int width = p->column * (int)v->nr_events;
	bool any = false;
	char text[32];

	for (size_t i = 0; i < v->nr_events; i++)
		any |= annot_insn_sum(v, vaddr, len, v->events[i]).samples != 0;
	if (!any) {
		out_printf(p->o, "%-*s", width, p->first ? titles[v->style->value] : "");
		return;
	}
	for (size_t i = 0; i < v->nr_events; i++) {
		struct annot_sum sum = annot_insn_sum(v, vaddr, len, v->events[i]);
		double share = annot_share(v, v->events[i], &sum);

		if (v->style->value == ANNOT_PERCENT)
			snprintf(text, sizeof(text), "%*.2f ", p->column - 1, share);
		else
			snprintf(text, sizeof(text), "%*llu ", p->column - 1,
				 (unsigned long long)(v->style->value == ANNOT_SAMPLES
							      ? sum.samples
							      : sum.period));
		out_str(p->o, text);
	}
}

static const char *arrow_of(const struct annot_insn *in)
{
	switch (in->is.flow) {
	case DISASM_RETURN: return "← ";
	case DISASM_CALL: return "→ ";
	case DISASM_JUMP:
		return !in->target_inside ? "→ " : in->is.target > in->vaddr ? "↓ " : "↑ ";
	case DISASM_PLAIN: break;
	}
	return "  ";
}

/* Operands of x86 in which a name takes the place of "0x10(%rip)" or "[rip+0x10]". */
static bool print_named_place(struct page *p, const char *s, size_t n, const struct annot_insn *in)
{
	const char *end = s + n, *at, *stop, *start;

	at = memmem(s, n, "(%rip)", 6);
	if (at) {
		stop = at + 6;
		for (start = at;
		     start > s && start[-1] != ',' && start[-1] != ' ' && start[-1] != '*'; start--)
			;
	} else {
		start = memmem(s, n, "[rip", 4);
		stop = start ? memchr(start, ']', (size_t)(end - start)) : NULL;
		if (!stop)
			return false;
		stop++;
	}
	out_mem(&p->text, s, (size_t)(start - s));
	annot_target_text(in, &p->text);
	out_mem(&p->text, stop, (size_t)(end - stop));
	return true;
}

static bool is_nop(const char *name, size_t n)
{
	return (n == 3 || n == 4) && !memcmp(name, "nop", 3);
}

/* The name behind a prefix has a column of its own; how much of s it was. */
static size_t locked_name(struct page *p, const char *s, size_t n)
{
	size_t len = name_len(s, n);

	if (len >= n)
		return 0;
	out_mem(&p->text, s, len);
	if (p->name_width > (int)len)
		out_fill(&p->text, ' ', (size_t)p->name_width - len);
	out_char(&p->text, ' ');
	return len + 1;
}

/* perf's short form of an instruction. */
static void short_text(struct page *p, const struct annot_insn *in)
{
	const struct annot_code *c = p->v->code;
	const char *s = c->text.buf + in->text;
	size_t n = in->text_len, name = name_len(s, n), from = name, locked = 0;

	p->text.len = 0;
	raw_text(p, in);
	while (from < n && (s[from] == ' ' || s[from] == '\t'))
		from++;
	if (is_nop(s, name)) {
		out_str(&p->text, "nop");
		return;
	}
	out_mem(&p->text, s, name);
	if (from == n)
		return;
	if (p->name_width > (int)name)
		out_fill(&p->text, ' ', (size_t)p->name_width - name);
	out_char(&p->text, ' ');
	if (name == 4 && !memcmp(s, "lock", 4)) {
		locked = locked_name(p, s + from, n - from);
		from += locked;
	}
	if (in->is.flow == DISASM_JUMP && in->target_inside) {
		/* operands before the target: a register that is compared */
		for (size_t i = n; i > from; i--)
			if (s[i - 1] == ' ' || s[i - 1] == ',') {
				out_mem(&p->text, s + from, i - from);
				break;
			}
		out_hex(&p->text, offset_of(p, in->is.target), 0);
	} else if (in->is.flow == DISASM_CALL && in->is.kind == DISASM_TARGET_AT_END &&
		   in->target) {
		annot_target_text(in, &p->text);
	} else if (in->is.flow != DISASM_PLAIN || in->is.kind != DISASM_TARGET_COMMENT ||
		   !in->target || !print_named_place(p, s + from, n - from, in)) {
		/* the whole operand, followed by the name */
		size_t skip = name_len(p->insn.buf, p->insn.len);

		while (skip < p->insn.len && p->insn.buf[skip] == ' ')
			skip++;
		skip += locked;
		out_mem(&p->text, p->insn.buf + skip, p->insn.len - skip);
	}
}

static void print_insn(struct page *p, size_t i)
{
	const struct annot_insn *in = &p->v->code->insns[i];
	const char *arrow = arrow_of(in);

	print_columns(p, in->vaddr, in->len);
	p->first = false;
	if (p->is_target[i])
		out_printf(p->o, "%*llx:", p->digits + 1,
			   (unsigned long long)offset_of(p, in->vaddr));
	else
		out_fill(p->o, ' ', (size_t)p->digits + 2);
	out_char(p->o, ' ');
	out_raw(p->o, arrow, strlen(arrow));
	short_text(p, in);
	out_mem(p->o, p->text.buf, p->text.len);
	out_char(p->o, '\n');
}

/* With --asm-raw perf shows objdump's text and no arrows. */
static void print_raw(struct page *p, const struct annot_insn *in)
{
	const u8 *b = p->v->code->bytes + (in->vaddr - p->v->code->vaddr);
	u32 n;

	for (u32 done = 0; done < in->len; done += n) {
		n = in->len - done < 7 ? in->len - done : 7;
		print_columns(p, in->vaddr + done, n);
		p->first = false;
		out_fill(p->o, ' ', (size_t)p->digits + 5);
		for (u32 i = 0; i < n; i++)
			out_printf(p->o, i ? " %02x" : "%02x", b[done + i]);
		if (!done) {
			raw_text(p, in);
			out_fill(p->o, ' ', 24 - (3 * n - 1));
			out_mem(p->o, p->insn.buf, p->insn.len);
		}
		out_char(p->o, '\n');
	}
}

void annot_print_stdio2(struct out *o, const struct annot_view *v)
{
	const struct annot_code *c = v->code;
	struct page p = {
		.o = o, .v = v, .column = v->style->value == ANNOT_PERIOD ? 12 : 8, .first = true
	};

	p.is_target = xcalloc(c->nr + 1, sizeof(*p.is_target));
	out_init_mem(&p.text);
	out_init_mem(&p.insn);
	measure(&p);
	print_title(&p);
	for (size_t i = 0; i < c->nr; i++) {
		if (v->style->raw)
			print_raw(&p, &c->insns[i]);
		else
			print_insn(&p, i);
	}
	out_fini(&p.text);
	out_fini(&p.insn);
	free(p.is_target);
}
