/* SPDX-License-Identifier: MIT */
/*
 * Compressed records. Input: u8 options, u16 bytes per compressed record, then bytes that are
 * either (bit 0 clear) compressed here, so that hostile records come out of a sound stream, or (bit
 * 0 set) given as the stream itself. Bit 1: COMPRESSED2 instead of COMPRESSED.
 */
#include <stdlib.h>
#include <zstd.h>

#include "tests/frame/decode_all.h"

#define HEAD 3
#define INPUT_MAX (256u << 10)
#define ATTR_SIZE 64

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct build {
	u8 *p;
	size_t n;
};

static void add(struct build *b, const void *p, size_t n)
{
	memcpy(b->p + b->n, p, n);
	b->n += n;
}

static void add_u64(struct build *b, u64 v)
{
	add(b, &v, 8);
}

static void add_header(struct build *b, u32 type, u16 size)
{
	u16 misc = 0;

	add(b, &type, 4);
	add(b, &misc, 2);
	add(b, &size, 2);
}

/* A pipe stream with one event in this machine's byte order, up to its records. */
static void add_start(struct build *b)
{
	u32 attr_type = PD_TYPE_SOFTWARE, attr_size = ATTR_SIZE;

	add_u64(b, 0x32454c4946524550ull);
	add_u64(b, 16);
	add_header(b, PD_RECORD_HEADER_ATTR, 8 + ATTR_SIZE + 8);
	add(b, &attr_type, 4);
	add(b, &attr_size, 4);
	add_u64(b, 0);
	add_u64(b, 1);
	add_u64(b, PD_SAMPLE_IP | PD_SAMPLE_TID | PD_SAMPLE_TIME | PD_SAMPLE_CALLCHAIN);
	add_u64(b, 0);
	add_u64(b, 1ull << PD_ATTR_SAMPLE_ID_ALL);
	add_u64(b, 0);
	add_u64(b, 0);
	add_u64(b, 42);
}

static void add_compressed(struct build *b, const u8 *p, size_t n, bool second_kind)
{
	size_t pad = second_kind ? (8 - n % 8) % 8 : 0;

	add_header(b, second_kind ? PD_RECORD_COMPRESSED2 : PD_RECORD_COMPRESSED,
		   (u16)(8 + (second_kind ? 8 : 0) + n + pad));
	if (second_kind)
		add_u64(b, n);
	add(b, p, n);
	memset(b->p + b->n, 0, pad);
	b->n += pad;
}

static void read_file(const struct build *b)
{
	struct perfdata *pd;
	struct decoded d;
	struct perr e;

	if (pd_open_mem(span_of(b->p, b->n), "fuzz", NULL, &pd, &e))
		return;
	if (decode_all(pd, true, &d, &e) > 0)
		BUG();
	pd_close(pd);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	size_t step, n, cap;
	struct build b = { 0 };
	u8 *stream;
	bool raw, second_kind;

	if (size < HEAD || size > INPUT_MAX)
		return 0;
	raw = data[0] & 1;
	second_kind = data[0] & 2;
	step = get_u16(data + 1, false);
	/* not so small that the file is all headers, not so large that a header overflows */
	step = step < 8 ? 8 : step > 60000 ? 60000 : step;
	data += HEAD;
	size -= HEAD;
	cap = ZSTD_compressBound(size);
	stream = malloc(cap + size + 1);
	if (!stream)
		return 0;
	n = size;
	if (raw)
		memcpy(stream, data, size);
	else
		n = ZSTD_compress(stream, cap, data, size, 1);
	if (!ZSTD_isError(n))
		b.p = malloc(256 + n + (n / step + 1) * 24);
	if (b.p) {
		size_t at, len;

		add_start(&b);
		for (at = 0; at < n; at += len) {
			len = n - at < step ? n - at : step;
			add_compressed(&b, stream + at, len, second_kind);
		}
		read_file(&b);
	}
	free(b.p);
	free(stream);
	return 0;
}
