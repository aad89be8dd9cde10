/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/parallel.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

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

#define LARGE_PAGE ((size_t)2 << 20)

static size_t whole_pages(size_t size)
{
	return (size + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
}

#define HEAP_AHEAD (128 << 20) /* of addresses, not of memory */

/*
 * Large ranges that were freed, for those who ask next: pages that are new cost more than to zero
 * old ones. As malloc has its heap, this is there once in a process, for all threads.
 */
#define MAX_RANGES 32
#define MAX_RANGE_BYTES ((size_t)128 << 20)

struct range {
	u8 *p;
	size_t size; /* of whole large pages */
};

static struct {
	pthread_mutex_t lock;
	bool on, small_pages; /* set before there are threads */
	struct range ranges[MAX_RANGES];
	size_t nr, bytes;
} freed = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Keeps a range; false when there is too much. lock is held. */
static bool keep_range(u8 *p, size_t size)
{
	struct range *r = freed.ranges, *to = NULL;

	if (freed.bytes + size > MAX_RANGE_BYTES)
		return false;
	for (size_t i = 0; i < freed.nr && !to; i++)
		if (r[i].p + r[i].size == p || p + size == r[i].p)
			to = &r[i];
	if (!to && freed.nr == MAX_RANGES)
		return false;
	if (!to) {
		to = &r[freed.nr++];
		*to = (struct range){ p, 0 };
	} else if (p < to->p) {
		to->p = p;
	}
	to->size += size;
	freed.bytes += size;
	return true;
}

static bool put_range(u8 *p, size_t size)
{
	bool kept;

	if (!freed.on)
		return false;
	pthread_mutex_lock(&freed.lock);
	kept = keep_range(p, size);
	pthread_mutex_unlock(&freed.lock);
	return kept;
}

/* A range of this size, with whatever was in it: of the smallest that is large enough. */
static u8 *take_range(size_t size)
{
	struct range *best = NULL;
	u8 *p = NULL;

	if (!freed.on)
		return NULL;
	pthread_mutex_lock(&freed.lock);
	for (size_t i = 0; i < freed.nr; i++) {
		struct range *r = &freed.ranges[i];

		if (r->size >= size && (!best || r->size < best->size))
			best = r;
	}
	if (best) {
		p = best->p;
		best->p += size;
		best->size -= size;
		freed.bytes -= size;
		if (!best->size)
			*best = freed.ranges[--freed.nr];
	}
	pthread_mutex_unlock(&freed.lock);
	return p;
}

bool mem_gives_back(const char *order_path)
{
	FILE *f = fopen(order_path, "re");
	unsigned long order = ULONG_MAX;
	char text[32];

	if (!f)
		return false;
	if (fgets(text, sizeof(text), f))
		order = strtoul(text, NULL, 10);
	fclose(f);
	/* UINT_MAX until there is a device that is told */
	return order < UINT_MAX;
}

static void choose_pages(uintptr_t start, uintptr_t end)
{
	if (start < end)
		madvise((void *)start, end - start,
			freed.small_pages ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}

void mem_keep_heap(void)
{
	uintptr_t start, end;
	void *p;

	freed.small_pages =
		mem_gives_back("/sys/module/page_reporting/parameters/page_reporting_order");

	/* one heap: those of threads grow by small steps, each with pages of their own */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the most there can be */
	mallopt(M_TRIM_THRESHOLD, 4 * HEAP_AHEAD);
	mallopt(M_TOP_PAD, HEAP_AHEAD);
	p = malloc(LARGE_PAGE / 2);
	/* where that was too much, later ones ask for less */
	mallopt(M_TOP_PAD, LARGE_PAGE);
	start = whole_pages((uintptr_t)p);
	end = (uintptr_t)sbrk(0) & ~(LARGE_PAGE - 1);
	/* with another malloc, it lies elsewhere */
	if (p && start < end && end - start <= 2 * HEAP_AHEAD)
		choose_pages(start, end);
	free(p);
	freed.on = true;
}

#define GIVEN_AT_ONCE ((size_t)4 << 20)

static size_t nr_pieces(const struct range *r)
{
	return (r->size + GIVEN_AT_ONCE - 1) / GIVEN_AT_ONCE;
}

/* The i-th piece of what was kept; the last one is the heap. */
static void give_piece(void *ctx, size_t i)
{
	size_t at, size;

	(void)ctx;
	for (size_t k = 0; k < freed.nr; k++) {
		const struct range *r = &freed.ranges[k];

		if (i >= nr_pieces(r)) {
			i -= nr_pieces(r);
			continue;
		}
		at = i * GIVEN_AT_ONCE;
		size = r->size - at < GIVEN_AT_ONCE ? r->size - at : GIVEN_AT_ONCE;
		madvise(r->p + at, size, MADV_DONTNEED);
		return;
	}
	malloc_trim(0);
}

void mem_give_back(unsigned int nr_threads)
{
	size_t nr = 1;

	for (size_t k = 0; k < freed.nr; k++)
		nr += nr_pieces(&freed.ranges[k]);
	if (nr > 1)
		parallel_run(nr_threads, nr, give_piece, NULL);
}

void mem_will_fill(void *p, size_t size)
{
	const uintptr_t small = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = whole_pages((uintptr_t)p);
	uintptr_t end = ((uintptr_t)p + size) & ~(LARGE_PAGE - 1);

	if (freed.small_pages) {
		start = ((uintptr_t)p + small - 1) & ~(small - 1);
		end = ((uintptr_t)p + size) & ~(small - 1);
		/* kernels that cannot do it at once do it later */
		if (start < end)
			(void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
		return;
	}
	choose_pages(start, end);
}

/* A range of `size` bytes, of at least a large page, that begins at a multiple of one. */
static u8 *map_large(size_t size)
{
	size_t whole = whole_pages(size), front;
	u8 *p;

	if (whole < size || whole + LARGE_PAGE < whole)
		mem_exhausted(size);
	/* large pages lie at multiples of their size: what is too much is given back */
	p = mmap(NULL, whole + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		 0);
	if (p == MAP_FAILED)
		mem_exhausted(size);
	front = -(uintptr_t)p & (LARGE_PAGE - 1);
	if (front)
		munmap(p, front);
	munmap(p + front + whole, LARGE_PAGE - front);
	return p + front;
}

/* What was never used is zero: *ret_zero. */
static void *alloc_large(size_t size, bool *ret_zero)
{
	size_t whole = whole_pages(size);
	u8 *p;

	if (whole < size)
		mem_exhausted(size);
	p = take_range(whole);
	*ret_zero = !p;
	if (p)
		return p;
	p = map_large(size);
	choose_pages((uintptr_t)p, (uintptr_t)p + whole);
	return p;
}

void *table_alloc(size_t size)
{
	bool is_zero = false;
	void *p;

	if (size < LARGE_PAGE && !freed.small_pages)
		return xcalloc(1, size);
	p = size < LARGE_PAGE ? xmalloc(size) : alloc_large(size, &is_zero);
	/*
	 * Small pages that are read before they are written cost two faults, the second of which
	 * stops all threads; tables are searched before something is put into them.
	 */
	if (is_zero && freed.small_pages)
		is_zero = !madvise(p, whole_pages(size), MADV_POPULATE_WRITE);
	if (!is_zero)
		memset(p, 0, size);
	return p;
}

void *table_alloc_any(size_t size)
{
	bool is_zero;

	return size < LARGE_PAGE ? xmalloc(size) : alloc_large(size, &is_zero);
}

void table_free(void *p, size_t size)
{
	if (!p || size < LARGE_PAGE)
		free(p);
	else if (!put_range(p, whole_pages(size)))
		munmap(p, whole_pages(size));
}

void *table_realloc(void *p, size_t old_size, size_t size)
{
	size_t keep = old_size < size ? old_size : size;
	bool is_zero = false;
	void *q;

	/* pages move as they are: nothing is copied, and only what is new has to be zeroed */
	if (p && old_size >= LARGE_PAGE && size > old_size) {
		q = map_large(size);
		/* the end of the last page may have been another table's */
		memset((u8 *)p + old_size, 0, whole_pages(old_size) - old_size);
		if (mremap(p, whole_pages(old_size), whole_pages(size),
			   MREMAP_MAYMOVE | MREMAP_FIXED, q) != MAP_FAILED)
			return q;
		munmap(q, whole_pages(size));
	}
	if (size < LARGE_PAGE)
		q = xmalloc(size);
	else
		q = alloc_large(size, &is_zero);
	if (keep)
		memcpy(q, p, keep);
	if (!is_zero)
		memset((u8 *)q + keep, 0, size - keep);
	table_free(p, old_size);
	return q;
}

void *vec_grow_bytes(void *p, size_t *cap, size_t want, size_t elem_size)
{
	size_t n = *cap + *cap / 2 + 8, bytes;

	/* who says at once how much it will be gets just that */
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

#define ARENA_BLOCK ((size_t)64 << 10)

void *arena_alloc(struct arena *a, size_t size)
{
	u8 *p;

	size = (size + 7) & ~(size_t)7;
	if (size > a->left) {
		size_t want =
			size > ARENA_BLOCK / 4 ? size : ARENA_BLOCK - sizeof(struct arena_block);
		struct arena_block *b = xcalloc(1, sizeof(*b) + want);

		b->next = a->blocks;
		a->blocks = b;
		if (want == size) {
			mem_will_fill(b, sizeof(*b) + want);
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
