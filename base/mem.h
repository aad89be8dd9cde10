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

/* Called with the size that could not be allocated; must not return. */
extern void (*mem_exhausted)(size_t size);

void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* Result is malloc'd and the caller's. */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Zeroed memory for big tables, freed with table_free and the same size. Under large ones lie large
 * pages where the system has them: a fault for each 2 MiB, and few misses of the TLB.
 */
void *table_alloc(size_t size);
/* As table_alloc, but not zeroed, for callers that overwrite all of it. */
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
