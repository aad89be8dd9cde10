/* SPDX-License-Identifier: MIT */
#include "symbols/elf/unpack.h"

#include <lzma.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/mem.h"

/*
 * The most memory that liblzma may allocate: the dictionary of xz's largest preset, -9, takes 64
 * MiB.
 */
#define XZ_MEMORY ((u64)100 << 20)
#define ZSTD_WINDOW_LOG_MAX 27

enum packing { PACKED_NOT, PACKED_GZIP, PACKED_XZ, PACKED_ZSTD };

struct output {
	u8 *p;
	size_t n, cap, limit;
};

static enum packing packing_of(struct span in)
{
	if (in.n >= 18 && !memcmp(in.p, "\x1f\x8b\x08", 3))
		return PACKED_GZIP;
	if (in.n >= 32 && !memcmp(in.p,
				  "\xfd"
				  "7zXZ",
				  6))
		return PACKED_XZ;
	if (in.n >= 6 && !memcmp(in.p, "\x28\xb5\x2f\xfd", 4))
		return PACKED_ZSTD;
	return PACKED_NOT;
}

/*
 * Makes room for more output. Memory grows with the data that was really unpacked, whatever the
 * header says. Returns false at the limit.
 */
static bool make_room(struct output *o)
{
	if (o->n > o->limit)
		return false;
	if (o->n == o->cap)
		vec_reserve(o->p, o->cap, o->cap ? o->cap * 2 : (size_t)256 << 10);
	return true;
}

static int too_large(const struct output *o, struct perr *e)
{
	return perr_set(e, PERR_LIMIT, "it unpacks to more than the limit of %zu bytes", o->limit);
}

static int unpack_gzip(struct span in, struct output *o, struct perr *e)
{
	z_stream z = { 0 };
	int rc = Z_OK, err = 0;

	if (in.n > UINT32_MAX)
		return perr_set(e, PERR_LIMIT, "its gzip data has %zu bytes, which is too much",
				in.n);
	/* 16 selects a gzip header instead of a zlib header. */
	if (inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return perr_set(e, PERR_LIMIT, "zlib failed to start");
	z.next_in = (u8 *)in.p;
	z.avail_in = (unsigned int)in.n;
	while (rc != Z_STREAM_END) {
		size_t room;

		if (!make_room(o)) {
			err = too_large(o, e);
			break;
		}
		room = o->cap - o->n;
		if (room > UINT32_MAX)
			room = UINT32_MAX;
		z.next_out = o->p + o->n;
		z.avail_out = (unsigned int)room;
		rc = inflate(&z, Z_NO_FLUSH);
		o->n += room - z.avail_out;
		if (rc != Z_OK && rc != Z_STREAM_END) {
			err = perr_set(e, PERR_FORMAT, "its gzip data is damaged");
			break;
		}
	}
	inflateEnd(&z);
	return err;
}

static int unpack_xz(struct span in, struct output *o, struct perr *e)
{
	lzma_stream x = LZMA_STREAM_INIT;
	lzma_ret rc = LZMA_OK;
	int err = 0;

	if (lzma_stream_decoder(&x, XZ_MEMORY, LZMA_CONCATENATED) != LZMA_OK)
		return perr_set(e, PERR_LIMIT, "liblzma failed to start");
	x.next_in = in.p;
	x.avail_in = in.n;
	while (rc != LZMA_STREAM_END) {
		size_t room;

		if (!make_room(o)) {
			err = too_large(o, e);
			break;
		}
		room = o->cap - o->n;
		x.next_out = o->p + o->n;
		x.avail_out = room;
		rc = lzma_code(&x, LZMA_FINISH);
		o->n += room - x.avail_out;
		if (rc != LZMA_OK && rc != LZMA_STREAM_END) {
			err = perr_set(e, PERR_FORMAT, "its xz data is damaged");
			break;
		}
	}
	lzma_end(&x);
	return err;
}

static int unpack_zstd(struct span in, struct output *o, struct perr *e)
{
	ZSTD_DCtx *z = ZSTD_createDCtx();
	ZSTD_inBuffer src = { in.p, in.n, 0 };
	size_t rc = 1;
	int err = 0;

	if (!z)
		return perr_set(e, PERR_LIMIT, "zstd failed to start");
	ZSTD_DCtx_setParameter(z, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG_MAX);
	while (src.pos < src.size || rc) {
		ZSTD_outBuffer dst;
		size_t before = src.pos;

		if (!make_room(o)) {
			err = too_large(o, e);
			break;
		}
		dst = (ZSTD_outBuffer){ o->p + o->n, o->cap - o->n, 0 };
		rc = ZSTD_decompressStream(z, &dst, &src);
		o->n += dst.pos;
		if (ZSTD_isError(rc) || (rc && !dst.pos && src.pos == before)) {
			err = perr_set(e, PERR_FORMAT, "its zstd data is damaged");
			break;
		}
	}
	ZSTD_freeDCtx(z);
	return err;
}

int unpack(struct span in, size_t limit, void **ret, size_t *ret_n, struct perr *e)
{
	struct output o = { .limit = limit };
	int err = 0;

	switch (packing_of(in)) {
	case PACKED_GZIP: err = unpack_gzip(in, &o, e); break;
	case PACKED_XZ: err = unpack_xz(in, &o, e); break;
	case PACKED_ZSTD: err = unpack_zstd(in, &o, e); break;
	case PACKED_NOT: err = perr_set(e, PERR_UNSUPPORTED, "it is not compressed"); break;
	}
	if (!err && o.n > limit)
		err = too_large(&o, e);
	if (err) {
		free(o.p);
		return err;
	}
	*ret = o.p;
	*ret_n = o.n;
	return 0;
}
