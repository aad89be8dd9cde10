/* SPDX-License-Identifier: MIT */
/*
 * Iterates over a recorded call chain (PERF_SAMPLE_CALLCHAIN), innermost frame first. An entry of
 * PD_CONTEXT_MAX or more is not an address but a marker that gives the CPU mode of the addresses
 * after it. Source: enum perf_callchain_context in the kernel's include/uapi/linux/perf_event.h.
 */
#ifndef FILEFORMAT_CHAIN_ENTRIES_H
#define FILEFORMAT_CHAIN_ENTRIES_H

#include "fileformat/record.h"
#include "fileformat/sample.h"

/* Returns the CPU mode (PD_CPUMODE_*) of the addresses after a marker; -1 for an unknown marker. */
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

/* A position in a call chain. */
struct chain_entries {
	struct span ips; /* u64s in the file's byte order */
	size_t at, nr;   /* the next entry to read, number of entries */
	int mode;        /* PD_CPUMODE_* of the address that was returned last */
	bool swap;       /* the file has the other byte order */
};

/* Starts at the first entry of a chain. mode: PD_CPUMODE_* of addresses before the first marker. */
static inline struct chain_entries chain_entries_of(struct span ips, bool swap, int mode)
{
	return (struct chain_entries){ .ips = ips, .nr = ips.n / 8, .mode = mode, .swap = swap };
}

/*
 * Finds the next address: returns 1 and sets *ret and it->mode, or returns 0 at the end of the
 * chain and -1 at an unknown marker, on which stock perf drops the whole chain.
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
