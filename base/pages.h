/* SPDX-License-Identifier: MIT */
/*
 * Policy for large memory: which page size lies under it, and whether ranges that were freed are
 * kept for the next table. Everything is off until pages_keep_heap(), which the main of prep and of
 * pfold call: there new pages cost 20 to 90 ms at the start and 14 ms at the exit of a run.
 *
 * The state is one static struct in pages.c, behind a lock: like malloc's heap it belongs to the
 * process.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include "base/types.h"

#define LARGE_PAGE ((size_t)2 << 20)

/*
 * For the main of a command that fills much memory and ends soon: freed ranges are kept for the
 * next table, and large pages lie under the heap. Call it before anything is allocated and before
 * other threads start.
 */
void pages_keep_heap(void);

/*
 * Call it at the end of such a main: gives kept ranges back to the kernel, in nr_threads threads.
 * At exit the kernel does it in one thread, which takes 70 us for each MiB.
 */
void pages_give_back(unsigned int nr_threads);

/*
 * True on a virtual machine whose free memory goes back to its host (free page reporting).
 * order_path is the kernel's parameter of it. Memory then goes by large pages: the first touch of a
 * free one takes 4 ms, 2 ms for each MiB, where small pages take 0.4 ms, so pages_keep_heap() asks
 * for small pages there.
 */
bool pages_go_to_host(const char *order_path);

/* True when pages_keep_heap() chose small pages. */
bool pages_are_small(void);

/*
 * Prepares memory at p that will be written whole, soon and for the first time: asks for large
 * pages under the large pages that it covers, or has all small pages mapped by one call.
 */
void pages_will_fill(void *p, size_t size);

/*
 * A range of at least `size` bytes that begins at a multiple of LARGE_PAGE, kept or new. *ret_zero:
 * it is known to be zero. NULL when there is no memory. size: at least LARGE_PAGE.
 */
void *pages_alloc(size_t size, bool *ret_zero);
/* Keeps or unmaps a range of pages_alloc() with the same size. */
void pages_free(void *p, size_t size);
/*
 * Grows a range of pages_alloc() by moving its pages; what is new is zero. Returns NULL, with the
 * old range as it was, when that cannot be done. size > old_size.
 */
void *pages_grow(void *p, size_t old_size, size_t size);

#endif
