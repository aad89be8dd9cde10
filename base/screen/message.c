/* SPDX-License-Identifier: MIT */
#include "base/screen/message.h"

#include <unistd.h>

#include "base/out.h"
#include "base/pager.h"
#include "base/screen/out_escape.h"

static void escape_for(struct out *o, FILE *f)
{
	o->escape = true;
	o->ascii = isatty(fileno(f)) && !pager_shows_utf8();
}

void message_out(struct out *o, FILE *f)
{
	out_init(o, f);
	escape_for(o, f);
}

void message_begin(struct out *o, FILE *f)
{
	out_init_mem(o);
	escape_for(o, f);
}

void message_end(struct out *o, FILE *f)
{
	if (o->len)
		fwrite(o->buf, 1, o->len, f);
	out_fini(o);
}

static void put_va(struct out *o, const char *fmt, va_list ap)
{
	va_list args;

	/* a parameter of this type may be a pointer, which has another address than the caller's */
	va_copy(args, ap);
	out_put_format_escaped(o, fmt, &args);
	va_end(args);
}

void message_text(char *to, size_t size, const char *fmt, va_list ap)
{
	struct out o;
	size_t n;

	out_init_mem(&o);
	o.escape = true;
	put_va(&o, fmt, ap);
	n = o.len < size ? o.len : size - 1;
	memcpy(to, o.buf ? o.buf : "", n);
	to[n] = '\0';
	out_fini(&o);
}

void message_va(FILE *f, const char *fmt, va_list ap)
{
	struct out o;

	message_begin(&o, f);
	put_va(&o, fmt, ap);
	message_end(&o, f);
}

void message(FILE *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	message_va(f, fmt, ap);
	va_end(ap);
}

void message_put_lines(struct out *o, const char *text)
{
	size_t n;

	for (; *text; text += n) {
		n = strcspn(text, "\n");
		out_mem(o, text, n);
		if (text[n]) {
			out_char(o, '\n');
			n++;
		}
	}
}

void message_lines(FILE *f, const char *text)
{
	struct out o;

	message_begin(&o, f);
	message_put_lines(&o, text);
	out_char(&o, '\n');
	message_end(&o, f);
}
