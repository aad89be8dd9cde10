/* SPDX-License-Identifier: MIT */
/*
 * libunwind's remote unwinder over the same jobs as unwind/unwind.h: the oracle behind
 * `--unwinder=libunwind`, and of tests. It shares no code with ours beyond finding what is mapped.
 *
 * x86_64 and .eh_frame alone. Where a file has no .eh_frame_hdr, libunwind searches a table that is
 * made of our index. Nothing is cached, so that a stack depends on no other one; slow. It is not
 * made for damaged files. A last frame's CFA is never known (last_cfa 0): no joins.
 */
#ifndef UNWIND_ORACLE_LIBUNWIND_H
#define UNWIND_ORACLE_LIBUNWIND_H

#include "unwind/unwind.h"

struct oracle_libunwind;

/* False in builds without libunwind. */
bool oracle_libunwind_is_available(void);

/* For one thread. NULL in builds without libunwind. */
struct oracle_libunwind *oracle_libunwind_new(const struct unwinder_config *cfg);
void oracle_libunwind_free(struct oracle_libunwind *o);

/*
 * As unwind_stack. ret->guessed counts frames found without call frame information; libunwind's own
 * word for an end is kept where it is one of ours. PERR_UNSUPPORTED of other architectures, with
 * the leaf alone in ret.
 */
int oracle_libunwind_stack(struct oracle_libunwind *o, const struct unwind_job *job,
			   struct unwind_frames *ret) MUST_CHECK;

#endif
