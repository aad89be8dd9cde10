/* SPDX-License-Identifier: MIT */
#include <zstd.h>

#include "base/mem.h"
#include "fileformat/write/compress.h"
#include "fileformat/record.h"
#include "tests/frame/unit.h"

static void check_pack(u64 max_expand, int level, size_t size, bool random)
{
	struct pd_packer *p = pd_packer_new(level, max_expand);
	u8 *in = xmalloc(size);
	struct wbuf out = { 0 };
	u64 x = 88172645463325252ull;
	ZSTD_DStream *d = ZSTD_createDStream();
	u8 *back = xmalloc(size);
	ZSTD_outBuffer o = { back, size, 0 };
	size_t i, at, nr = 0;
	struct perr e;

	for (i = 0; i < size; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		in[i] = random ? (u8)x : (u8)(i / 999);
	}
	CHECK_EQ(pd_pack(p, span_of(in, size), &out, &e), 0);
	for (at = 0; at < out.n; nr++) {
		u16 n = get_u16(out.p + at + 6, false);
		ZSTD_inBuffer payload = { out.p + at + 8, n - 8u, 0 };
		size_t before = o.pos;

		CHECK_EQ(get_u32(out.p + at, false), PD_RECORD_COMPRESSED);
		CHECK(n > 8 && n <= out.n - at);
		CHECK(random || n % 8 == 0);
		/* one call takes all of it: perf's readers give no second chance */
		CHECK(!ZSTD_isError(ZSTD_decompressStream(d, &o, &payload)));
		CHECK_EQ(payload.pos, payload.size);
		CHECK(o.pos - before <= (max_expand < 4096 ? 4096 : max_expand));
		at += n;
	}
	CHECK_EQ(at, out.n);
	CHECK_EQ(o.pos, size);
	CHECK_MEM(back, in, size);
	/* every record expands to at most max_expand, so there are at least so many */
	CHECK(nr >= size / (max_expand < 4096 ? 4096 : max_expand));
	ZSTD_freeDStream(d);
	free(back);
	pd_packer_free(p);
	wb_fini(&out);
	free(in);
}

TEST(compressed_records_keep_to_the_limits)
{
	static const u64 expand[] = { 0, 4096, 65536, 1 << 20 };
	size_t i;

	/* the highest level takes a second to set its tables up */
	check_pack(65536, 22, 200000, false);
	for (i = 0; i < ARRAY_SIZE(expand); i++) {
		check_pack(expand[i], 1, 3000000, false);
		check_pack(expand[i], 1, 1000000, true);
		check_pack(expand[i], -5, 100, false);
		check_pack(expand[i], 9, 200000, false);
	}
}
