/* SPDX-License-Identifier: MIT */
#include "fileformat/write/writer.h"

#include "fileformat/feature/feature.h"
#include "fileformat/perfdata.h"
#include "fileformat/write/record_encode.h"

#define MAGIC2 0x32454c4946524550ull /* "PERFILE2" read as little endian */
#define HEADER_SIZE 104
#define PIPE_HEADER_SIZE 16
#define SECTION_SIZE 16 /* {u64 off, u64 size} */
/*
 * The least size of an attr in HEADER_ATTR. Stock readers ignore attr.size and copy as many bytes
 * as their own struct has, and those before 6.4 expect the ids after it: with an attr of 64 bytes,
 * perf 6.1 takes ids for branch_sample_type and crashes. perf 5.13 to 6.2 have 128.
 */
#define PIPE_ATTR_MIN 128

static u64 align_8(u64 v)
{
	return (v + 7) & ~(u64)7;
}

static void put_section(struct wbuf *b, u64 off, u64 size)
{
	wb_u64(b, off);
	wb_u64(b, size);
}

void pd_put_header(struct wbuf *b, const struct pd_out_layout *l, u32 attr_size, u64 data_size,
		   const u64 *bits, u64 mark_off)
{
	int i;

	/* the magic is written as a number, so that it shows this machine's byte order */
	wb_u64(b, MAGIC2);
	wb_u64(b, HEADER_SIZE);
	wb_u64(b, (u64)attr_size + SECTION_SIZE);
	put_section(b, l->attrs_off, l->attrs_size);
	put_section(b, l->data_off, data_size);
	/* event_types, unused since Linux 3.10 */
	put_section(b, mark_off, mark_off ? PD_RUNNING_MARK_SIZE : 0);
	for (i = 0; i < 4; i++)
		wb_u64(b, bits[i]);
}

void pd_put_running_mark(struct wbuf *b, u64 wall_ns)
{
	wb_u64(b, PD_RUNNING_MARK);
	wb_u64(b, wall_ns);
}

static void lay_out(const struct pd_head *h, struct pd_out_layout *l)
{
	u64 at = HEADER_SIZE;
	size_t i;

	*l = (struct pd_out_layout){ 0 };
	for (i = 0; i < h->nr_events; i++)
		at += 8 * (u64)h->events[i].nr_ids;
	l->attrs_off = at;
	l->attrs_size = h->nr_events * ((u64)h->attr_size + SECTION_SIZE);
	at = align_8(at + l->attrs_size);
	for (i = 0; i < h->nr_features; i++) {
		const struct pd_feature_out *f = &h->features[i];

		if (f->bit >= ARRAY_SIZE(l->feature_off))
			BUG();
		l->feature_off[f->bit] = at;
		l->feature_size[f->bit] = (u32)f->data.n;
		l->feature_bits[f->bit / 64] |= 1ull << (f->bit % 64);
		at = align_8(at + f->data.n);
	}
	l->data_off = at;
}

/* Appends zeros up to a multiple of 8 bytes from `start`, where the file begins in b. */
static void pad_8(struct wbuf *b, size_t start)
{
	wb_zero(b, -(b->n - start) & 7);
}

void pd_put_head(struct wbuf *b, const struct pd_head *h, struct pd_out_layout *ret)
{
	static const u64 no_features[4];
	u64 ids_off = HEADER_SIZE;
	size_t i, start = b->n;

	lay_out(h, ret);
	pd_put_header(b, ret, h->attr_size, 0, no_features, 0);
	for (i = 0; i < h->nr_events; i++)
		wb_mem(b, h->events[i].ids, 8 * h->events[i].nr_ids);
	for (i = 0; i < h->nr_events; i++) {
		u64 ids_size = 8 * (u64)h->events[i].nr_ids;

		pd_attr_encode(b, &h->events[i].attr, h->attr_size);
		put_section(b, ids_off, ids_size);
		ids_off += ids_size;
	}
	pad_8(b, start);
	for (i = 0; i < h->nr_features; i++) {
		wb_mem(b, h->features[i].data.p, h->features[i].data.n);
		pad_8(b, start);
	}
}

static bool has_bit(const u64 *bits, u32 bit)
{
	return bits[bit / 64] >> (bit % 64) & 1;
}

void pd_put_feature_table(struct wbuf *b, const struct pd_out_layout *l, u64 at,
			  const struct pd_feature_out *late, size_t nr_late, u64 *ret_bits)
{
	const struct pd_feature_out *of_bit[ARRAY_SIZE(l->feature_off)] = { 0 };
	u64 bits[4], table_end = at, off;
	size_t i;
	u32 bit;

	memcpy(bits, l->feature_bits, sizeof(bits));
	for (i = 0; i < nr_late; i++) {
		if (late[i].bit >= ARRAY_SIZE(of_bit))
			BUG();
		of_bit[late[i].bit] = &late[i];
		bits[late[i].bit / 64] |= 1ull << (late[i].bit % 64);
	}
	for (i = 0; i < 4; i++)
		table_end += SECTION_SIZE * (u64)__builtin_popcountll(bits[i]);
	/*
	 * the end of the data need not be a multiple of 8, because compressed records have any
	 * length
	 */
	off = align_8(table_end);
	for (bit = 0; bit < ARRAY_SIZE(of_bit); bit++) {
		if (!has_bit(bits, bit))
			continue;
		if (!of_bit[bit]) {
			put_section(b, l->feature_off[bit], l->feature_size[bit]);
			continue;
		}
		put_section(b, off, of_bit[bit]->data.n);
		off = align_8(off + of_bit[bit]->data.n);
	}
	wb_zero(b, align_8(table_end) - table_end);
	for (bit = 0; bit < ARRAY_SIZE(of_bit); bit++) {
		if (!of_bit[bit])
			continue;
		wb_mem(b, of_bit[bit]->data.p, of_bit[bit]->data.n);
		wb_zero(b, align_8(of_bit[bit]->data.n) - of_bit[bit]->data.n);
	}
	memcpy(ret_bits, bits, sizeof(bits));
}

/*
 * True for features that perf writes to a pipe: those that a reader can use without the rest of a
 * file. TRACING_DATA has its own record, and build-ids are in MMAP2 records.
 */
static bool goes_into_pipe(u32 bit)
{
	/* perf report of older versions fails on a feature that it does not know */
	if (bit > PD_FEAT_CLOCK_DATA)
		return false;
	switch (bit) {
	case PD_FEAT_TRACING_DATA:
	case PD_FEAT_BUILD_ID:
	case PD_FEAT_BRANCH_STACK:
	case PD_FEAT_AUXTRACE:
	case PD_FEAT_STAT:
	case PD_FEAT_CACHE:
	case PD_FEAT_DIR_FORMAT: return false;
	default: return true;
	}
}

void pd_put_pipe_head(struct wbuf *b, const struct pd_head *h)
{
	u32 attr_size = h->attr_size < PIPE_ATTR_MIN ? PIPE_ATTR_MIN : h->attr_size;
	size_t i;

	wb_u64(b, MAGIC2);
	wb_u64(b, PIPE_HEADER_SIZE);
	for (i = 0; i < h->nr_events; i++)
		pd_put_header_attr(b, &h->events[i].attr, attr_size, h->events[i].ids,
				   h->events[i].nr_ids);
	for (i = 0; i < h->nr_features; i++)
		if (goes_into_pipe(h->features[i].bit))
			pd_put_header_feature(b, h->features[i].bit, h->features[i].data);
	for (i = 0; i < h->nr_features; i++)
		if (h->features[i].bit == PD_FEAT_TRACING_DATA)
			pd_put_header_tracing_data(b, h->features[i].data);
	/* perf lock looks up tracepoints by name at each EVENT_UPDATE, and crashes where they have
	 * none yet */
	if (h->nr_events && h->events[0].nr_ids)
		pd_put_stream_mark(b, h->events[0].ids[0], PD_STREAM_BEGINS);
}
