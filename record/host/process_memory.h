/* SPDX-License-Identifier: MIT */
/* The memory of other processes. */
#ifndef RECORD_HOST_PROCESS_MEMORY_H
#define RECORD_HOST_PROCESS_MEMORY_H

#include <stddef.h>

#include "base/types.h"

/* The most bytes that one call reads. */
#define PROCESS_MEMORY_MAX ((size_t)1 << 20)

/*
 * Reads up to n bytes at an address of a process or thread. Returns how many, up to the first that
 * cannot be read; 0: none, or this process may not read its memory. ctx is not used.
 */
size_t process_memory_read(void *ctx, u32 pid, u64 addr, u8 *to, size_t n);

#endif
