/* SPDX-License-Identifier: MIT */
/*
 * Unwinds the jobs of unwind/unwind.h with libunwind's remote unwinder, to check our own unwinder:
 * for
 * `--unwinder=libunwind` and tests. The two share no code except the search for what is mapped.
 *
 * It works for x86_64 and .eh_frame only. For a file without .eh_frame_hdr, libunwind searches a
 * table made from our index. It is slow, because nothing is cached, so that no stack depends on
 * another. libunwind does not check its input, so do not use it for damaged files. last_cfa is
 * always 0, so unwind/join/ cannot extend its stacks.
 */
#ifndef UNWIND_ORACLE_LIBUNWIND_H
#define UNWIND_ORACLE_LIBUNWIND_H

#include "unwind/unwind.h"

struct oracle_libunwind;

/* True if this build includes libunwind. */
bool oracle_libunwind_is_available(void);

/* Makes an unwinder for one thread; NULL in builds without libunwind. The caller frees it. */
struct oracle_libunwind *oracle_libunwind_new(const struct unwinder_config *cfg);
void oracle_libunwind_free(struct oracle_libunwind *o);

/*
 * Unwinds a stack like unwind_stack(). ret->guessed counts the frames that were found without call
 * frame information. ret->end is derived from libunwind's error code. PERR_UNSUPPORTED: the job is
 * of another architecture than x86_64; ret then has the leaf only.
 */
int oracle_libunwind_stack(struct oracle_libunwind *o, const struct unwind_job *job,
			   struct unwind_frames *ret) MUST_CHECK;

#endif
