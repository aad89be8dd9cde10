/* SPDX-License-Identifier: MIT */
#include "record/host/process_memory.h"

#include <sys/uio.h>

#define CHUNK ((size_t)64 << 10) /* the kernel reads whole ones */

size_t process_memory_read(void *ctx, u32 pid, u64 addr, u8 *to, size_t n)
{
	struct iovec local = { to, n }, remote[PROCESS_MEMORY_MAX / CHUNK + 1];
	unsigned long nr = 0;
	ssize_t got;

	(void)ctx;
	for (size_t at = 0; at < n; nr++) {
		size_t part = n - at < CHUNK ? n - at : CHUNK;

		/* at the boundary of a page, so that as much as there is is read */
		if (at + part < n)
			part -= (addr + at + part) & 4095;
		remote[nr] = (struct iovec){ (void *)(uintptr_t)(addr + at), part };
		at += part;
		if (nr + 1 == ARRAY_SIZE(remote))
			break;
	}
	got = process_vm_readv((pid_t)pid, &local, 1, remote, nr, 0);
	return got > 0 ? (size_t)got : 0;
}
