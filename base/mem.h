/* SPDX-License-Identifier: MIT */
/*
 * Allocation that does not fail: real out-of-memory ends the process through one hook (tests and
 * fuzzers replace it). Sizes that come from a file are checked against the bytes left before they
 * get here.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdlib.h>
#include <string.h>

#include "base/types.h"

/* Called with the size that could not be had; must not return. */
extern void (*mem_exhausted)(size_t size);

void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* Result is malloc'd and the caller's. */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * For the main of a command that fills much memory and ends soon: what is freed is kept for the
 * next, big tables too, and under the heap lie large pages. To be called before anything is
 * allocated.
 */
void mem_keep_heap(void);

/*
 * At the end of such a main: gives back what was kept, in several threads. The kernel would do it
 * in one, which takes 70 us for each MiB.
 */
void mem_give_back(unsigned int nr_threads);

/*
 * Whether this is a virtual machine whose free memory goes back to its host (free page reporting,
 * order_path: the kernel's parameter of it). It goes by large pages: to touch one that was free
 * takes 4 ms there, 2 ms for each MiB, where small pages take 0.4 ms. So none are asked for.
 */
bool mem_gives_back(const char *order_path);

/*
 * Memory at p will be written whole, soon and for the first time: large pages are taken for it
 * where there is much of it, as each page costs a fault, or all small ones with one call.
 */
void mem_will_fill(void *p, size_t size);

/*
 * Zeroed memory for big tables, freed with table_free and the same size. Under large ones lie large
 * pages where the system has them: a fault for each 2 MiB, and few misses of the TLB.
 */
void *table_alloc(size_t size);
/* With anything in it: for who writes it whole. */
void *table_alloc_any(size_t size);
void table_free(void *p, size_t size);
/* As xrealloc: what is new is zero. */
void *table_realloc(void *p, size_t old_size, size_t size);

/*
 * Growth of a malloc'd array: makes room for `want` elements, doubling.
 * vec_push appends one element: vec_push(v->items, v->nr, v->cap, item).
 */
void *vec_grow_bytes(void *p, size_t *cap, size_t want, size_t elem_size);

#define vec_reserve(ptr, cap, want)                                                    \
	do {                                                                           \
		if ((want) > (cap))                                                    \
			(ptr) = vec_grow_bytes((ptr), &(cap), (want), sizeof(*(ptr))); \
	} while (0)

#define vec_push(ptr, nr, cap, item)             \
	do {                                     \
		vec_reserve(ptr, cap, (nr) + 1); \
		(ptr)[(nr)++] = (item);          \
	} while (0)

/*
 * Arena: many small objects with one lifetime. arena_fini frees them all; single objects are never
 * freed. Zero-initialised struct arena is a valid empty one.
 */
struct arena_block;
struct arena {
	struct arena_block *blocks;
	u8 *p;
	size_t left;
	size_t total; /* bytes handed out, for memory reports */
};

void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned to 8 */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
void arena_fini(struct arena *a);

#endif
