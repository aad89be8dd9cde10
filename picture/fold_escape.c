/* SPDX-License-Identifier: MIT */
#include "picture/fold_escape.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int hex_digit(char c)
{
	if (is_digit(c))
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool needs_escape(u8 c)
{
	return c < ' ' || c == 0x7f || c == ';';
}

/* The byte that the code at s[0..n) stands for; -1 when s does not begin with a code. */
static int code_at(const char *s, size_t n)
{
	int hi, lo, c;

	if (n < 3 || s[0] != '%')
		return -1;
	hi = hex_digit(s[1]);
	lo = hex_digit(s[2]);
	if (hi < 0 || lo < 0)
		return -1;
	c = hi << 4 | lo;
	return needs_escape((u8)c) || c == ' ' || c == '%' ? c : -1;
}

/* Index of a blank that ends the name or precedes a number at its end ("12", "12.5"); n: none. */
static size_t last_blank(const char *name, size_t n)
{
	size_t i = n, dots = 0;

	while (i && (is_digit(name[i - 1]) || (name[i - 1] == '.' && !dots++)))
		i--;
	return i && name[i - 1] == ' ' && (i == n || is_digit(name[i])) ? i - 1 : n;
}

static void put_code(struct out *o, u8 c)
{
	static const char digits[] = "0123456789ABCDEF";

	out_char(o, '%');
	out_char(o, digits[c >> 4]);
	out_char(o, digits[c & 15]);
}

/* Bytes that are never escaped, wherever they are in a name. */
static const bool is_plain[256] = {
	[' ' ... '$'] = true,
	['&' ... ':'] = true,
	['<' ... '~'] = true,
	[0x80 ... 0xff] = true,
};

void fold_escape(struct out *o, const char *name, size_t n)
{
	size_t blank = last_blank(name, n), i, end;

	for (i = 0; i < n; i = end + 1) {
		for (end = i; end < n && is_plain[(u8)name[end]] && end != blank; end++)
			;
		out_mem(o, name + i, end - i);
		if (end == n)
			return;
		if (needs_escape((u8)name[end]) || end == blank ||
		    code_at(name + end, n - end) >= 0)
			put_code(o, (u8)name[end]);
		else
			out_char(o, name[end]);
	}
}

void fold_unescape(struct out *o, const char *text, size_t n)
{
	size_t i;
	int c;

	for (i = 0; i < n; i++) {
		c = code_at(text + i, n - i);
		out_char(o, c < 0 ? text[i] : (char)c);
		i += c < 0 ? 0 : 2;
	}
}
