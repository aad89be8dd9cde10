/* SPDX-License-Identifier: MIT */
#include "report/annotate/annotate_short.h"

#include "report/annotate/annotate_view.h"

static u64 offset_of(const struct annot_short *s, u64 vaddr)
{
	return vaddr - s->code->vaddr;
}

static size_t name_len(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] != ' ' && s[i] != '\t')
		i++;
	return i;
}

void annot_long_text(const struct annot_code *c, const struct annot_insn *in, struct out *o)
{
	size_t start = o->len;

	annot_insn_text(c, in, o);
	while (o->len > start && o->buf[o->len - 1] == ' ')
		o->len--;
}

size_t annot_code_at(const struct annot_code *c, u64 vaddr)
{
	size_t lo = 0, hi = c->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (c->insns[mid].vaddr < vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < c->nr && c->insns[lo].vaddr == vaddr ? lo : c->nr;
}

void annot_short_init(struct annot_short *s, const struct annot_code *code)
{
	*s = (struct annot_short){ .code = code };
	s->digits = snprintf(NULL, 0, "%llx",
			     (unsigned long long)(code->func->end - code->func->start));
	s->jumps = xcalloc(code->nr + 1, sizeof(*s->jumps));
	out_init_mem(&s->insn);
	for (size_t i = 0; i < code->nr; i++) {
		const struct annot_insn *in = &code->insns[i];
		size_t n = name_len(code->text.buf + in->text, in->text_len), to;

		if ((int)n > s->name_width)
			s->name_width = (int)n;
		if (in->is.flow != DISASM_JUMP || !in->target_inside)
			continue;
		to = annot_code_at(code, in->is.target);
		if (to < code->nr && ++s->jumps[to] > s->most_jumps)
			s->most_jumps = s->jumps[to];
	}
}

void annot_short_fini(struct annot_short *s)
{
	free(s->jumps);
	out_fini(&s->insn);
}

const char *annot_arrow(const struct annot_insn *in)
{
	switch (in->is.flow) {
	case DISASM_RETURN: return "←";
	case DISASM_CALL: return "→";
	case DISASM_JUMP: return !in->target_inside ? "→" : in->is.target > in->vaddr ? "↓" : "↑";
	case DISASM_PLAIN: break;
	}
	return " ";
}

/* Operands of x86 in which a name takes the place of "0x10(%rip)" or "[rip+0x10]". */
static bool print_named_place(const char *s, size_t n, const struct annot_insn *in, struct out *o)
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
	out_mem(o, s, (size_t)(start - s));
	annot_target_text(in, o);
	out_mem(o, stop, (size_t)(end - stop));
	return true;
}

static bool is_nop(const char *name, size_t n)
{
	return (n == 3 || n == 4) && !memcmp(name, "nop", 3);
}

/* The name behind a prefix has a column of its own; how much of s it was. */
static size_t locked_name(int name_width, const char *s, size_t n, struct out *o)
{
	size_t len = name_len(s, n);

	if (len >= n)
		return 0;
	out_mem(o, s, len);
	if (name_width > (int)len)
		out_fill(o, ' ', (size_t)name_width - len);
	out_char(o, ' ');
	return len + 1;
}

void annot_short_text(struct annot_short *sh, const struct annot_insn *in, struct out *o)
{
	const struct annot_code *c = sh->code;
	const char *s = c->text.buf + in->text;
	size_t n = in->text_len, name = name_len(s, n), from = name, locked = 0;

	sh->insn.len = 0;
	annot_long_text(c, in, &sh->insn);
	while (from < n && (s[from] == ' ' || s[from] == '\t'))
		from++;
	if (is_nop(s, name)) {
		out_str(o, "nop");
		return;
	}
	out_mem(o, s, name);
	if (from == n)
		return;
	if (sh->name_width > (int)name)
		out_fill(o, ' ', (size_t)sh->name_width - name);
	out_char(o, ' ');
	if (name == 4 && !memcmp(s, "lock", 4)) {
		locked = locked_name(sh->name_width, s + from, n - from, o);
		from += locked;
	}
	if (in->is.flow == DISASM_JUMP && in->target_inside) {
		/* operands before the target: a register that is compared */
		for (size_t i = n; i > from; i--)
			if (s[i - 1] == ' ' || s[i - 1] == ',') {
				out_mem(o, s + from, i - from);
				break;
			}
		out_hex(o, offset_of(sh, in->is.target), 0);
	} else if (in->is.flow == DISASM_CALL && in->is.kind == DISASM_TARGET_AT_END &&
		   in->target) {
		annot_target_text(in, o);
	} else if (in->is.flow != DISASM_PLAIN || in->is.kind != DISASM_TARGET_COMMENT ||
		   !in->target || !print_named_place(s + from, n - from, in, o)) {
		/* the whole operand, followed by the name */
		size_t skip = name_len(sh->insn.buf, sh->insn.len);

		while (skip < sh->insn.len && sh->insn.buf[skip] == ' ')
			skip++;
		skip += locked;
		out_mem(o, sh->insn.buf + skip, sh->insn.len - skip);
	}
}
