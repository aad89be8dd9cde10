/* SPDX-License-Identifier: MIT */
#include "base/pages.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/parallel.h"

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static size_t whole_pages(size_t size)
{
	return (size + LARGE_PAGE - 1) & ~(LARGE_PAGE - 1);
}

#define HEAP_AHEAD (128 << 20) /* addresses reserved, which take no memory until they are used */

/*
 * Keeps large ranges that were freed for the next pages_alloc(), because zeroing old pages takes
 * less time than page faults for new ones. All threads of the process share it, like malloc's heap.
 */
#define MAX_RANGES 32
#define MAX_RANGE_BYTES ((size_t)128 << 20)

struct range {
	u8 *p;
	size_t size; /* a multiple of a large page */
};

static struct {
	pthread_mutex_t lock;
	bool on, small_pages; /* set before threads are started */
	struct range ranges[MAX_RANGES];
	size_t nr, bytes;
} freed = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Keeps a range. Returns false if too much is kept already. The caller holds the lock. */
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

/* Takes `size` bytes from the smallest kept range that is large enough; NULL if none is. */
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

/* Takes at most `most` bytes from the largest kept range; returns how many, 0: none is left. */
static size_t take_some(size_t most, u8 **ret)
{
	struct range *largest = NULL;
	size_t size = 0;

	if (!freed.on)
		return 0;
	pthread_mutex_lock(&freed.lock);
	for (size_t i = 0; i < freed.nr; i++)
		if (!largest || freed.ranges[i].size > largest->size)
			largest = &freed.ranges[i];
	if (largest) {
		size = largest->size < most ? largest->size : most;
		*ret = largest->p;
		largest->p += size;
		largest->size -= size;
		freed.bytes -= size;
		if (!largest->size)
			*largest = freed.ranges[--freed.nr];
	}
	pthread_mutex_unlock(&freed.lock);
	return size;
}

bool pages_go_to_host(const char *order_path)
{
	FILE *f = fopen(order_path, "re");
	unsigned long order = ULONG_MAX;
	char text[32];

	if (!f)
		return false;
	if (fgets(text, sizeof(text), f))
		order = strtoul(text, NULL, 10);
	fclose(f);
	/* UINT_MAX: no device reports free pages to the host */
	return order < UINT_MAX;
}

bool pages_are_small(void)
{
	return freed.small_pages;
}

static void choose_pages(uintptr_t start, uintptr_t end)
{
	if (start < end)
		madvise((void *)start, end - start,
			freed.small_pages ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
}

void pages_keep_heap(void)
{
	uintptr_t start, end;
	void *p;

	freed.small_pages =
		pages_go_to_host("/sys/module/page_reporting/parameters/page_reporting_order");

	/* use one heap, because heaps of threads grow in small steps and have their own pages */
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 32 << 20); /* the largest value that glibc accepts */
	mallopt(M_TRIM_THRESHOLD, 4 * HEAP_AHEAD);
	mallopt(M_TOP_PAD, HEAP_AHEAD);
	p = malloc(LARGE_PAGE / 2);
	/* if reserving that much fails, later requests are smaller */
	mallopt(M_TOP_PAD, LARGE_PAGE);
	start = whole_pages((uintptr_t)p);
	end = (uintptr_t)sbrk(0) & ~(LARGE_PAGE - 1);
	/* a malloc other than glibc's may not use the heap segment */
	if (p && start < end && end - start <= 2 * HEAP_AHEAD)
		choose_pages(start, end);
	free(p);
	freed.on = true;
}

#define SHARED_BLOCK                                                                \
	(128 << 10) /* and larger ones; glibc would raise it with every large block \
		     */

void pages_share_heap(void)
{
	mallopt(M_MMAP_THRESHOLD, SHARED_BLOCK);
	mallopt(M_TRIM_THRESHOLD, SHARED_BLOCK);
}

void pages_trim_heap(void)
{
	malloc_trim(0);
}

#define GIVEN_AT_ONCE ((size_t)4 << 20)

static size_t nr_pieces(const struct range *r)
{
	return (r->size + GIVEN_AT_ONCE - 1) / GIVEN_AT_ONCE;
}

/* Gives piece i of the kept ranges back to the kernel; the last piece is malloc's heap. */
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

void pages_give_back(unsigned int nr_threads)
{
	size_t nr = 1;

	for (size_t k = 0; k < freed.nr; k++)
		nr += nr_pieces(&freed.ranges[k]);
	if (nr > 1)
		parallel_run(nr_threads, nr, give_piece, NULL);
}

void pages_will_fill(void *p, size_t size)
{
	const uintptr_t small = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = whole_pages((uintptr_t)p);
	uintptr_t end = ((uintptr_t)p + size) & ~(LARGE_PAGE - 1);

	if (freed.small_pages) {
		start = ((uintptr_t)p + small - 1) & ~(small - 1);
		end = ((uintptr_t)p + size) & ~(small - 1);
		/* kernels before 5.14 refuse this, and fault the pages in when they are used */
		if (start < end)
			(void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
		return;
	}
	choose_pages(start, end);
}

void pages_will_search(void *p, size_t size)
{
	if (!freed.small_pages)
		return;
	madvise(p, whole_pages(size), MADV_HUGEPAGE);
	pages_will_fill(p, size);
}

/* Maps `size` bytes, at least a large page, at a multiple of a large page. */
static u8 *map_large(size_t size)
{
	size_t whole = whole_pages(size), front;
	u8 *p;

	if (whole < size || whole + LARGE_PAGE < whole)
		return NULL;
	/* maps one large page more, so that an aligned part can be kept, and unmaps the rest */
	p = mmap(NULL, whole + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		 0);
	if (p == MAP_FAILED)
		return NULL;
	front = -(uintptr_t)p & (LARGE_PAGE - 1);
	if (front)
		munmap(p, front);
	munmap(p + front + whole, LARGE_PAGE - front);
	return p + front;
}

/*
 * Moves the pages of n bytes at `from` to `to`, which is mapped and not in use. A range may consist
 * of several mappings, which the kernel moves one by one; each is made of large pages.
 */
static bool move_pages(u8 *to, u8 *from, size_t n)
{
	for (size_t at = 0; at < n; at += LARGE_PAGE)
		if (mremap(from + at, LARGE_PAGE, LARGE_PAGE, MREMAP_MAYMOVE | MREMAP_FIXED,
			   to + at) == MAP_FAILED) {
			munmap(from + at, n - at);
			return false;
		}
	return true;
}

/*
 * Moves kept pages into the first of the `size` bytes at p, of which *ret_filled have pages then.
 * False: there may be holes in p.
 */
static bool gather_kept(u8 *p, size_t size, size_t *ret_filled)
{
	size_t filled = 0, n;
	u8 *from;

	while (filled < size && (n = take_some(size - filled, &from))) {
		if (!move_pages(p + filled, from, n))
			return false;
		filled += n;
	}
	*ret_filled = filled;
	return true;
}

static u8 *map_new(size_t size)
{
	u8 *p = map_large(size);

	if (p)
		choose_pages((uintptr_t)p, (uintptr_t)p + whole_pages(size));
	return p;
}

void *pages_alloc(size_t size, size_t *ret_used)
{
	size_t whole = whole_pages(size);
	u8 *p;

	if (whole < size)
		return NULL;
	p = take_range(whole);
	*ret_used = p ? whole : 0;
	if (p)
		return p;
	p = map_new(size);
	if (!p || gather_kept(p, whole, ret_used))
		return p;
	/* p is not unmapped: other threads may have mapped something in its holes meanwhile */
	*ret_used = 0;
	return map_new(size);
}

void pages_free(void *p, size_t size)
{
	if (!put_range(p, whole_pages(size)))
		munmap(p, whole_pages(size));
}

void *pages_grow(void *p, size_t old_size, size_t size)
{
	void *q = map_large(size);

	if (!q)
		return NULL;
	if (mremap(p, whole_pages(old_size), whole_pages(size), MREMAP_MAYMOVE | MREMAP_FIXED, q) !=
	    MAP_FAILED)
		return q;
	munmap(q, whole_pages(size));
	return NULL;
}
