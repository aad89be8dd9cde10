/* SPDX-License-Identifier: MIT */
#include "symbols/elf/section_expand.h"

#include <elf.h>
#include <libdeflate.h>
#include <string.h>
#include <zstd.h>

/*
 * The largest plausible ratio: DWARF compresses to about a third, tables in small sections to a
 * tenth.
 */
#define MAX_RATIO 128
#define SMALL ((u64)64 << 10) /* up to this expanded size any ratio is accepted */

#define CHDR32_SIZE 12
#define CHDR64_SIZE 24
#define ZDEBUG_SIZE 12

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

struct packed {
	u32 type; /* ELFCOMPRESS_* */
	u64 size; /* expanded size, as the section's header says */
	struct span data;
};

static bool is_zdebug(const struct obj_section *s)
{
	return !strncmp(s->name, ".zdebug", 7);
}

bool section_is_compressed(const struct object *o, const struct obj_section *s)
{
	return object_bytes(o, s).n && ((s->flags & SHF_COMPRESSED) || is_zdebug(s));
}

static int read_header(const struct object *o, const struct obj_section *s, struct packed *ret,
		       struct perr *e)
{
	struct span in = object_bytes(o, s);
	struct cursor c = cursor_of(in, o->swap);

	if (s->flags & SHF_COMPRESSED) {
		ret->type = cur_u32(&c);
		if (o->is_64)
			cur_u32(&c); /* reserved */
		ret->size = o->is_64 ? cur_u64(&c) : cur_u32(&c);
		cur_skip(&c, o->is_64 ? 8 : 4); /* alignment */
	} else {
		struct span magic = cur_bytes(&c, 4), size = cur_bytes(&c, 8);

		if (c.bad || memcmp(magic.p, "ZLIB", 4))
			return perr_set(
				e, PERR_FORMAT,
				"%s: section %s is not compressed, although its name says so",
				o->path, s->name);
		ret->type = ELFCOMPRESS_ZLIB;
		ret->size = 0;
		for (size_t i = 0; i < size.n; i++)
			ret->size = ret->size << 8 | size.p[i];
	}
	if (c.bad)
		return perr_set(e, PERR_FORMAT, "%s: section %s ends within its compression header",
				o->path, s->name);
	ret->data = span_of(c.p, cur_left(&c));
	return 0;
}

int section_expanded_size(const struct object *o, const struct obj_section *s, size_t *ret,
			  struct perr *e)
{
	struct packed p;
	int err;

	if (!section_is_compressed(o, s)) {
		*ret = object_bytes(o, s).n;
		return 0;
	}
	err = read_header(o, s, &p, e);
	if (err)
		return err;
	if (p.type != ELFCOMPRESS_ZLIB && p.type != ELFCOMPRESS_ZSTD)
		return perr_set(e, PERR_UNSUPPORTED,
				"%s: section %s has unknown compression type %u", o->path, s->name,
				p.type);
	if (p.size > SMALL + (u64)p.data.n * MAX_RATIO)
		return perr_set(e, PERR_LIMIT,
				"%s: section %s is damaged: %zu bytes cannot expand to %llu",
				o->path, s->name, p.data.n, (unsigned long long)p.size);
	*ret = (size_t)p.size;
	return 0;
}

/* Uses libdeflate, which is two to three times as fast as zlib for input that is complete. */
static bool expand_zlib(struct span in, u8 *dst, size_t n)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	bool good =
		d && libdeflate_zlib_decompress(d, in.p, in.n, dst, n, NULL) == LIBDEFLATE_SUCCESS;

	libdeflate_free_decompressor(d);
	return good;
}

static bool expand_zstd(struct span in, u8 *dst, size_t n)
{
	size_t got = ZSTD_decompress(dst, n, in.p, in.n);

	return !ZSTD_isError(got) && got == n;
}

int section_expand(const struct object *o, const struct obj_section *s, u8 *dst, size_t n,
		   struct perr *e)
{
	struct packed p;
	int err = read_header(o, s, &p, e);
	bool good;

	if (err)
		return err;
	good = p.type == ELFCOMPRESS_ZSTD ? expand_zstd(p.data, dst, n)
					  : expand_zlib(p.data, dst, n);
	return good ? 0
		    : perr_set(e, PERR_FORMAT,
			       "%s: section %s is damaged: it does not expand to %zu bytes",
			       o->path, s->name, n);
}
