/* SPDX-License-Identifier: MIT */
#include "fileformat/tracing_data.h"

#include <stdlib.h>

static const u8 tracing_magic[10] = { 23, 8, 68, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* Reads a string up to its NUL, and skips the NUL. */
static struct span cur_cstring(struct cursor *c)
{
	struct span rest = span_of(c->p, cur_left(c));
	size_t n = span_strlen(rest);

	if (n == rest.n)
		c->bad = true;
	cur_skip(c, n < rest.n ? n + 1 : n);
	return span_of(rest.p, n);
}

static struct span cur_sized(struct cursor *c)
{
	u64 n = cur_u64(c);

	return cur_array(c, n, 1);
}

/* Skips {name NUL, u64 size, text}, as header_page and header_event are stored. */
static void skip_file(struct cursor *c)
{
	(void)cur_cstring(c);
	(void)cur_sized(c);
}

int pd_tracing_open(struct span blob, struct pd_tracing *ret, struct perr *e)
{
	struct pd_tracing t = { 0 };
	const u8 *magic;
	u8 big;

	t.c = cursor_of(blob, false);
	magic = cur_take(&t.c, sizeof(tracing_magic));
	if (!magic || memcmp(magic, tracing_magic, sizeof(tracing_magic)))
		return perr_set(e, PERR_FORMAT,
				"TRACING_DATA: it does not begin with the magic of tracing data");
	(void)cur_cstring(&t.c); /* the version, "0.5" or "0.6" */
	big = cur_u8(&t.c);
	t.big_endian = big;
	t.c.swap = big != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	t.long_size = cur_u8(&t.c);
	t.page_size = cur_u32(&t.c);
	skip_file(&t.c);
	skip_file(&t.c);
	t.system = span_of("ftrace", 6);
	t.events_left = cur_u32(&t.c);
	/* unknown yet: the number of systems follows ftrace's own formats */
	t.systems_left = UINT32_MAX;
	if (t.c.bad)
		return perr_set(e, PERR_FORMAT, "TRACING_DATA: it ends inside its header");
	*ret = t;
	return 0;
}

/* Returns the value of the line "KEY: value" in a format. */
static struct span format_value(struct span f, const char *key)
{
	size_t klen = strlen(key), i = 0;

	while (i < f.n) {
		const u8 *nl = memchr(f.p + i, '\n', f.n - i);
		size_t end = nl ? (size_t)(nl - f.p) : f.n;

		if (end - i > klen && !memcmp(f.p + i, key, klen)) {
			i += klen;
			while (i < end && f.p[i] == ' ')
				i++;
			return span_of(f.p + i, end - i);
		}
		i = end + 1;
	}
	return span_of(NULL, 0);
}

static u64 span_number(struct span s)
{
	u64 v = 0;
	size_t i;

	for (i = 0; i < s.n && i < 19 && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		v = v * 10 + (s.p[i] - '0');
	return v;
}

int pd_tracing_next(struct pd_tracing *t, struct pd_tracepoint *ret, struct perr *e)
{
	struct pd_tracepoint v;

	while (!t->events_left) {
		if (t->systems_left == UINT32_MAX)
			t->systems_left = cur_u32(&t->c);
		if (t->c.bad)
			goto cut;
		if (!t->systems_left)
			return 0;
		t->systems_left--;
		t->system = cur_cstring(&t->c);
		t->events_left = cur_u32(&t->c);
		if (t->c.bad)
			goto cut;
	}
	t->events_left--;
	v.format = cur_sized(&t->c);
	if (t->c.bad)
		goto cut;
	v.system = t->system;
	v.name = format_value(v.format, "name:");
	v.id = span_number(format_value(v.format, "ID:"));
	*ret = v;
	return 1;
cut:
	t->events_left = t->systems_left = 0;
	return perr_set(e, PERR_FORMAT, "TRACING_DATA: it ends inside its formats");
}
