/* SPDX-License-Identifier: MIT */
/* Compressed records: whole, in pieces, damaged. */
#include "tests/fileformat/both_orders.h"

#include <zstd.h>

#include "base/mem.h"
#include "tests/fileformat/use_perfdata.h"
#include "tests/frame/build_file.h"
#include "tests/frame/decode_all.h"
#include "tests/frame/unit.h"

/* `plain` as one endless zstd frame in records of `step` bytes, as perf record -z writes. */
static void put_stream(struct bytes *b, const struct bytes *plain, size_t chunk, size_t step,
		       u32 type)
{
	ZSTD_CStream *z = ZSTD_createCStream();
	size_t cap = ZSTD_compressBound(plain->n) + 4096, at, n;
	u8 *out = xmalloc(cap);

	ZSTD_initCStream(z, 1);
	for (at = 0; at < plain->n; at += n) {
		ZSTD_inBuffer in;
		ZSTD_outBuffer ob = { out, cap, 0 };
		size_t k, len;

		n = plain->n - at < chunk ? plain->n - at : chunk;
		in = (ZSTD_inBuffer){ plain->p + at, n, 0 };
		while (in.pos < in.size)
			ZSTD_compressStream(z, &ob, &in);
		ZSTD_flushStream(z, &ob);
		for (k = 0; k < ob.pos; k += len) {
			len = ob.pos - k < step ? ob.pos - k : step;
			put_compressed(b, type, out + k, len);
		}
		put_round(b);
	}
	ZSTD_freeCStream(z);
	free(out);
}

static void check_compressed(bool big, u32 type, size_t chunk, size_t step)
{
	struct bytes plain = bytes_new(big), b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct sample_parts s = { .id = 101, .pid = 1, .tid = 1 };
	struct perfdata *pd;
	struct decoded d;
	struct perr e = { 0 };
	u64 i, nr = 0;
	struct pd_record r;

	for (i = 0; i < 500; i++) {
		s.time = 1000 + i;
		s.ip = i * 0x12345;
		put_sample(&plain, &a, &s);
	}
	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_stream(&b, &plain, chunk, step, type);
	file_end(&f);

	pd = perfdata_of_bytes(&b, NULL);
	while (pd_next(pd, &r, &e) == 1) {
		if (r.type != PD_RECORD_SAMPLE)
			continue;
		CHECK(r.compressed);
		CHECK_EQ(pd_record_time(pd, &r), 1000 + nr);
		nr++;
	}
	CHECK_EQ(nr, 500);
	CHECK(!pd->truncated);
	pd_close(pd);

	pd = perfdata_of_bytes(&b, NULL);
	CHECK_EQ(decode_all(pd, true, &d, &e), 0);
	CHECK_EQ(d.nr_samples, 500);
	CHECK_EQ(d.nr_bad, 0);
	pd_close(pd);
	bytes_free(&plain);
	bytes_free(&b);
}

BOTH(compressed_records)
{
	static const u32 types[] = { PD_RECORD_COMPRESSED, PD_RECORD_COMPRESSED2 };
	size_t t;

	for (t = 0; t < ARRAY_SIZE(types); t++) {
		check_compressed(big, types[t], 1 << 20, 60000);
		check_compressed(big, types[t], 4096, 60000);
		check_compressed(big, types[t], 1000, 100); /* records straddle the pieces */
		check_compressed(big, types[t], 333, 9);
	}
}

BOTH(compressed_stream_that_is_damaged)
{
	struct bytes b = bytes_new(big);
	struct file_builder f = { .b = &b };
	struct pd_attr a = attr_plain();
	struct perfdata *pd;
	struct pd_record r;
	struct perr e = { 0 };

	file_begin(&f, BUILD_REGULAR);
	file_add_event(&f, &a, ids_a, 1);
	file_begin_data(&f);
	put_comm(&b, 1, 1, "x", &a, NULL);
	put_compressed(&b, PD_RECORD_COMPRESSED, "this is no zstd frame at all", 28);
	file_end(&f);
	pd = perfdata_of_bytes(&b, NULL);
	perfdata_expect_record(pd, PD_RECORD_COMM);
	perfdata_expect_record(pd, PD_RECORD_COMPRESSED);
	CHECK_EQ(pd_next(pd, &r, &e), PERR_FORMAT);
	CHECK_EQ(e.off, b.rec);
	pd_close(pd);
	bytes_free(&b);
}

/* Its u64 data_size must lie in the record: sizes from 8 to 16 and lies. */
BOTH(compressed2_data_size)
{
	size_t body;

	for (body = 0; body < 24; body++) {
		struct bytes b = bytes_new(big);
		struct file_builder f = { .b = &b };
		struct pd_attr a = attr_plain();
		struct perfdata *pd;
		struct pd_record r;
		struct perr e = { 0 };
		int got;

		file_begin(&f, BUILD_REGULAR);
		file_add_event(&f, &a, ids_a, 1);
		file_begin_data(&f);
		record_begin(&b, PD_RECORD_COMPRESSED2, 0);
		put_fill(&b, 0xff, body);
		record_end(&b);
		file_end(&f);
		pd = perfdata_of_bytes(&b, NULL);
		do {
			got = pd_next(pd, &r, &e);
		} while (got == 1);
		CHECK_EQ(got, PERR_FORMAT);
		CHECK_EQ(e.off, b.rec);
		pd_close(pd);
		bytes_free(&b);
	}
}
