/* SPDX-License-Identifier: MIT */
#include "tests/frame/build_jitdump.h"

#include <string.h>

void jit_header(struct bytes *b, u32 pid, u64 flags)
{
	put_u32(b, 0x4A695444);
	put_u32(b, 1);
	put_u32(b, 40);
	put_u32(b, 62);
	put_u32(b, 0);
	put_u32(b, pid);
	put_u64(b, 77);
	put_u64(b, flags);
}

static size_t begin(struct bytes *b, u32 id, u64 time)
{
	size_t at = b->n;

	put_u32(b, id);
	put_u32(b, 0);
	put_u64(b, time);
	return at;
}

static void end(struct bytes *b, size_t at)
{
	set_u32(b, at + 4, (u32)(b->n - at));
}

static size_t begin_load(struct bytes *b, u64 time, u64 start, u64 size, u64 index,
			 const char *name)
{
	size_t at = begin(b, 0, time);

	put_u32(b, 5);
	put_u32(b, 5);
	put_u64(b, start);
	put_u64(b, start);
	put_u64(b, size);
	put_u64(b, index);
	put_mem(b, name, strlen(name) + 1);
	return at;
}

void jit_load_code(struct bytes *b, u64 time, u64 start, u64 index, const char *name,
		   const u8 *code, size_t n)
{
	size_t at = begin_load(b, time, start, n, index, name);

	put_mem(b, code, n);
	end(b, at);
}

void jit_load(struct bytes *b, u64 time, u64 start, u64 size, u64 index, const char *name, u8 first)
{
	size_t at = begin_load(b, time, start, size, index, name);

	for (u64 i = 0; i < size; i++)
		put_u8(b, (u8)(first + i));
	end(b, at);
}

void jit_move(struct bytes *b, u64 time, u64 from, u64 to, u64 size, u64 index)
{
	size_t at = begin(b, 1, time);

	put_u32(b, 5);
	put_u32(b, 5);
	put_u64(b, to);
	put_u64(b, from);
	put_u64(b, to);
	put_u64(b, size);
	put_u64(b, index);
	end(b, at);
}

void jit_lines(struct bytes *b, u64 start, const struct jit_line *lines, size_t nr)
{
	size_t at = begin(b, 2, 0);

	put_u64(b, start);
	put_u64(b, nr);
	for (size_t i = 0; i < nr; i++) {
		put_u64(b, lines[i].addr);
		put_u32(b, lines[i].line);
		put_u32(b, 0);
		put_mem(b, lines[i].file, strlen(lines[i].file) + 1);
	}
	end(b, at);
}

void jit_unwinding(struct bytes *b, struct span eh_frame, struct span eh_frame_hdr)
{
	size_t at = begin(b, 4, 0);

	put_u64(b, eh_frame.n + eh_frame_hdr.n);
	put_u64(b, eh_frame_hdr.n);
	put_u64(b, 0);
	put_mem(b, eh_frame.p, eh_frame.n);
	put_mem(b, eh_frame_hdr.p, eh_frame_hdr.n);
	end(b, at);
}

void jit_close(struct bytes *b, u64 time)
{
	end(b, begin(b, 3, time));
}
