/* SPDX-License-Identifier: MIT */
/*
 * Decoder of the BUILD_ID section, which lists the build ids of the objects that had samples. An
 * entry is {u32 type, u16 misc, u16 size, s32 pid, u8 id[20], u8 id_size, u8[3], filename padded to
 * 8} (docs/FORMAT.md 1.4). perf before 2.6.35 wrote {u32 type, u16 misc, u16 size, u8 id[24],
 * filename}. The two are distinguished as stock perf does, by the position of the kernel's name.
 */
#ifndef FILEFORMAT_FEATURE_BUILD_ID_H
#define FILEFORMAT_FEATURE_BUILD_ID_H

#include "fileformat/feature/feature.h"
#include "fileformat/record.h"

struct pd_build_id_entry {
	s32 pid; /* -1 for the host */
	u16 misc;
	u8 cpumode;                  /* PD_CPUMODE_*; _KERNEL for the kernel and its modules */
	struct pd_build_id build_id; /* without the padding of shorter ids */
	struct span filename;        /* as in mmap records, "[kernel.kallsyms]" or "[vdso]" */
};

/* A position in a BUILD_ID payload. */
struct pd_build_ids {
	struct cursor c;
	bool old_abi; /* the layout of perf before 2.6.35 */
};

/* Starts at the first entry of a BUILD_ID payload and finds out which of the two layouts it has. */
struct pd_build_ids pd_build_ids_open(struct span payload, bool swap);

/*
 * Returns 1 with the next entry, 0 after the last, PERR_FORMAT if the payload ends inside an entry
 * or an entry's size is impossible.
 */
int pd_build_ids_next(struct pd_build_ids *b, struct pd_build_id_entry *ret,
		      struct perr *e) MUST_CHECK;

#endif
