/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/pages.h"

static void say_and_end(size_t size)
{
	fprintf(stderr, "out of memory: %zu bytes could not be allocated\n", size);
	abort();
}

void (*mem_exhausted)(size_t size) = say_and_end;

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		mem_exhausted(size);
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		mem_exhausted(nr * size);
	return p;
}

void *xrealloc(void *p, size_t size)
{
	void *q = realloc(p, size ? size : 1);

	if (!q)
		mem_exhausted(size);
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = xmalloc(len + 1);

	memcpy(p, s, len);
	p[len] = 0;
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *p = NULL;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&p, fmt, ap);
	va_end(ap);
	if (n < 0)
		mem_exhausted(0);
	return p;
}

/* Allocates a large table. Bytes from *ret_used on, which is at most `size`, are zero. */
static void *alloc_large(size_t size, size_t *ret_used)
{
	void *p = pages_alloc(size, ret_used);

	if (!p)
		mem_exhausted(size);
	if (*ret_used > size)
		*ret_used = size;
	return p;
}

void *table_alloc(size_t size)
{
	size_t used = size;
	u8 *p;

	if (size < LARGE_PAGE && !pages_are_small())
		return xcalloc(1, size);
	p = size < LARGE_PAGE ? xmalloc(size) : alloc_large(size, &used);
	/*
	 * Fill in small pages now: a page that is read before it is written takes two page faults,
	 * the second of which stops all threads, and tables are searched before something is added.
	 */
	if (size >= LARGE_PAGE && used < size)
		pages_will_search(p + used, size - used);
	else if (used < size && pages_are_small())
		pages_will_fill(p + used, size - used);
	memset(p, 0, used);
	return p;
}

void *table_alloc_any(size_t size)
{
	size_t used;

	return size < LARGE_PAGE ? xmalloc(size) : alloc_large(size, &used);
}

void table_free(void *p, size_t size)
{
	if (!p || size < LARGE_PAGE)
		free(p);
	else
		pages_free(p, size);
}

void *table_realloc(void *p, size_t old_size, size_t size)
{
	size_t keep = old_size < size ? old_size : size;
	void *q;

	/* pages are moved without copying */
	if (p && old_size >= LARGE_PAGE && size > old_size) {
		q = pages_grow(p, old_size, size);
		if (q)
			return q;
	}
	q = table_alloc_any(size);
	if (keep)
		memcpy(q, p, keep);
	table_free(p, old_size);
	return q;
}

#define FIRST_ELEMENTS 256
#define COPIED_OFTEN ((size_t)64 << 10) /* bytes up to which a table that grows is copied */

size_t table_grown(size_t cap, size_t size)
{
	if (!cap)
		return FIRST_ELEMENTS;
	if (size < COPIED_OFTEN)
		return 4 * cap;
	/* small pages that are not filled take no memory, and larger tables are moved, not copied
	 */
	if (size < LARGE_PAGE && pages_are_small())
		return cap * (LARGE_PAGE / size + 1);
	return 2 * cap;
}

void *vec_grow_bytes(void *p, size_t *cap, size_t want, size_t elem_size)
{
	size_t n = *cap + *cap / 2 + 8, bytes;

	/* a caller that passes the final size gets exactly that */
	if (n < want)
		n = want;
	if (__builtin_mul_overflow(n, elem_size, &bytes))
		mem_exhausted(SIZE_MAX);
	p = xrealloc(p, bytes);
	*cap = n;
	return p;
}

struct arena_block {
	struct arena_block *next;
	u64 bytes[];
};

/* An arena may hold a few objects: a file's rules, of which there are hundreds of files. */
#define FIRST_ARENA_BLOCK ((size_t)4 << 10)
#define ARENA_BLOCK ((size_t)64 << 10)

/* Bytes of the next block, of which an object takes `size`. */
static size_t next_block(const struct arena *a, size_t size)
{
	size_t block = FIRST_ARENA_BLOCK;

	while (block < ARENA_BLOCK && (block < a->total || size > block / 4))
		block *= 2;
	return size > block / 4 ? size : block - sizeof(struct arena_block);
}

void *arena_alloc(struct arena *a, size_t size)
{
	u8 *p;

	size = (size + 7) & ~(size_t)7;
	if (size > a->left) {
		size_t want = next_block(a, size);
		struct arena_block *b = xcalloc(1, sizeof(*b) + want);

		b->next = a->blocks;
		a->blocks = b;
		if (want == size) {
			pages_will_fill(b, sizeof(*b) + want);
			a->total += size;
			return b->bytes;
		}
		a->p = (u8 *)b->bytes;
		a->left = want;
	}
	p = a->p;
	a->p += size;
	a->left -= size;
	a->total += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

void arena_fini(struct arena *a)
{
	struct arena_block *b = a->blocks, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	*a = (struct arena){ 0 };
}
