/* SPDX-License-Identifier: MIT */
/*
 * Fast text output: a buffer in front of a FILE, with the conversions that profiler output needs
 * most, done without printf(). out_printf() does all others. Not thread safe.
 *
 * Output to a terminal escapes text from outside, such as the names in a recording
 * (base/screen/escape.h). The program's own text is not escaped: string literals, formats, single
 * characters and figures. What else is the program's own, such as colours and text that is escaped
 * already, is written with out_raw(). So text is escaped unless the code says that it is safe.
 */
#ifndef BASE_OUT_H
#define BASE_OUT_H

#include <stdio.h>
#include <string.h>

#include "base/types.h"

struct pager;

struct out {
	char *buf;
	size_t len, cap;
	FILE *f;              /* NULL: the text stays in memory and buf grows, see out_init_mem() */
	bool failed;          /* some write to f failed */
	bool escape;          /* text from outside is escaped */
	bool ascii;           /* ... and the terminal's character set is not UTF-8 */
	unsigned int columns; /* of the terminal that the text is for; 0: it is for none */
	struct pager *pager;  /* started before the first write, see out_page(); NULL for none */
};

/* Starts output to f, which the caller keeps open until out_fini(). */
void out_init(struct out *o, FILE *f);
/*
 * Prepares output to standard output, which must be o's FILE: o starts pager p just before it
 * writes its first bytes. Text is escaped if standard output is a terminal or p->escape is set.
 */
void out_page(struct out *o, struct pager *p);
/* Starts output into memory: o->buf and o->len hold the text, which has no NUL at its end. */
void out_init_mem(struct out *o);
/* Makes o escape text as `like` does. For memory whose text is appended to `like` by out_raw(). */
void out_escape_like(struct out *o, const struct out *like);
/* Flushes o and frees its buffer. Returns 0, or -1 with errno set when any write failed. */
int out_fini(struct out *o);
/* Writes the buffered text to the FILE and flushes it. Returns 0, or -1 when any write failed. */
int out_flush(struct out *o);

/* Writes n bytes at p like out_raw(), but a long text goes to the FILE without being copied. */
void out_long(struct out *o, const void *p, size_t n);

/* Makes room in the buffer for n more bytes, by writing it out or, in memory, by growing it. */
void out_make_room(struct out *o, size_t n);

static inline void out_reserve(struct out *o, size_t n)
{
	if (o->cap - o->len < n)
		out_make_room(o, n);
}

/* Appends n bytes that are never escaped. */
static inline void out_raw(struct out *o, const void *p, size_t n)
{
	if (!n) /* buf may still be NULL, which memcpy() must not get */
		return;
	out_reserve(o, n);
	memcpy(o->buf + o->len, p, n);
	o->len += n;
}

/* Appends n bytes of text from outside, escaped. For o->escape; see out_mem(). */
void out_escaped(struct out *o, const void *p, size_t n);

/* Appends n bytes of text from outside. */
static inline void out_mem(struct out *o, const void *p, size_t n)
{
	if (o->escape)
		out_escaped(o, p, n);
	else
		out_raw(o, p, n);
}

/* Appends s. own: it is the program's own text. */
static inline void out_text(struct out *o, const char *s, bool own)
{
	if (own)
		out_raw(o, s, strlen(s));
	else
		out_mem(o, s, strlen(s));
}

/* Appends s, which is text from outside unless it is a string literal. */
#define out_str(o, s) out_text(o, s, __builtin_constant_p(s))

/* Appends a character of the program's own text. */
static inline void out_char(struct out *o, char c)
{
	out_reserve(o, 1);
	o->buf[o->len++] = c;
}

/*
 * Writes s like printf's "%*s": right-aligned, or left-aligned for a negative width. s is text from
 * outside; if it is escaped, the width counts columns of the terminal.
 */
void out_str_width(struct out *o, const char *s, int width);
/* Writes v in hexadecimal like printf's "%*llx"; width 0 writes just the digits. */
void out_hex(struct out *o, u64 v, int width);
/* Writes v in decimal like printf's "%*llu"; width 0 writes just the digits. */
void out_dec(struct out *o, u64 v, int width);
/* Writes v like printf's "%*d": right-aligned, or left-aligned for a negative width. */
void out_int(struct out *o, int v, int width);
/* Writes v like printf's "%0*llu": in decimal, with zeros in front up to width. */
void out_dec0(struct out *o, u64 v, int width);
/* Writes the character c n times. */
void out_fill(struct out *o, char c, size_t n);
/* Writes as printf() does. The format is the program's own text, that of %s is from outside. */
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
