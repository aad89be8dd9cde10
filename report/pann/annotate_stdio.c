/* SPDX-License-Identifier: MIT */
/* --stdio: costs, addresses, instructions and the source between them. */
#include "report/pann/annotate_print.h"
#include "report/annotate/branch_blocks.h"

#define RAW_LEN 7 /* bytes of code in one line, as objdump has them for x86 */

struct page {
	struct out *o;
	const struct annot_view *v;
	int width;  /* characters of all events' columns */
	int column; /* characters of one event's column */
	int addr_width;
	unsigned int line; /* number of the line in objdump's output, which perf prints */
	struct out text;   /* of one line */
	struct out place, last_place;
	const struct inline_frame *chain; /* the chain of inlined functions shown last */
	size_t nr_chain;
};

static const char *title_of(enum annot_value value)
{
	return value == ANNOT_PERCENT ? "Percent" : value == ANNOT_SAMPLES ? "Samples" : "Period";
}

static const char *last_part(const char *path)
{
	const char *slash = *path == '[' ? NULL : strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static void print_title(struct page *p)
{
	const struct annot_view *v = p->v;
	const char *dso = v->code->object;
	size_t start = p->text.len;

	out_printf(&p->text,
		   " %-*s|\tSource code & Disassembly of %s for %s (%llu samples, percent: %s)\n",
		   p->width, title_of(v->style->value), v->style->full_paths ? dso : last_part(dso),
		   v->event_name, (unsigned long long)v->func->sums[v->events[0]].samples,
		   annot_percent_text(v->style->percent));
	out_raw(p->o, p->text.buf, p->text.len);
	out_fill(p->o, '-', p->text.len - start + 4);
	out_char(p->o, '\n');
	p->text.len = start;
}

/* Prints a line that is not an instruction, with objdump's blanks and tabs. */
static void print_other(struct page *p, const char *s, size_t n)
{
	size_t column = 0, i;

	while (n && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		n--;
	for (i = 0; i < n && (s[i] == ' ' || s[i] == '\t'); i++)
		column = s[i] == '\t' ? (column | 7) + 1 : column + 1;
	if (i == n) {
		out_fill(p->o, ' ', (size_t)p->width + 1);
		out_str(p->o, ":\n");
		p->line++;
		return;
	}
	out_fill(p->o, ' ', (size_t)p->width + 1);
	out_printf(p->o, ": %-*u ", p->addr_width, p->line++);
	annot_expand_tabs(p->o, s + i, n - i, column);
	out_char(p->o, '\n');
}

static void print_text(struct page *p, const char *s)
{
	print_other(p, s, strlen(s));
}

static void print_label(struct page *p)
{
	const struct annot_code *c = p->v->code;

	print_text(p, "");
	print_text(p, "");
	print_text(p, "");
	p->text.len = 0;
	out_printf(&p->text, "Disassembly of section %s:", c->section ? c->section : "(none)");
	print_other(p, p->text.buf, p->text.len);
	print_text(p, "");
	p->text.len = 0;
	out_printf(&p->text, "%016llx <%s>:", (unsigned long long)c->vaddr, c->label);
	print_other(p, p->text.buf, p->text.len);
}

static void print_source(struct page *p, struct annot_source *s, u64 vaddr)
{
	const char *file, *text;
	u32 first, last;
	size_t n;

	if (!annot_source_before(s, vaddr, &file, &first, &last))
		return;
	for (; first <= last; first++) {
		text = line_source_get(p->v->lines, file, first, &n);
		if (text)
			print_other(p, text, n);
	}
}

/* Of what follows "operator" the part that is no argument list. */
static size_t operator_len(const char *s)
{
	static const char *const marks[] = { "<=>", "<<=", ">>=", "->*", "()", "[]", "<<",
					     ">>",  "<=",  ">=",  "->",  "<",  ">" };

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (!strncmp(s, marks[i], strlen(marks[i])))
			return strlen(marks[i]);
	return strspn(s, "=-+*/%^&|~!,");
}

/* Appends a demangled name without function arguments and template arguments. */
static void print_brief(struct out *o, const char *name)
{
	unsigned int depth = 0;

	for (const char *c = name; *c; c++) {
		if (!depth && !strncmp(c, "operator", 8)) {
			size_t n = 8 + operator_len(c + 8);

			out_mem(o, c, n);
			c += n - 1;
			continue;
		}
		if (*c == '(' && !depth && strncmp(c, "(anonymous", 10) != 0)
			break;
		depth -= *c == '>' && depth;
		if (!depth && *c != '>' && *c != '<')
			out_mem(o, c, 1);
		depth += *c == '<';
	}
}

/* Prints the chain of inlined functions of an instruction if it differs from the one before. */
static void print_inlines(struct page *p, u64 vaddr)
{
	struct frame fr = annot_code_frame(p->v->code, vaddr);
	const struct inline_frame *chain;
	size_t n = dso_find_inlines_with_lines(fr.map->dso, fr.ip, fr.map->start, fr.map->pgoff,
					       &chain);

	if (!n || (chain == p->chain && n == p->nr_chain))
		return;
	if (n == p->nr_chain) {
		size_t i;

		for (i = 0; i < n && chain[i].line == p->chain[i].line &&
			    !strcmp(chain[i].name, p->chain[i].name);
		     i++)
			;
		if (i == n)
			return;
	}
	if (n > 1 || p->nr_chain > 1) {
		p->text.len = 0;
		for (size_t i = 0; i < n; i++) {
			if (i)
				out_str(&p->text, " < ");
			print_brief(&p->text, chain[i].name);
			if (i && chain[i].file) {
				out_char(&p->text, ' ');
				line_text_place(&p->text, chain[i].file, chain[i].line,
						p->v->style->full_paths);
			}
		}
		out_fill(p->o, ' ', (size_t)p->width + 1);
		out_str(p->o, ": [");
		out_mem(p->o, p->text.buf, p->text.len);
		out_str(p->o, "]\n");
	}
	p->chain = chain;
	p->nr_chain = n;
}

static void print_columns(struct page *p, u64 vaddr, u32 len)
{
	const struct annot_style *st = p->v->style;
	char text[32];

	for (size_t i = 0; i < p->v->nr_events; i++) {
		u32 event = p->v->events[i];
		struct annot_sum sum = annot_insn_sum(p->v, vaddr, len, event);
		double share = annot_share(p->v, event, &sum);

		if (st->value == ANNOT_PERCENT)
			snprintf(text, sizeof(text), "%8.2f", share);
		else
			snprintf(text, sizeof(text), "%*llu", p->column,
				 (unsigned long long)(st->value == ANNOT_SAMPLES ? sum.samples
										 : sum.period));
		annot_colored(p->o, annot_color(st, share), text);
	}
	out_str(p->o, " : ");
}

/* Appends the instruction's source line unless the instruction before has the same. */
static void print_place(struct page *p, u64 vaddr, u32 len)
{
	double share = annot_insn_share(p->v, vaddr, len);
	const char *color = annot_color(p->v->style, share);
	struct out was;

	if (share <= ANNOT_PATH_MIN)
		return;
	p->place.len = 0;
	annot_place_text(p->v, vaddr, &p->place);
	if (p->place.len == p->last_place.len &&
	    (!p->place.len || !memcmp(p->place.buf, p->last_place.buf, p->place.len)))
		return;
	annot_start_color(p->o, color);
	out_str(p->o, " // ");
	out_mem(p->o, p->place.buf, p->place.len);
	if (color)
		out_str(p->o, ANNOT_PLAIN);
	was = p->last_place;
	p->last_place = p->place;
	p->place = was;
}

/*
 * Returns the colour of an instruction's text and sets *ret_address to that of its address. NULL:
 * none, as for code that branch stacks show to run seldom.
 */
static const char *line_colors(const struct page *p, u64 vaddr, const char **ret_address)
{
	const struct annot_func *f = p->v->func;
	double share = -1;

	if (!p->v->style->color)
		return NULL;
	if (p->v->blocks)
		share = branch_blocks_share(p->v->blocks, f->map->dso_name,
					    annot_code_addr(p->v->code, vaddr), f->start, f->end);
	if (share >= 0 && share < 0.01)
		return NULL;
	*ret_address = share > 0.75 ? ANNOT_RED : ANNOT_MAGENTA;
	return ANNOT_BLUE;
}

/* Prints a line of an instruction: its text, or with --asm-raw only bytes that need more lines. */
static void print_line(struct page *p, u64 vaddr, u32 len)
{
	const char *at = NULL, *color = line_colors(p, vaddr, &at);
	int digits = snprintf(NULL, 0, "%llx", (unsigned long long)vaddr);

	print_columns(p, vaddr, len);
	annot_start_color(p->o, at);
	out_printf(p->o, "  %*llx:", p->addr_width, (unsigned long long)vaddr);
	if (at)
		out_str(p->o, ANNOT_PLAIN);
	annot_start_color(p->o, color);
	out_fill(p->o, ' ', 8 - (size_t)(digits + 1) % 8);
	while (p->text.len && p->text.buf[p->text.len - 1] == ' ')
		p->text.len--;
	out_mem(p->o, p->text.buf, p->text.len);
	if (color)
		out_str(p->o, ANNOT_PLAIN);
	if (p->v->blocks)
		branch_blocks_comment(p->v->blocks, p->o, p->v->func->map->dso_name,
				      annot_code_addr(p->v->code, vaddr));
	if (p->v->style->lines)
		print_place(p, vaddr, len);
	out_char(p->o, '\n');
	p->line++;
}

static void raw_bytes(struct page *p, const u8 *b, u32 n)
{
	for (u32 i = 0; i < n; i++)
		out_printf(&p->text, "%02x ", b[i]);
}

static void print_insn(struct page *p, const struct annot_insn *in)
{
	const u8 *b = p->v->code->bytes + (in->vaddr - p->v->code->vaddr);
	u32 done = in->len < RAW_LEN ? in->len : RAW_LEN, n;

	p->text.len = 0;
	if (!p->v->style->raw) {
		annot_insn_text(p->v->code, in, &p->text);
		print_line(p, in->vaddr, in->len);
		return;
	}
	raw_bytes(p, b, done);
	out_fill(&p->text, ' ', 24 - p->text.len);
	annot_insn_text(p->v->code, in, &p->text);
	print_line(p, in->vaddr, done);
	for (; done < in->len; done += n) {
		n = in->len - done < RAW_LEN ? in->len - done : RAW_LEN;
		p->text.len = 0;
		raw_bytes(p, b + done, n);
		print_line(p, in->vaddr + done, n);
	}
}

void annot_print_stdio(struct out *o, const struct annot_view *v)
{
	const struct annot_code *c = v->code;
	struct annot_source *source = v->style->source ? annot_source_new(c, v->lines) : NULL;
	struct page p = { .o = o, .v = v, .column = v->style->value == ANNOT_PERIOD ? 12 : 8 };
	u64 last = c->nr ? c->insns[c->nr - 1].vaddr : c->vaddr;

	p.width = p.column * (int)v->nr_events;
	p.addr_width = snprintf(NULL, 0, "%llx", (unsigned long long)last);
	out_init_mem(&p.text);
	out_escape_like(&p.text, o);
	out_init_mem(&p.place);
	out_init_mem(&p.last_place);
	print_title(&p);
	print_label(&p);
	for (size_t i = 0; i < c->nr; i++) {
		if (v->style->inlines)
			print_inlines(&p, c->insns[i].vaddr);
		if (source)
			print_source(&p, source, c->insns[i].vaddr);
		print_insn(&p, &c->insns[i]);
	}
	annot_source_free(source);
	out_fini(&p.text);
	out_fini(&p.place);
	out_fini(&p.last_place);
}
