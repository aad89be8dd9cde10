/* SPDX-License-Identifier: MIT */
/* Builds jitdump files for tests, from the format's description. */
#ifndef TESTS_FRAME_BUILD_JITDUMP_H
#define TESTS_FRAME_BUILD_JITDUMP_H

#include "tests/frame/build_file.h"

void jit_header(struct bytes *b, u32 pid, u64 flags);
/* `size` bytes of code, counting up from `first` on. */
void jit_load(struct bytes *b, u64 time, u64 start, u64 size, u64 index, const char *name,
	      u8 first);
void jit_load_code(struct bytes *b, u64 time, u64 start, u64 index, const char *name,
		   const u8 *code, size_t n);
void jit_move(struct bytes *b, u64 time, u64 from, u64 to, u64 size, u64 index);

struct jit_line {
	u64 addr;
	u32 line;
	const char *file;
};
void jit_lines(struct bytes *b, u64 start, const struct jit_line *lines, size_t nr);
void jit_unwinding(struct bytes *b, struct span eh_frame, struct span eh_frame_hdr);
void jit_close(struct bytes *b, u64 time);

#endif
