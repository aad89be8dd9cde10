/* SPDX-License-Identifier: MIT */
#include "report/text/traceformat.h"

#include <ctype.h>

#include "base/out.h"

/*
 * The largest print fmt of Linux 6.18 has 5000 bytes, 78 operators outside of braces, 138 in one
 * element of a flag list, and parentheses 13 deep.
 */
#define MAX_TEXT (256u << 10)
#define MAX_OPS 1000
#define MAX_DEPTH 64
#define MAX_WIDTH_DIGITS 3

static struct span next_line(struct span *rest)
{
	const u8 *nl = rest->n ? memchr(rest->p, '\n', rest->n) : NULL;
	size_t n = nl ? (size_t)(nl - rest->p) : rest->n;
	struct span line = span_of(rest->p, n);

	n += nl ? 1 : 0;
	rest->p += n;
	rest->n -= n;
	return line;
}

static bool strip_prefix(struct span *s, const char *prefix)
{
	size_t n = strlen(prefix);

	if (s->n < n || memcmp(s->p, prefix, n) != 0)
		return false;
	s->p += n;
	s->n -= n;
	return true;
}

static bool line_number(struct span s, u64 *ret)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < s.n && isdigit(s.p[i]) && v < UINT32_MAX; i++)
		v = v * 10 + (s.p[i] - '0');
	*ret = v;
	return i > 0 && i == s.n;
}

bool traceformat_scan(struct span text, struct traceformat *ret)
{
	struct span rest = text, line;
	static const char mark[] = "\nprint fmt:";
	const u8 *p;

	line = next_line(&rest);
	if (!strip_prefix(&line, "name: ") || line.n == 0)
		return false;
	ret->name = line;
	line = next_line(&rest);
	if (!strip_prefix(&line, "ID: ") || !line_number(line, &ret->id))
		return false;
	p = rest.n ? memmem(rest.p, rest.n, mark, sizeof(mark) - 1) : NULL;
	ret->print_fmt_off = p ? (size_t)(p + 1 - text.p) : text.n;
	return true;
}

static bool conversion_is_tame(const u8 *p, const u8 *end)
{
	unsigned int digits = 0;

	for (; p < end && strchr("-+ #0123456789.*", *p) && *p; p++) {
		digits = isdigit(*p) ? digits + 1 : 0;
		if (digits > MAX_WIDTH_DIGITS)
			return false;
		/* A width from the record may be 2^31; a precision only cuts a string. */
		if (*p == '*' && !(p[-1] == '.' && p + 1 < end && p[1] == 's') &&
		    !(end - p > 2 && p[1] == 'p' && p[2] == 'b'))
			return false;
	}
	return true;
}

/* Position after the closing quote, NULL when a conversion in the string is not tame. */
static const u8 *skip_quoted(const u8 *p, const u8 *end, u8 quote)
{
	for (; p < end && *p != quote; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '%' && !conversion_is_tame(p + 1, end))
			return NULL;
	}
	return p < end ? p + 1 : end;
}

/* In braces the reader folds constants, and traps on a division by zero. */
static bool divides_by_constant(const u8 *p, const u8 *end)
{
	while (p < end && *p == ' ')
		p++;
	return p < end && *p >= '1' && *p <= '9';
}

bool traceformat_is_tame(struct span s)
{
	const u8 *p = s.p, *end = s.p ? s.p + s.n : NULL;
	unsigned int depth = 0, braces = 0, ops = 0, element_ops = 0;

	if (s.n > MAX_TEXT)
		return false;
	while (p < end) {
		u8 c = *p++;

		switch (c) {
		case '"':
		case '\'':
			p = skip_quoted(p, end, c);
			if (!p)
				return false;
			continue;
		case '{':
			if (++braces > MAX_DEPTH)
				return false;
			element_ops = 0;
			continue;
		case '}': braces -= braces > 0; continue;
		case ',': element_ops = 0; continue;
		case ')': depth -= depth > 0; continue;
		case '(':
			if (++depth > MAX_DEPTH)
				return false;
			break;
		case '/':
		case '%':
			if (braces && !divides_by_constant(p, end))
				return false;
			break;
		default:
			if (c != '\0' && (isalnum(c) || strchr("_ \t\n;", c)))
				continue;
			break;
		}
		if (braces ? ++element_ops > MAX_OPS : ++ops > MAX_OPS)
			return false;
	}
	return true;
}

/* Size of a type that print fmts take sizeof of, 0 for others. */
static unsigned int type_size(struct span t, unsigned int long_size)
{
	static const struct {
		const char *name;
		unsigned int size; /* 0: that of a long */
	} types[] = {
		{ "u8", 1 },
		{ "s8", 1 },
		{ "__u8", 1 },
		{ "char", 1 },
		{ "unsigned char", 1 },
		{ "u16", 2 },
		{ "s16", 2 },
		{ "__u16", 2 },
		{ "short", 2 },
		{ "unsigned short", 2 },
		{ "u32", 4 },
		{ "s32", 4 },
		{ "__u32", 4 },
		{ "int", 4 },
		{ "unsigned int", 4 },
		{ "unsigned", 4 },
		{ "u64", 8 },
		{ "s64", 8 },
		{ "__u64", 8 },
		{ "long long", 8 },
		{ "unsigned long long", 8 },
		{ "long", 0 },
		{ "unsigned long", 0 },
		{ "size_t", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		if (t.n == strlen(types[i].name) && !memcmp(t.p, types[i].name, t.n))
			return types[i].size ? types[i].size : long_size;
	}
	return 0;
}

/* Bytes of "sizeof(TYPE)" at p, its value appended; 0 when there is none to replace. */
static size_t put_sizeof(struct out *o, const u8 *p, const u8 *end, unsigned int long_size)
{
	static const char word[] = "sizeof(";
	size_t n = sizeof(word) - 1;
	const u8 *close;
	unsigned int size;

	if ((size_t)(end - p) <= n || memcmp(p, word, n) != 0)
		return 0;
	close = memchr(p + n, ')', (size_t)(end - p) - n);
	size = close ? type_size(span_of(p + n, (size_t)(close - p) - n), long_size) : 0;
	if (!size)
		return 0;
	out_dec(o, size, 0);
	return (size_t)(close + 1 - p);
}

char *traceformat_plain(struct span text, size_t print_fmt_off, unsigned int long_size,
			size_t *ret_n)
{
	const u8 *p = text.p + print_fmt_off, *end = text.p + text.n;
	bool in_string = false;
	struct out o;

	out_init_mem(&o);
	out_mem(&o, text.p, print_fmt_off);
	while (p < end) {
		size_t n = in_string ? 0 : put_sizeof(&o, p, end, long_size);

		if (n) {
			p += n;
		} else if (in_string && *p == '\t') {
			out_mem(&o, "\\t", 2);
			p++;
		} else if (in_string && *p == '\\' && end - p > 1) {
			out_mem(&o, p, 2);
			p += 2;
		} else {
			in_string ^= *p == '"';
			out_char(&o, (char)*p++);
		}
	}
	out_char(&o, '\0');
	*ret_n = o.len - 1;
	return o.buf;
}
