/* SPDX-License-Identifier: MIT */
/*
 * The header of a regular file, its attrs and ids, and its feature section table (FORMAT.md 1.1 to
 * 1.4, 1.6 to 1.8).
 *
 *   0   magic "PERFILE2" (v1: "PERFFILE")
 *   8   u64 header size: 104, 72 without feature bitmap; 16 = pipe stream
 *   16  u64 attr_size
 *   24  attrs section {off, size}   40  data section   56  event_types section
 *   72  u64[4] feature bitmap
 */
#include "fileformat/event_desc.h"
#include "fileformat/feature/feature.h"
#include "fileformat/feature/feature_unwound.h"
#include "fileformat/perfdata_priv.h"

#define MAGIC2 0x32454c4946524550ull /* "PERFILE2" read as little endian */
#define MAGIC2_SWAPPED 0x50455246494c4532ull
#define MAGIC1 0x454c494646524550ull /* "PERFFILE" */
#define MIN_ZSTD_LIMIT (64ull << 20) /* used if the file does not contain its ring size */

/*
 * Finds the byte order of a v1 file, which has no mark for it: attr_size must be valid in one of
 * the two orders.
 */
static int probe_v1_order(struct perfdata *pd, const u8 *p, size_t n, struct perr *e)
{
	static const u64 sizes[] = { 64, 72, 80, 96, 104 };
	size_t i;
	int swap;

	if (n < 24)
		return perr_at(e, PERR_TRUNCATED, n, "the file ends inside its header");
	for (swap = 0; swap < 2; swap++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			if (get_u64(p + 16, swap) == sizes[i] + 16) {
				pd->swap = swap;
				return 0;
			}
		}
	}
	return perr_at(e, PERR_FORMAT, 16,
		       "damaged PERFFILE header: attr size %llu is impossible in either byte order",
		       (unsigned long long)get_u64(p + 16, false));
}

int header_probe(struct perfdata *pd, const u8 *p, size_t n, struct perr *e)
{
	u64 magic;
	int err;

	if (n < 16)
		return perr_at(e, PERR_TRUNCATED, n,
			       "%zu bytes are too few for a perf.data header (16 at least)", n);
	magic = get_u64(p, false);
	if (magic == MAGIC2 || magic == MAGIC2_SWAPPED) {
		pd->version = 1;
		pd->swap = magic == MAGIC2_SWAPPED;
	} else if (magic == MAGIC1) {
		pd->version = 0;
		err = probe_v1_order(pd, p, n, e);
		if (err)
			return err;
	} else {
		return perr_at(e, PERR_FORMAT, 0, "not a perf.data file (no PERFILE2 magic)");
	}
	pd->header_size = get_u64(p + 8, pd->swap);
	if (pd->header_size != 16 && pd->header_size != 72 && pd->header_size != 104)
		return perr_at(e, PERR_FORMAT, 8,
			       "damaged header: header size %llu is not 16 (pipe), 72 or 104",
			       (unsigned long long)pd->header_size);
	return (int)pd->header_size;
}

/*
 * Reads the bitmap of features. Old writers stored it as unsigned long[], so a file of the other
 * byte order has words of 64 or 32 bits. Every writer sets HOSTNAME: the word size is the one for
 * which that bit is set. If it is for neither, only BUILD_ID is assumed.
 */
static void read_bitmap(struct perfdata *pd, const u8 *p)
{
	int i;

	for (i = 0; i < 4; i++)
		pd->features[i] = get_u64(p + 8 * i, pd->swap);
	if (!pd->swap || pd->features[0] & (1ull << PD_FEAT_HOSTNAME))
		return;
	for (i = 0; i < 4; i++)
		pd->features[i] = get_u32(p + 8 * i, true) | (u64)get_u32(p + 8 * i + 4, true)
								     << 32;
	if (pd->features[0] & (1ull << PD_FEAT_HOSTNAME))
		return;
	memset(pd->features, 0, sizeof(pd->features));
	pd->features[0] = 1ull << PD_FEAT_BUILD_ID;
}

static int section_in_file(const struct perfdata *pd, u64 off, u64 size, u64 at, const char *what,
			   struct perr *e)
{
	u64 len = pd->file_size;

	if (off > len || size > len - off)
		return perr_at(e, PERR_FORMAT, at,
			       "%s section [%#llx, +%#llx) lies outside the file of %llu bytes",
			       what, (unsigned long long)off, (unsigned long long)size,
			       (unsigned long long)len);
	return 0;
}

static int read_ids(struct perfdata *pd, struct pd_event *ev, u64 off, u64 size, u64 at,
		    struct perr *e)
{
	const u8 *map = pd->priv->inputs[0].map;
	u64 i;
	int err;

	err = section_in_file(pd, off, size, at, "event ids", e);
	if (err)
		return err;
	for (i = 0; i + 8 <= size; i += 8)
		perfdata_add_id(pd, ev, get_u64(map + off + i, pd->swap));
	return 0;
}

static int read_attrs(struct perfdata *pd, struct perr *e)
{
	const u8 *map = pd->priv->inputs[0].map;
	struct pd_attr attr;
	struct cursor c;
	u64 ids_off, ids_size, at, i, nr;
	int err;

	err = section_in_file(pd, pd->attrs_off, pd->attrs_size, 24, "attrs", e);
	if (err)
		return err;
	if (!pd->attr_size)
		return perr_at(e, PERR_FORMAT, 16, "damaged header: attr size is 0");
	nr = pd->attrs_size / pd->attr_size;
	c = cursor_of(span_of(map + pd->attrs_off, pd->attrs_size), pd->swap);
	for (i = 0; i < nr; i++) {
		at = (u64)(c.p - map);
		err = pd_attr_decode(&c, &attr, e);
		if (err) {
			if (e)
				e->off = (s64)at;
			return err;
		}
		ids_off = cur_u64(&c);
		ids_size = cur_u64(&c);
		if (c.bad)
			return perr_at(e, PERR_TRUNCATED, at,
				       "attr %llu of %llu ends past the attrs section",
				       (unsigned long long)i, (unsigned long long)nr);
		err = read_ids(pd, perfdata_add_event(pd, &attr), ids_off, ids_size, at, e);
		if (err)
			return err;
	}
	return 0;
}

/* A file that has the mark of a recorder that runs was never finished. */
static void read_running_mark(struct perfdata *pd, u64 off, u64 size)
{
	const u8 *map = pd->priv->inputs[0].map;

	if (size != PD_RUNNING_MARK_SIZE)
		return;
	pd->unfinished = true;
	/* between two writes of a commit other bytes are in its place: the time is not known */
	if (off <= pd->file_size && size <= pd->file_size - off &&
	    get_u64(map + off, pd->swap) == PD_RUNNING_MARK)
		pd->last_write = get_u64(map + off + 8, pd->swap);
}

/*
 * Reads the table in which very old files name their events: {u64 config, char name[64]} (FORMAT.md
 * 1.8).
 */
static void read_event_types(struct perfdata *pd, u64 off, u64 size)
{
	const u8 *map = pd->priv->inputs[0].map;
	size_t i;

	if (off > pd->file_size || size > pd->file_size - off)
		return;
	for (; size >= 72; off += 72, size -= 72) {
		struct span name = span_of(map + off + 8, 64);

		for (i = 0; i < pd->nr_events; i++) {
			struct pd_event *ev = pd->events[i];

			if (ev->attr.config != get_u64(map + off, pd->swap) || ev->name ||
			    ev->attr.type != PD_TYPE_TRACEPOINT)
				continue;
			ev->name = xstrndup((const char *)name.p, span_strlen(name));
			ev->name_given = true;
		}
	}
}

/*
 * Reads the table of features after the data: one {off, size} for each bit set in the bitmap, in
 * ascending order.
 */
static void read_features(struct perfdata *pd)
{
	const u8 *map = pd->priv->inputs[0].map;
	u64 at = pd->feat_off, off, size;
	unsigned int bit;

	for (bit = 0; bit < PD_NR_FEATURES; bit++) {
		if (!(pd->features[bit / 64] >> (bit % 64) & 1))
			continue;
		if (at > pd->file_size || pd->file_size - at < 16) {
			diag_warn(pd->diag,
				  "%s: the feature section table at offset %#llx is cut off: "
				  "features from bit %u on are not read",
				  pd->path, (unsigned long long)pd->feat_off, bit);
			return;
		}
		off = get_u64(map + at, pd->swap);
		size = get_u64(map + at + 8, pd->swap);
		at += 16;
		if (off > pd->file_size || size > pd->file_size - off) {
			diag_warn(pd->diag,
				  "%s: feature %u's section [%#llx, +%#llx) lies outside the file: "
				  "not read",
				  pd->path, bit, (unsigned long long)off, (unsigned long long)size);
			continue;
		}
		perfdata_set_feature(pd, bit, off, span_of(map + off, size));
	}
}

/* Notes which events prec has unwound. */
static int unwound_apply(struct perfdata *pd, struct span payload, struct perr *e)
{
	struct pd_list l;
	struct pd_unwound u;
	int got = pd_unwound_open(payload, pd->swap, &l, e);

	if (got)
		return got;
	while ((got = pd_unwound_next(&l, &u, e)) == 1) {
		if (u.event >= pd->nr_events)
			return perr_set(e, PERR_FORMAT, "event %u of %zu does not exist", u.event,
					pd->nr_events);
		pd->events[u.event]->is_unwound = true;
		pd->events[u.event]->unwound_copy = u.copy_size;
	}
	return got;
}

static void apply_features(struct perfdata *pd)
{
	const struct pd_feature *f;
	struct perr e;

	f = pd_feature_get(pd, PD_FEAT_EVENT_DESC);
	if (f && event_desc_apply(pd, f->data, &e))
		diag_warn(pd->diag, "%s: EVENT_DESC: %s", pd->path, e.text);
	f = pd_feature_get(pd, PD_FEAT_GROUP_DESC);
	if (f && group_desc_apply(pd, f->data, &e))
		diag_warn(pd->diag, "%s: GROUP_DESC: %s", pd->path, e.text);
	f = pd_feature_get(pd, PD_FEAT_UNWOUND);
	if (f && unwound_apply(pd, f->data, &e))
		diag_warn(pd->diag, "%s: UNWOUND: %s", pd->path, e.text);
}

int header_read_regular(struct perfdata *pd, struct perr *e)
{
	struct pd_input *in = &pd->priv->inputs[0];
	u64 types_off, types_size;
	const u8 *p = in->map;
	int err;

	if (in->file_len < pd->header_size)
		return perr_at(e, PERR_TRUNCATED, in->file_len,
			       "the file ends inside its header of %llu bytes",
			       (unsigned long long)pd->header_size);
	pd->file_size = in->file_len;
	pd->attr_size = get_u64(p + 16, pd->swap);
	pd->attrs_off = get_u64(p + 24, pd->swap);
	pd->attrs_size = get_u64(p + 32, pd->swap);
	pd->data_off = get_u64(p + 40, pd->swap);
	pd->data_size = get_u64(p + 48, pd->swap);
	types_off = get_u64(p + 56, pd->swap);
	types_size = get_u64(p + 64, pd->swap);
	if (pd->header_size >= 104)
		read_bitmap(pd, p + 72);
	err = read_attrs(pd, e);
	if (err)
		return err;
	read_event_types(pd, types_off, types_size);
	read_running_mark(pd, types_off, types_size);
	if (pd->data_off > pd->file_size)
		return perr_at(
			e, PERR_FORMAT, 40,
			"the data section begins at %#llx, past the end of the file of %llu bytes",
			(unsigned long long)pd->data_off, (unsigned long long)pd->file_size);
	in->pos = pd->data_off;
	pd->priv->zstd_limit = MIN_ZSTD_LIMIT;
	if (!pd->data_size) {
		pd->unfinished = pd->no_size = true;
		memset(pd->features, 0, sizeof(pd->features));
		return 0;
	}
	if (pd->data_size > pd->file_size - pd->data_off) {
		pd->truncated = true;
		memset(pd->features, 0, sizeof(pd->features));
		return 0;
	}
	in->end = pd->data_off + pd->data_size;
	pd->feat_off = in->end;
	read_features(pd);
	apply_features(pd);
	return 0;
}
