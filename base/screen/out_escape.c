/* SPDX-License-Identifier: MIT */
#include "base/screen/out_escape.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/screen/escape.h"

/* A conversion of a printf format, such as "%-8.3llu". */
struct conversion {
	char flags[8];
	int width, precision; /* precision -1: none */
	char length;          /* 'h', 'l', 'L' for ll, 'z', 'j'; 0: none */
	char type;
};

void out_escaped(struct out *o, const void *text, size_t n)
{
	const char *s = text;
	char escape[ESCAPE_MAX];
	size_t i = 0, len;

	while (i < n) {
		len = escape_free(s + i, n - i, o->ascii);
		out_raw(o, s + i, len);
		i += len;
		if (i == n)
			return;
		i += escape_char(s + i, n - i, o->ascii, escape, &len);
		out_raw(o, escape, len);
	}
}

/* Takes a width or precision: digits, or * for an argument. */
static int take_number(const char **fmt, va_list *ap)
{
	char *end;
	long n;

	if (**fmt == '*') {
		(*fmt)++;
		return va_arg(*ap, int);
	}
	n = strtol(*fmt, &end, 10);
	*fmt = end;
	return (int)n;
}

/* Reads the conversion that follows a '%'. Returns the format after it. */
static const char *take_conversion(const char *fmt, va_list *ap, struct conversion *c)
{
	size_t n = strspn(fmt, "-+ #0");

	*c = (struct conversion){ .precision = -1 };
	memcpy(c->flags, fmt, n < sizeof(c->flags) ? n : sizeof(c->flags) - 1);
	fmt += n;
	if (*fmt == '*' || (*fmt > '0' && *fmt <= '9'))
		c->width = take_number(&fmt, ap);
	if (*fmt == '.') {
		fmt++;
		c->precision = take_number(&fmt, ap);
	}
	n = strspn(fmt, "hlzj");
	c->length = n > 1 && *fmt == 'l' ? 'L' : n == 1 ? *fmt : 0;
	fmt += n;
	c->type = *fmt;
	return fmt + (c->type != 0);
}

/* Appends a text in a column of its own, as "%*.*s" does. */
static void put_text(struct out *o, const struct conversion *c, const char *s)
{
	size_t width = (size_t)abs(c->width), columns, start, len;
	bool left = c->width < 0 || strchr(c->flags, '-');

	if (!s)
		s = "(null)";
	len = c->precision < 0 ? strlen(s) : strnlen(s, (size_t)c->precision);
	/* in one piece, to be moved */
	out_reserve(o, len * ESCAPE_MAX + width + 1);
	start = o->len;
	out_escaped(o, s, len);
	len = o->len - start;
	columns = escape_columns(o->buf + start, len);
	if (columns >= width)
		return;
	out_fill(o, ' ', width - columns);
	if (left)
		return;
	memmove(o->buf + start + width - columns, o->buf + start, len);
	memset(o->buf + start, ' ', width - columns);
}

/* The conversion as a format of its own, with `length` between figures and type. */
static void make_format(const struct conversion *c, const char *length, char *to, size_t size)
{
	if (c->precision < 0)
		snprintf(to, size, "%%%s*%s%c", c->flags, length, c->type);
	else
		snprintf(to, size, "%%%s*.%d%s%c", c->flags, c->precision, length, c->type);
}

/* The argument of an integer conversion, as printf converts it. */
static long long take_integer(const struct conversion *c, va_list *ap)
{
	bool is_signed = c->type == 'd' || c->type == 'i';

	switch (c->length) {
	case 'L': return va_arg(*ap, long long);
	case 'l':
	case 'z':
	case 'j': return va_arg(*ap, long);
	case 0: break;
	default: /* hh is not told from h: no format here has it with larger values */
		return is_signed ? (short)va_arg(*ap, int) : (unsigned short)va_arg(*ap, int);
	}
	return is_signed ? va_arg(*ap, int) : (long long)va_arg(*ap, unsigned int);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_value(struct out *o, const struct conversion *c, va_list *ap)
{
	char fmt[48], text[512];
	int n = 0;

	switch (c->type) {
	case '%': out_raw(o, "%", 1); return;
	case 's': put_text(o, c, va_arg(*ap, const char *)); return;
	case 'c': {
		char letter[2] = { (char)va_arg(*ap, int), 0 };

		put_text(o, c, letter);
		return;
	}
	case 'f':
	case 'e':
	case 'g':
		make_format(c, "", fmt, sizeof(fmt));
		n = snprintf(text, sizeof(text), fmt, c->width, va_arg(*ap, double));
		break;
	case 'p':
		make_format(c, "", fmt, sizeof(fmt));
		n = snprintf(text, sizeof(text), fmt, c->width, va_arg(*ap, void *));
		break;
	default:
		make_format(c, "ll", fmt, sizeof(fmt));
		n = snprintf(text, sizeof(text), fmt, c->width, take_integer(c, ap));
	}
	if (n > 0)
		out_raw(o, text, (size_t)n < sizeof(text) ? (size_t)n : sizeof(text) - 1);
}
#pragma GCC diagnostic pop

void out_put_format_escaped(struct out *o, const char *fmt, va_list *ap)
{
	struct conversion c;
	size_t n;

	while (*fmt) {
		n = strcspn(fmt, "%");
		out_raw(o, fmt, n);
		fmt += n;
		if (!*fmt)
			return;
		fmt = take_conversion(fmt + 1, ap, &c);
		put_value(o, &c, ap);
	}
}

void out_str_width(struct out *o, const char *s, int width)
{
	size_t n = strlen(s), w = (size_t)(width < 0 ? -width : width);

	if (o->escape) {
		out_printf(o, "%*s", width, s);
		return;
	}
	if (width > 0 && n < w)
		out_fill(o, ' ', w - n);
	out_mem(o, s, n);
	if (width < 0 && n < w)
		out_fill(o, ' ', w - n);
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	va_start(ap, fmt);
	if (o->escape) {
		out_put_format_escaped(o, fmt, &ap);
		va_end(ap);
		return;
	}
	va_copy(again, ap);
	out_reserve(o, 256);
	n = vsnprintf(o->buf + o->len, o->cap - o->len, fmt, ap);
	if (n >= 0 && (size_t)n >= o->cap - o->len) {
		out_reserve(o, (size_t)n + 1);
		n = vsnprintf(o->buf + o->len, o->cap - o->len, fmt, again);
	}
	if (n > 0)
		o->len += (size_t)n;
	va_end(again);
	va_end(ap);
}
