/* SPDX-License-Identifier: MIT */
#include "report/annotate/data_comment.h"

#include <ctype.h>

#include "machine/mapset.h"
#include "symbols/symbols.h"

/* In the order of DWARF's numbers. */
static const char *const registers[] = { "rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
					 "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15" };

static int register_of(const char *s, size_t n)
{
	for (int i = 0; i < (int)ARRAY_SIZE(registers); i++)
		if (strlen(registers[i]) == n && !memcmp(registers[i], s, n))
			return i;
	return -1;
}

/* The number that ends right before s[at]: "-0x8", "0x10" or none. */
static bool offset_before(const char *s, size_t at, s64 *ret)
{
	size_t from = at;
	u64 v = 0;
	bool minus;

	while (from && isxdigit((u8)s[from - 1]))
		from--;
	*ret = 0;
	if (from == at)
		return !at || s[at - 1] == ' ' || s[at - 1] == ',' || s[at - 1] == '*';
	if (from < 2 || s[from - 1] != 'x' || s[from - 2] != '0' || at - from > 16)
		return false;
	for (size_t i = from; i < at; i++)
		v = v << 4 | (u64)(isdigit((u8)s[i]) ? s[i] - '0' : tolower((u8)s[i]) - 'a' + 10);
	from -= 2;
	minus = from && s[from - 1] == '-';
	from -= minus;
	*ret = (s64)(minus ? -v : v);
	return !from || s[from - 1] == ' ' || s[from - 1] == ',' || s[from - 1] == '*';
}

bool data_comment_place(const char *text, size_t n, struct data_place *ret)
{
	const char *open = memchr(text, '(', n), *close;
	size_t at;

	if (!open || n < 4 || !memcmp(text, "lea", 3) || !memcmp(text, "nop", 3))
		return false;
	at = (size_t)(open - text);
	close = memchr(open, ')', n - at);
	if (!close || close - open < 4 || open[1] != '%' || !offset_before(text, at, &ret->offset))
		return false;
	ret->reg = register_of(open + 2, (size_t)(close - open) - 2);
	return ret->reg >= 0;
}

bool data_comment_put(const struct annot_code *c, size_t insn, struct out *o)
{
	const struct annot_insn *in = &c->insns[insn];
	const struct map *m = c->func->map;
	struct data_place place = { .reg = -1 };

	if (in->is.kind == DISASM_TARGET_COMMENT)
		place.offset = (s64)(in->is.target - in->vaddr);
	else if (!data_comment_place(c->text.buf + in->text, in->text_len, &place))
		return false;
	return dso_find_data_type(m->dso, c->ip + (in->vaddr - c->vaddr), m->start, m->pgoff,
				  &place, o);
}
