/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kallsyms_text.h"

struct kallsyms_lines kallsyms_lines_of(struct span text)
{
	const u8 *end = text.n ? text.p + text.n : text.p;

	return (struct kallsyms_lines){ .p = text.p, .end = end, .tab = text.p };
}

/* The values of hex digits, plus 1; 0: not a hex digit. */
static const u8 hex_values[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
	['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
	['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
	['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

#define ALL_BYTES(b) (0x0101010101010101ull * (b))

/* Converts 8 lower-case hex digits at once. Returns false if one is not a digit. */
static bool hex8(const u8 *p, u64 *ret)
{
	u64 v = get_u64(p, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__), low = v & ALL_BYTES(0x0f);
	u64 letters = v >> 6 & ALL_BYTES(1);

	/*
	 * '0' is 0x30 and 'a' is 0x61: the low half of a digit is at most 9, that of a letter 1 to
	 * 6
	 */
	if ((v & ALL_BYTES(0xf0)) != ALL_BYTES(0x30) + letters * 0x30 ||
	    (low + ALL_BYTES(6) + letters * 3) & ALL_BYTES(0x10) ||
	    (~(low + ALL_BYTES(0x0f)) >> 4 & letters))
		return false;
	v = low + letters * 9;
	v = (v << 4 | v >> 8) & 0x00ff00ff00ff00ffull;
	v = (v << 8 | v >> 16) & 0x0000ffff0000ffffull;
	*ret = (v << 16 | v >> 32) & UINT32_MAX;
	return true;
}

/* Reads an address of 16 digits from 17 bytes at p. Returns false if it has another form. */
static bool whole_address(struct kallsyms_lines *ls, const u8 *p, u64 *ret)
{
	u64 front = get_u64(p, false), back;

	if (p[16] != ' ' || !hex8(p + 8, &back))
		return false;
	if (front != ls->front) {
		if (!hex8(p, &ls->front_value))
			return false;
		ls->front = front;
	}
	*ret = ls->front_value << 32 | back;
	return true;
}

/* Splits a line whose newline is at `end`. Returns false if it is not a line of kallsyms. */
static bool split_line(struct kallsyms_lines *ls, const u8 *p, const u8 *end,
		       struct kallsyms_line *l)
{
	const u8 *q = p;
	u64 addr = 0;

	if (end - p > 16 && whole_address(ls, p, &addr))
		q += 16;
	else
		for (; q < end && hex_values[*q]; q++)
			addr = addr << 4 | (u64)(hex_values[*q] - 1);
	if (q == p || q - p > 16 || end - q < 4 || q[0] != ' ' || q[2] != ' ')
		return false;
	l->addr = addr;
	l->type = (char)q[1];
	q += 3;
	if (ls->tab < q) {
		ls->tab = memchr(q, '\t', (size_t)(ls->end - q));
		ls->tab = ls->tab ? ls->tab : ls->end;
	}
	l->name = span_of(q, (size_t)((ls->tab < end ? ls->tab : end) - q));
	l->module = span_of(end, 0);
	if (ls->tab < end)
		l->module = span_of(ls->tab + 1, (size_t)(end - ls->tab - 1));
	return l->name.n > 0;
}

bool kallsyms_next_line(struct kallsyms_lines *ls, struct kallsyms_line *l)
{
	while (ls->p < ls->end) {
		const u8 *p = ls->p, *nl = memchr(p, '\n', (size_t)(ls->end - p));

		ls->p = nl ? nl + 1 : ls->end;
		if (split_line(ls, p, nl ? nl : ls->end, l))
			return true;
	}
	return false;
}

/* True for the letters that nm uses for text, weak, data and bss symbols, local or global. */
static bool is_kept_type(char type)
{
	switch (type | 0x20) {
	case 't':
	case 'w':
	case 'd':
	case 'b': return true;
	}
	return false;
}

/*
 * True for mapping symbols of ARM and RISC-V and for the assembler's local labels, which are not
 * functions.
 */
static bool is_label(struct span name)
{
	if (name.p[0] == '$')
		return true;
	if (name.n < 2)
		return false;
	return (name.p[0] == '.' && name.p[1] == 'L') || (name.p[0] == 'L' && name.p[1] == '0');
}

bool kallsyms_is_kept(const struct kallsyms_line *l)
{
	return is_kept_type(l->type) && !is_label(l->name) && l->name.n <= UINT16_MAX &&
	       l->module.n <= UINT8_MAX;
}
