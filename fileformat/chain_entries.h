/* SPDX-License-Identifier: MIT */
/*
 * The entries of a recorded call chain (PERF_SAMPLE_CALLCHAIN). A value of PD_CONTEXT_MAX or more
 * is a marker, which says in which mode the addresses after it are. Source: include/uapi/linux/
 * perf_event.h, enum perf_callchain_context.
 */
#ifndef FILEFORMAT_CHAIN_ENTRIES_H
#define FILEFORMAT_CHAIN_ENTRIES_H

#include "fileformat/record.h"
#include "fileformat/sample.h"

/* The cpumode (PD_CPUMODE_*) that a marker switches to; -1 for an unknown one. */
static inline int chain_marker_cpumode(u64 marker)
{
	switch (marker) {
	case PD_CONTEXT_HV: return PD_CPUMODE_HYPERVISOR;
	case PD_CONTEXT_KERNEL: return PD_CPUMODE_KERNEL;
	case PD_CONTEXT_USER:
	case PD_CONTEXT_USER_DEFERRED: return PD_CPUMODE_USER;
	default: return -1;
	}
}

/* A position in a chain. mode is that of the last address returned. */
struct chain_entries {
	struct span ips; /* u64s in the file's byte order */
	size_t at, nr;   /* entry to look at next, entries */
	int mode;
	bool swap;
};

/* mode: of the addresses before the first marker. */
static inline struct chain_entries chain_entries_of(struct span ips, bool swap, int mode)
{
	return (struct chain_entries){ .ips = ips, .nr = ips.n / 8, .mode = mode, .swap = swap };
}

/*
 * The next address: 1 with *ret and it->mode, 0 at the end, -1 at an unknown marker: stock perf
 * drops such a chain whole.
 */
static inline int chain_entry_next(struct chain_entries *it, u64 *ret)
{
	while (it->at < it->nr) {
		u64 ip = span_u64(it->ips, it->at++, it->swap);

		if (ip < PD_CONTEXT_MAX) {
			*ret = ip;
			return 1;
		}
		it->mode = chain_marker_cpumode(ip);
		if (it->mode < 0)
			return -1;
	}
	return 0;
}

#endif
