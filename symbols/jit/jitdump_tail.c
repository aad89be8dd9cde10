/* SPDX-License-Identifier: MIT */
#include "symbols/jit/jitdump_tail.h"

#include <unistd.h>

#include "base/mem.h"
#include "symbols/jit/jitdump_priv.h"

#define FIRST_BYTES (256u << 10)
#define MAX_BYTES (16u << 20) /* of one record, and of one call */

struct jitdump_tail {
	int fd;
	u32 pid;
	u64 off; /* of the first record that has not been read */
	struct jitdump d;
	struct jitdump_reader r;
	struct arena kept;
	size_t limit; /* of the bytes that are kept */
	u8 *buf;
	size_t cap;
	bool has_header, ended;
};

struct jitdump_tail *jitdump_tail_new(int fd, u32 pid)
{
	struct jitdump_tail *t = xcalloc(1, sizeof(*t));

	t->fd = fd;
	t->pid = pid;
	t->cap = FIRST_BYTES;
	t->r.d = &t->d;
	return t;
}

void jitdump_tail_free(struct jitdump_tail *t)
{
	if (!t)
		return;
	close(t->fd);
	idmap_fini(&t->r.by_index);
	arena_fini(&t->kept);
	free(t->d.funcs);
	free(t->buf);
	free(t);
}

size_t jitdump_tail_bytes(const struct jitdump_tail *t)
{
	return t->kept.total + t->d.cap * sizeof(*t->d.funcs);
}

/* Bytes of the buffer move to where they stay. */
static void keep(struct jitdump_tail *t, struct span *s)
{
	u8 *p;

	if (s->n && (s->p < t->buf || s->p >= t->buf + t->cap))
		return;
	if (s->n > t->limit || jitdump_tail_bytes(t) > t->limit - s->n) {
		*s = span_of(NULL, 0);
		t->ended = true;
		return;
	}
	p = s->n ? arena_alloc(&t->kept, s->n) : NULL;
	if (s->n)
		memcpy(p, s->p, s->n);
	*s = span_of(p, s->n);
}

static void keep_last(struct jitdump_tail *t, size_t before)
{
	keep(t, &t->r.eh_frame);
	keep(t, &t->r.eh_frame_hdr);
	t->r.lines = span_of(NULL, 0);
	t->r.nr_lines = 0;
	for (size_t i = before; i < t->d.nr; i++) {
		struct jitdump_func *f = &t->d.funcs[i];

		keep(t, &f->code);
		keep(t, &f->eh_frame);
		keep(t, &f->eh_frame_hdr);
		f->lines = span_of(NULL, 0);
		f->nr_lines = 0;
		f->name = "";
	}
}

static bool read_header(struct jitdump_tail *t, struct cursor *c)
{
	struct perr e;

	t->d.file = span_of(c->p, cur_left(c));
	if (t->d.file.n < JITDUMP_HEADER_SIZE)
		return false;
	t->ended = jitdump_read_header(&t->d, c, &e) || c->bad || t->d.pid != t->pid;
	t->d.file = span_of(NULL, 0);
	t->has_header = !t->ended;
	return t->has_header;
}

/*
 * Reads the whole records of n bytes in the buffer. Returns how many bytes they have; 0 with *more
 * set: how many the first record needs.
 */
static size_t read_records(struct jitdump_tail *t, size_t n, size_t *more)
{
	struct cursor c = cursor_of(span_of(t->buf, n), t->d.swap);
	bool closed = false;

	if (!t->has_header && !read_header(t, &c))
		return 0;
	while (!t->ended && cur_left(&c) >= JITDUMP_RECORD_SIZE) {
		size_t before = t->d.nr;
		u32 size = get_u32(c.p + 4, t->d.swap);

		if (size > cur_left(&c)) {
			*more = size;
			break;
		}
		t->ended = !jitdump_read_record(&t->r, &c, &closed);
		keep_last(t, before);
		t->ended |= closed || t->d.nr >= JITDUMP_FUNCS || jitdump_tail_bytes(t) > t->limit;
	}
	return n - cur_left(&c);
}

bool jitdump_tail_read(struct jitdump_tail *t, size_t room)
{
	size_t before = t->d.nr;

	t->limit = jitdump_tail_bytes(t) + room;
	for (size_t done = 0; !t->ended && done < MAX_BYTES;) {
		size_t used, more = 0;
		ssize_t n;

		if (!t->buf)
			t->buf = xmalloc(t->cap);
		n = pread(t->fd, t->buf, t->cap, (off_t)t->off);
		if (n <= 0)
			break;
		used = read_records(t, (size_t)n, &more);
		t->off += used;
		done += used;
		if (!used && more > t->cap) {
			t->ended = more > MAX_BYTES;
			free(t->buf);
			t->buf = NULL;
			t->cap = more;
		} else if ((size_t)n < t->cap) {
			break;
		}
	}
	/* most of the time there is nothing to read */
	if (t->cap > FIRST_BYTES || t->ended) {
		free(t->buf);
		t->buf = NULL;
		t->cap = FIRST_BYTES;
	}
	return t->d.nr != before;
}

struct jitdump *jitdump_tail_copy(const struct jitdump_tail *t)
{
	struct jitdump *d = xcalloc(1, sizeof(*d));

	*d = t->d;
	d->path = NULL;
	d->funcs = xcalloc(t->d.nr + 1, sizeof(*d->funcs));
	if (t->d.nr)
		memcpy(d->funcs, t->d.funcs, t->d.nr * sizeof(*d->funcs));
	d->cap = t->d.nr;
	return d;
}

void jitdump_copy_free(struct jitdump *d)
{
	if (!d)
		return;
	free(d->funcs);
	free(d);
}
