/* SPDX-License-Identifier: MIT */
#include "record/ring/ring_merge.h"

#include "base/mem.h"
#include "fileformat/record.h"

#define FULL_SHARE 8u /* part of a ring that is given back at once */

void ring_merge_init(struct ring_merge *m, struct rec_rings *rings, struct ring_times times)
{
	*m = (struct ring_merge){ .rings = rings, .times = times };
	m->cursors = xcalloc(rings->nr + 1, sizeof(*m->cursors));
	m->heap = xcalloc(rings->nr + 1, sizeof(*m->heap));
	for (size_t i = 0; i < rings->nr; i++) {
		u64 tail = rings->rings[i].tail;

		m->cursors[i] = (struct ring_cursor){ tail, tail, tail, 0, tail };
	}
}

void ring_merge_fini(struct ring_merge *m)
{
	free(m->cursors);
	free(m->heap);
	*m = (struct ring_merge){ 0 };
}

/* --- records ---------------------------------------------------------------------------------- */

static u32 type_of(const struct ring_view *v)
{
	return get_u32(v->p, false);
}

static bool is_side_band(u32 type)
{
	switch (type) {
	case PD_RECORD_MMAP:
	case PD_RECORD_MMAP2:
	case PD_RECORD_COMM:
	case PD_RECORD_FORK:
	case PD_RECORD_EXIT: return true;
	default: return false;
	}
}

/* Returns the time of a record; `otherwise` if it has none, or one that is not known to be. */
static u64 time_of(const struct ring_merge *m, const struct ring_view *v, u64 otherwise)
{
	u32 type = type_of(v), at = m->times.sample_at, from_end = m->times.other_from_end;

	if (type == PD_RECORD_SAMPLE)
		return at && v->size >= at + 8 ? ring_view_u64(v, at) : otherwise;
	if (!is_side_band(type) || !from_end || v->size < 8 + from_end)
		return otherwise;
	return ring_view_u64(v, v->size - from_end);
}

static int view_at(const struct rec_ring *r, u64 at, u64 end, struct ring_view *ret, struct perr *e)
{
	if (ring_view_at(r, at, end, ret))
		return 0;
	return perr_set(e, PERR_FORMAT, "a malformed record in a ring with %llu bytes left",
			(unsigned long long)(end - at));
}

/* --- the heap --------------------------------------------------------------------------------- */

static bool is_before(const struct ring_merge *m, size_t a, size_t b)
{
	u64 ta = m->cursors[a].time, tb = m->cursors[b].time;

	return ta != tb ? ta < tb : a < b;
}

static void sift_down(struct ring_merge *m, size_t i)
{
	size_t ring = m->heap[i];

	for (size_t child; (child = 2 * i + 1) < m->nr_heap; i = child) {
		if (child + 1 < m->nr_heap && is_before(m, m->heap[child + 1], m->heap[child]))
			child++;
		if (!is_before(m, m->heap[child], ring))
			break;
		m->heap[i] = m->heap[child];
	}
	m->heap[i] = ring;
}

/* --- a sweep ---------------------------------------------------------------------------------- */

static int note_ring(struct ring_merge *m, size_t i, u64 head,
		     void (*note)(void *ctx, const struct ring_view *v, u64 time), void *ctx,
		     struct perr *e)
{
	const struct rec_ring *r = &m->rings->rings[i];
	struct ring_cursor *c = &m->cursors[i];
	bool has_newer = false;
	struct ring_view v;
	u64 time = 0;

	while (c->noted < head) {
		int err = view_at(r, c->noted, head, &v, e);

		if (err)
			return err;
		time = time_of(m, &v, time);
		if (is_side_band(type_of(&v)))
			note(ctx, &v, time);
		if (c->noted >= c->end && !has_newer && time) {
			has_newer = true;
			m->cut = time < m->cut ? time : m->cut;
		}
		c->noted += v.size;
	}
	return 0;
}

static int start_cursors(struct ring_merge *m, struct perr *e)
{
	m->nr_heap = 0;
	for (size_t i = 0; i < m->rings->nr; i++) {
		struct ring_cursor *c = &m->cursors[i];
		struct ring_view v;

		if (c->at == c->end)
			continue;
		if (view_at(&m->rings->rings[i], c->at, c->end, &v, e))
			return e->code;
		c->time = time_of(m, &v, c->time);
		m->heap[m->nr_heap++] = i;
	}
	for (size_t i = m->nr_heap; i--;)
		sift_down(m, i);
	return 0;
}

int ring_merge_begin(struct ring_merge *m,
		     void (*note)(void *ctx, const struct ring_view *v, u64 time), void *ctx,
		     struct perr *e)
{
	m->cut = UINT64_MAX;
	for (size_t i = 0; i < m->rings->nr; i++)
		m->cursors[i].end = ring_head(&m->rings->rings[i]);
	/*
	 * What a sample depends on was written before it, so it lies below heads that are read
	 * after those of all samples.
	 */
	for (size_t i = 0; i < m->rings->nr; i++) {
		int err = note_ring(m, i, ring_head(&m->rings->rings[i]), note, ctx, e);

		if (err)
			return err;
	}
	return start_cursors(m, e);
}

int ring_merge_next(struct ring_merge *m, struct ring_view *ret, u64 *ret_time, struct perr *e)
{
	size_t i = m->heap[0];
	struct ring_cursor *c = &m->cursors[i];
	const struct rec_ring *r = &m->rings->rings[i];
	struct ring_view next;

	if (!m->nr_heap || c->time > m->cut)
		return 0;
	if (view_at(r, c->at, c->end, ret, e))
		return e->code;
	*ret_time = m->last = c->time;
	m->last_ring = i;
	c->at += ret->size;
	if (c->at == c->end) {
		m->heap[0] = m->heap[--m->nr_heap];
	} else {
		if (view_at(r, c->at, c->end, &next, e))
			return e->code;
		c->time = time_of(m, &next, c->time);
	}
	if (m->nr_heap)
		sift_down(m, 0);
	return 1;
}

bool ring_merge_is_full(const struct ring_merge *m)
{
	for (size_t i = 0; i < m->rings->nr; i++)
		if (m->cursors[i].at - m->cursors[i].consumed >
		    m->rings->rings[i].data_bytes / FULL_SHARE)
			return true;
	return false;
}

void ring_merge_consume(struct ring_merge *m)
{
	for (size_t i = 0; i < m->rings->nr; i++) {
		struct ring_cursor *c = &m->cursors[i];

		if (c->consumed != c->at)
			ring_consume_to(&m->rings->rings[i], c->at);
		c->consumed = c->at;
	}
}

unsigned int ring_merge_load(const struct ring_merge *m)
{
	u64 load = 0;

	for (size_t i = 0; i < m->rings->nr; i++) {
		const struct ring_cursor *c = &m->cursors[i];
		u64 head = ring_head(&m->rings->rings[i]);
		u64 share = (head - c->consumed) * 100 / m->rings->rings[i].data_bytes;

		load = share > load ? share : load;
	}
	return (unsigned int)load;
}
