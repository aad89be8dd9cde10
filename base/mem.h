/* SPDX-License-Identifier: MIT */
/*
 * Memory allocation whose callers need no error path: when memory runs out, mem_exhausted ends the
 * process. Callers check a size that comes from a file against the bytes left in it before they
 * allocate. All functions may be called from any thread.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdlib.h>
#include <string.h>

#include "base/types.h"

/* Called with the size in bytes that could not be allocated; must not return. By default it prints
 * the size and aborts; tests and fuzzers replace it. */
extern void (*mem_exhausted)(size_t size);

void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);

/* Returns the formatted text in malloc'd memory, which the caller frees. */
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Allocates `size` zeroed bytes for a table that may grow big. Free it with table_free() and the
 * same size. Tables of 2 MiB and more use large pages where the system has them: one page fault for
 * each 2 MiB, and few TLB misses.
 */
void *table_alloc(size_t size);
/* Like table_alloc(), but the bytes are not zeroed, for callers that overwrite all of them. */
void *table_alloc_any(size_t size);
/* Frees a table of `size` bytes. p may be NULL. */
void table_free(void *p, size_t size);
/*
 * Changes a table's size from old_size to `size` bytes and returns its new address. Bytes past
 * old_size have any contents: pages that the caller never fills are never taken. p may be NULL with
 * old_size 0.
 */
void *table_realloc(void *p, size_t old_size, size_t size);
/*
 * How many elements a table that has room for cap elements, `size` bytes in all, should have room
 * for next. Small ones, which table_realloc() copies, grow faster.
 */
size_t table_grown(size_t cap, size_t size);

/*
 * Grows a malloc'd array of elements of elem_size bytes by half, or to `want` elements if that is
 * more. Returns the new address and sets *cap to the new number of elements. Use it through
 * vec_reserve() and vec_push(); vec_push(v->items, v->nr, v->cap, item) appends one element.
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
 * An arena allocates many small objects that live equally long: arena_fini() frees them all, and
 * single objects are never freed. All zero is a valid empty arena. Not thread safe.
 */
struct arena_block;
struct arena {
	struct arena_block *blocks;
	u8 *p;
	size_t left;
	size_t total; /* bytes allocated from the arena so far */
};

/* Returns `size` zeroed bytes, aligned to 8. They are valid until arena_fini(). */
void *arena_alloc(struct arena *a, size_t size);
/* Returns a NUL-terminated copy of the text of at most n bytes at s. */
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_strdup(struct arena *a, const char *s);
void arena_fini(struct arena *a);

#endif
