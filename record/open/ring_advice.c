/* SPDX-License-Identifier: MIT */
/* Why the kernel refused to map a ring, and what helps. */
#include "record/open/open_advice.h"

#include <errno.h>

#include "base/advice/advice_error.h"

/*
 * Returns the largest size of a ring in pages that mlock_kb permits and that is smaller than the
 * one refused.
 */
static u64 pages_that_fit(u64 bytes, const struct rec_rights *r)
{
	u64 pages = 1;

	while (pages * 2 * 4 + 4 <= (u64)(r->mlock_kb > 0 ? r->mlock_kb : 0))
		pages *= 2;
	while (pages > 1 && pages * 4096 >= bytes)
		pages /= 2;
	return pages;
}

void advice_mmap(int sys_errno, u64 bytes, size_t nr_rings, const struct rec_rights *r,
		 struct perr *ret)
{
	char lock[32] = "unlimited";
	u64 total_kb = bytes / 1024 * nr_rings;
	u64 per_ring_kb = bytes / 1024 + 4;

	if (!ret)
		return;
	if (r->memlock_limit != UINT64_MAX)
		snprintf(lock, sizeof(lock), "%llu KiB",
			 (unsigned long long)r->memlock_limit / 1024);
	if (sys_errno == EPERM) {
		perr_set(ret, PERR_KERNEL,
			 "cannot lock memory for ring buffers of %llu KiB (%zu of them): over "
			 "this user's limit:\n"
			 "  kernel.perf_event_mlock_kb is %lld (for each CPU), ulimit "
			 "-l %s; one of these helps",
			 (unsigned long long)bytes / 1024, nr_rings, (long long)r->mlock_kb, lock);
		perr_add_advice_number(ret, ADVICE_MLOCK, "kb", (s64)per_ring_kb);
		perr_add_advice_number(ret, ADVICE_SMALLER_RINGS, "pages",
				       (s64)pages_that_fit(bytes, r));
	} else if (sys_errno == ENOMEM) {
		perr_set(ret, PERR_KERNEL,
			 "not enough memory for %zu ring buffers of %llu KiB (%llu MiB in all)",
			 nr_rings, (unsigned long long)bytes / 1024,
			 (unsigned long long)total_kb / 1024);
		perr_add_advice_number(ret, ADVICE_SMALLER_RINGS, "pages", 128);
	} else if (sys_errno == EINVAL)
		perr_set(ret, PERR_KERNEL,
			 "the kernel rejects a ring buffer of %llu KiB (Invalid argument)",
			 (unsigned long long)bytes / 1024);
	else
		perr_set(ret, PERR_KERNEL, "cannot map a ring buffer of %llu KiB: %s",
			 (unsigned long long)bytes / 1024,
			 strerrordesc_np(sys_errno) ? strerrordesc_np(sys_errno) : "unknown error");
	ret->sys_errno = sys_errno;
}
