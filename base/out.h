/* SPDX-License-Identifier: MIT */
/*
 * Fast text output: a buffer in front of a FILE, with the few conversions that profiler output is
 * made of. Everything else goes through out_printf.
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
	FILE *f; /* NULL: a memory buffer that grows, see out_init_mem */
	bool failed;
	struct pager *pager; /* see out_page */
};

void out_init(struct out *o, FILE *f);
/* The first text that goes to the FILE, which is stdout, starts the pager. */
void out_page(struct out *o, struct pager *p);
/* Collects in memory; o->buf, o->len hold the text (not NUL-terminated). */
void out_init_mem(struct out *o);
/* Flushes and frees; returns 0, or -1 when any write failed (errno kept). */
int out_fini(struct out *o);
int out_flush(struct out *o);

/* As out_mem for a long text: goes to the FILE as it is, without a copy. */
void out_long(struct out *o, const void *p, size_t n);

void out_make_room(struct out *o, size_t n);

static inline void out_reserve(struct out *o, size_t n)
{
	if (o->cap - o->len < n)
		out_make_room(o, n);
}

static inline void out_mem(struct out *o, const void *p, size_t n)
{
	if (!n) /* buf may be NULL still */
		return;
	out_reserve(o, n);
	memcpy(o->buf + o->len, p, n);
	o->len += n;
}

static inline void out_str(struct out *o, const char *s)
{
	out_mem(o, s, strlen(s));
}

static inline void out_char(struct out *o, char c)
{
	out_reserve(o, 1);
	o->buf[o->len++] = c;
}

/* As printf's %*s: right-aligned to width; negative width aligns left. */
void out_str_width(struct out *o, const char *s, int width);
/* As printf's %*llx and %*llu; width 0 for none. */
void out_hex(struct out *o, u64 v, int width);
void out_dec(struct out *o, u64 v, int width);
/* As printf's %*d: right-aligned, or left-aligned for a negative width. */
void out_int(struct out *o, int v, int width);
/* As printf's %0*llu. */
void out_dec0(struct out *o, u64 v, int width);
void out_fill(struct out *o, char c, size_t n);
void out_printf(struct out *o, const char *fmt, ...) PRINTF_LIKE(2, 3);

#endif
