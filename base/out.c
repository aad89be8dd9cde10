/* SPDX-License-Identifier: MIT */
#include "base/out.h"

#include <errno.h>

#include "base/mem.h"
#include "base/pager.h"

/* A write(2) of this size takes about 1 % of the time that filling it does. */
#define OUT_BLOCK ((size_t)256 << 10)

void out_init(struct out *o, FILE *f)
{
	*o = (struct out){ .f = f };
}

void out_page(struct out *o, struct pager *p)
{
	o->pager = p;
	o->columns = pager_columns(p);
	o->escape = p->escape || o->columns;
	o->ascii = o->columns && !pager_shows_utf8();
}

void out_escape_like(struct out *o, const struct out *like)
{
	o->escape = like->escape;
	o->ascii = like->ascii;
	o->columns = like->columns;
}

static void write_failed(struct out *o)
{
	o->failed = true;
	if (o->pager && errno == EPIPE)
		pager_leave(o->pager);
}

static void write_out(struct out *o, const void *p, size_t n)
{
	if (!n)
		return;
	if (o->pager)
		pager_start(o->pager);
	if (fwrite(p, 1, n, o->f) != n)
		write_failed(o);
}

void out_init_mem(struct out *o)
{
	*o = (struct out){ 0 };
}

int out_flush(struct out *o)
{
	if (!o->f)
		return 0;
	write_out(o, o->buf, o->len);
	o->len = 0;
	if (fflush(o->f))
		write_failed(o);
	return o->failed ? -1 : 0;
}

void out_long(struct out *o, const void *p, size_t n)
{
	if (!o->f || n < OUT_BLOCK / 4) {
		out_raw(o, p, n);
		return;
	}
	write_out(o, o->buf, o->len);
	o->len = 0;
	write_out(o, p, n);
}

int out_fini(struct out *o)
{
	int ret = out_flush(o);

	free(o->buf);
	o->buf = NULL;
	o->len = o->cap = 0;
	return ret;
}

void out_make_room(struct out *o, size_t n)
{
	if (o->f)
		out_flush(o);
	if (o->cap - o->len >= n)
		return;
	if (o->f && o->cap < OUT_BLOCK)
		o->buf = vec_grow_bytes(o->buf, &o->cap, OUT_BLOCK, 1);
	if (o->cap - o->len < n)
		o->buf = vec_grow_bytes(o->buf, &o->cap, o->len + n, 1);
}

void out_fill(struct out *o, char c, size_t n)
{
	if (!n)
		return;
	out_reserve(o, n);
	memset(o->buf + o->len, c, n);
	o->len += n;
}

static void digits(struct out *o, const char *p, size_t n, int width, char pad)
{
	size_t fill = width > 0 && n < (size_t)width ? (size_t)width - n : 0;
	char *q;

	out_reserve(o, fill + n);
	q = o->buf + o->len;
	o->len += fill + n;
	while (fill--)
		*q++ = pad;
	while (n--)
		*q++ = *p++;
}

void out_hex(struct out *o, u64 v, int width)
{
	char buf[16], *p = buf + sizeof(buf);

	do {
		*--p = "0123456789abcdef"[v & 15];
		v >>= 4;
	} while (v);
	digits(o, p, (size_t)(buf + sizeof(buf) - p), width, ' ');
}

/* Writes the decimal digits of v to the bytes before `end`, 20 at most, and returns their start. */
static char *dec_digits(char *end, u64 v)
{
	static const char pairs[] = "00010203040506070809101112131415161718192021222324"
				    "25262728293031323334353637383940414243444546474849"
				    "50515253545556575859606162636465666768697071727374"
				    "75767778798081828384858687888990919293949596979899";

	while (v >= 100) {
		end -= 2;
		memcpy(end, pairs + v % 100 * 2, 2);
		v /= 100;
	}
	if (v >= 10) {
		end -= 2;
		memcpy(end, pairs + v * 2, 2);
	} else {
		*--end = (char)('0' + v);
	}
	return end;
}

void out_dec(struct out *o, u64 v, int width)
{
	char buf[20], *p = dec_digits(buf + sizeof(buf), v);

	digits(o, p, (size_t)(buf + sizeof(buf) - p), width, ' ');
}

void out_dec0(struct out *o, u64 v, int width)
{
	char buf[20], *p = dec_digits(buf + sizeof(buf), v);

	digits(o, p, (size_t)(buf + sizeof(buf) - p), width, '0');
}

void out_int(struct out *o, int v, int width)
{
	char buf[21], *end = buf + sizeof(buf);
	char *p = dec_digits(end, v < 0 ? -(u64)v : (u64)v);
	size_t n;

	if (v < 0)
		*--p = '-';
	n = (size_t)(end - p);
	digits(o, p, n, width, ' ');
	if (width < 0 && n < (size_t)-width)
		out_fill(o, ' ', (size_t)-width - n);
}
