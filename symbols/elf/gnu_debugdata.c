/* SPDX-License-Identifier: MIT */
#include "symbols/elf/gnu_debugdata.h"

#include <lzma.h>

#include "base/mem.h"

/* xz -9 needs 65 MiB to decompress; symbol tables shrink to a fifth or so, never to a 256th. */
#define MEMORY_LIMIT (80ull << 20)
#define MAX_RATIO 256
#define STEP ((size_t)256 << 10)

int gnu_debugdata_open(const struct object *o, struct object **ret, struct perr *e)
{
	struct span in = object_bytes(o, object_section(o, ".gnu_debugdata"));
	lzma_stream xz = LZMA_STREAM_INIT;
	size_t cap = 0, nr = 0;
	lzma_ret got;
	u8 *buf = NULL;

	if (!in.n)
		return perr_set(e, PERR_NOTFOUND, "%s: it has no .gnu_debugdata section", o->path);
	if (lzma_stream_decoder(&xz, MEMORY_LIMIT, 0) != LZMA_OK)
		return perr_set(e, PERR_UNSUPPORTED, "%s: xz decompression failed to start",
				o->path);
	xz.next_in = in.p;
	xz.avail_in = in.n;
	do {
		vec_reserve(buf, cap, nr + STEP);
		xz.next_out = buf + nr;
		xz.avail_out = cap - nr;
		got = lzma_code(&xz, LZMA_FINISH);
		nr = cap - xz.avail_out;
	} while (got == LZMA_OK && nr / MAX_RATIO <= in.n);
	lzma_end(&xz);
	if (got != LZMA_STREAM_END) {
		free(buf);
		return perr_set(e, got == LZMA_OK ? PERR_LIMIT : PERR_FORMAT,
				"%s: its .gnu_debugdata section is damaged (xz code %d)", o->path,
				(int)got);
	}
	return object_open_take(o->path, buf, nr, ret, e);
}
