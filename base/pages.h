/* SPDX-License-Identifier: MIT */
/*
 * Policy for large blocks of memory: which page size they use, and whether freed blocks are kept
 * for the next table. The policy is off until pages_keep_heap(), which only the mains of prep and
 * pfold call: in their runs the kernel takes 20 to 90 ms to map new pages and 14 ms to free them at
 * exit.
 *
 * The state is one static struct in pages.c: like malloc's heap it belongs to the process. A lock
 * protects it, so any thread may allocate and free.
 */
#ifndef BASE_PAGES_H
#define BASE_PAGES_H

#include "base/types.h"

#define LARGE_PAGE ((size_t)2 << 20)

/*
 * Turns the policy on, for the main of a command that fills much memory and soon exits: freed
 * blocks are kept for the next table, and malloc's heap gets large pages. Call it before anything
 * is allocated and before other threads start.
 */
void pages_keep_heap(void);

/*
 * For a command that runs for long: from now on malloc gives large blocks back to the kernel when
 * they are freed, and does not wait until the heap ends with them.
 */
void pages_share_heap(void);
/* Gives the free pages of malloc's heap back to the kernel; takes some 50 us for each MiB of heap.
 */
void pages_trim_heap(void);

/*
 * Returns the blocks that pages_keep_heap() kept to the kernel, in nr_threads threads. Call it as
 * the last step of main: at exit the kernel would free them in one thread, at 70 us for each MiB.
 */
void pages_give_back(unsigned int nr_threads);

/*
 * True on a virtual machine that returns its free memory to the host (free page reporting);
 * order_path is the file of the kernel parameter that says so. On such a machine the first touch of
 * a large page takes 2 ms for each MiB, of small pages only 0.4 ms for each MiB, so
 * pages_keep_heap() asks for small pages.
 */
bool pages_go_to_host(const char *order_path);

/* True when pages_keep_heap() chose small pages. */
bool pages_are_small(void);

/*
 * Prepares `size` bytes at p that the caller is about to write whole for the first time: asks the
 * kernel for large pages, or maps all the small pages with one system call.
 */
void pages_will_fill(void *p, size_t size);

/*
 * Prepares a new part of a block of pages_alloc(), whose bytes will be read and written in no
 * order, as those of a hash table are. It gets large pages even where pages_keep_heap() chose small
 * ones: in small pages nearly each access is to one whose address the CPU has to look up.
 */
void pages_will_search(void *p, size_t size);

/*
 * Returns a block of at least `size` bytes that begins at a multiple of LARGE_PAGE: a kept block,
 * or newly mapped addresses to which the pages of several kept blocks are moved. The first
 * *ret_used bytes may have old contents, those behind them are zero. Returns NULL when there is no
 * memory. size must be at least LARGE_PAGE.
 */
void *pages_alloc(size_t size, size_t *ret_used);
/* Frees a block of pages_alloc() of the same size: keeps it for later, or unmaps it. */
void pages_free(void *p, size_t size);
/*
 * Grows a block of pages_alloc() from old_size to `size` bytes, size > old_size, by moving its
 * pages to new addresses without copying. The added bytes have any contents. Returns NULL when the
 * pages cannot be moved; the old block is then unchanged.
 */
void *pages_grow(void *p, size_t old_size, size_t size);

#endif
