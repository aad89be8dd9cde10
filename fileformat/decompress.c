/* SPDX-License-Identifier: MIT */
/*
 * Expands COMPRESSED and COMPRESSED2 records. All compressed records of a data file contain one
 * zstd frame, which never ends, and a record may begin in one and end in the next (FORMAT.md 2.10).
 * Output is made in pieces of one block, so a small record that expands enormously takes time but
 * no memory. It is refused if it exceeds the limit that mmap_len of feature COMPRESSED sets.
 */
#include "fileformat/perfdata_priv.h"

#include <zstd.h>

#define OUT_CAP ((size_t)1 << 20)

struct pd_zstd {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	u64 in_off; /* file offset of the record being expanded */
	struct pd_block *in_blk;
	bool fed; /* `in` may have more bytes, or the stream more output */
	u64 made, limit;
	struct pd_block *out;
	size_t out_pos, out_len;
};

struct pd_zstd *zstd_new(void)
{
	struct pd_zstd *z = xcalloc(1, sizeof(*z));

	z->stream = ZSTD_createDStream();
	if (!z->stream)
		mem_exhausted(sizeof(*z));
	/* perf's own streams use windows of at most 8 MiB (level 22: 128 MiB) */
	ZSTD_DCtx_setParameter(z->stream, ZSTD_d_windowLogMax, 27);
	return z;
}

void zstd_free(struct pd_zstd *z)
{
	if (!z)
		return;
	ZSTD_freeDStream(z->stream);
	pd_block_put(z->in_blk);
	pd_block_put(z->out);
	free(z);
}

void zstd_feed(struct pd_zstd *z, struct span payload, u64 off, struct pd_block *blk, u64 limit)
{
	pd_block_put(z->in_blk);
	z->in_blk = pd_block_get(blk);
	z->in = (ZSTD_inBuffer){ payload.p, payload.n, 0 };
	z->in_off = off;
	z->fed = true;
	z->made = 0;
	z->limit = limit;
}

static bool whole_record(const struct pd_zstd *z, bool swap, u32 *ret_size)
{
	size_t left = z->out_len - z->out_pos;

	if (left < 8)
		return false;
	*ret_size = get_u16(z->out->bytes + z->out_pos + 6, swap);
	return *ret_size < 8 || *ret_size <= left;
}

size_t zstd_left(const struct pd_zstd *z)
{
	return z ? z->out_len - z->out_pos : 0;
}

struct span zstd_bytes(const struct pd_zstd *z, struct pd_block **ret_block, u64 *ret_off)
{
	*ret_block = z->out;
	*ret_off = z->in_off;
	return z->out ? span_of(z->out->bytes + z->out_pos, z->out_len - z->out_pos)
		      : span_of(NULL, 0);
}

void zstd_consume(struct pd_zstd *z, size_t n)
{
	z->out_pos += n;
}

/* Makes room for at least 64 KiB + 8 bytes of output after the incomplete record. */
static void make_room(struct pd_zstd *z, struct pd_block_pool *pool)
{
	size_t left = z->out_len - z->out_pos;
	struct pd_block *b;

	if (z->out && z->out->cap - z->out_len >= (128u << 10))
		return;
	b = block_new(pool, OUT_CAP);
	if (left)
		memcpy(b->bytes, z->out->bytes + z->out_pos, left);
	pd_block_put(z->out);
	z->out = b;
	z->out_pos = 0;
	z->out_len = left;
}

static int expand(struct pd_zstd *z, struct pd_block_pool *pool, struct perr *e)
{
	ZSTD_outBuffer out;
	size_t before, ret;

	make_room(z, pool);
	out = (ZSTD_outBuffer){ z->out->bytes, z->out->cap, z->out_len };
	before = z->out_len;
	ret = ZSTD_decompressStream(z->stream, &out, &z->in);
	if (ZSTD_isError(ret))
		return perr_at(e, PERR_FORMAT, z->in_off,
			       "a compressed record is damaged: zstd: %s", ZSTD_getErrorName(ret));
	z->out_len = out.pos;
	z->made += out.pos - before;
	if (z->made > z->limit)
		return perr_at(e, PERR_LIMIT, z->in_off,
			       "a compressed record expands to more than the limit of %llu bytes",
			       (unsigned long long)z->limit);
	/* all input taken and the output buffer not full: nothing is left inside the stream */
	if (z->in.pos == z->in.size && out.pos < out.size)
		z->fed = false;
	return 0;
}

int zstd_next(struct pd_zstd *z, struct pd_block_pool *pool, bool swap, struct pd_record *ret,
	      struct perr *e)
{
	u32 size;
	int err;

	while (!whole_record(z, swap, &size)) {
		if (!z->fed)
			return 0;
		err = expand(z, pool, e);
		if (err)
			return err;
	}
	if (size < 8)
		return perr_at(
			e, PERR_FORMAT, z->in_off,
			"record of %u bytes inside a compressed record is smaller than its own "
			"header",
			size);
	*ret = (struct pd_record){
		.type = get_u32(z->out->bytes + z->out_pos, swap),
		.misc = get_u16(z->out->bytes + z->out_pos + 4, swap),
		.size = size,
		.off = z->in_off,
		.data = z->out->bytes + z->out_pos,
		.block = z->out,
		.compressed = true,
	};
	z->out_pos += size;
	return 1;
}
