/* SPDX-License-Identifier: MIT */
/*
 * BUILD_ID section: build ids of the objects that had samples, {u32 type, u16 misc, u16 size,
 * s32 pid, u8 id[20], u8 id_size, u8[3], filename padded to 8} each (FORMAT.md 1.4). perf before
 * 2.6.35 had {header, u8 id[24], filename}: recognised as stock perf does, by what then seems to be
 * the name of the kernel.
 */
#ifndef FILEFORMAT_FEATURE_BUILD_ID_H
#define FILEFORMAT_FEATURE_BUILD_ID_H

#include "fileformat/feature/feature.h"
#include "fileformat/record.h"

struct pd_build_id_entry {
	s32 pid; /* -1 for the host */
	u16 misc;
	u8 cpumode;                  /* PD_CPUMODE_KERNEL also for modules, _USER, _GUEST_* */
	struct pd_build_id build_id; /* with its real size */
	struct span filename;        /* as mapped, "[kernel.kallsyms]", "[vdso]" */
};

struct pd_build_ids {
	struct cursor c;
	bool old_abi;
};

/* Looks which of the two layouts it is. */
struct pd_build_ids pd_build_ids_open(struct span payload, bool swap);

/*
 * 1 with the next entry, 0 at the end, PERR_FORMAT at an entry that does not fit; the entries
 * before it stay valid.
 */
int pd_build_ids_next(struct pd_build_ids *b, struct pd_build_id_entry *ret,
		      struct perr *e) MUST_CHECK;

#endif
