/* SPDX-License-Identifier: MIT */
#include "record/convert/file_queue.h"

#include "base/mem.h"

#define FEW 4096u           /* entries that the map may have too many */
#define NR_MASK 0x7fffffffu /* of a number, what the map has; fewer records are queued */

static struct queued *at(const struct file_queue *f, u64 nr)
{
	return &f->q[nr & (f->cap - 1)];
}

static void grow(struct file_queue *f)
{
	size_t cap = f->cap ? 2 * f->cap : 1024;
	struct queued *q = xcalloc(cap, sizeof(*q));

	for (u64 i = f->first; i < f->end; i++)
		q[i & (cap - 1)] = *at(f, i);
	free(f->q);
	f->q = q;
	f->cap = cap;
}

static void note_waiting(struct file_queue *f, u64 nr)
{
	const struct pd_record *r = &at(f, nr)->rec;

	idmap_put(&f->waiting, (uintptr_t)r->data, r->file_idx, nr & NR_MASK);
	f->nr_put++;
}

/* The map cannot forget single records: it is made again when most of it is of no use. */
static void forget_found(struct file_queue *f)
{
	if (f->nr_put < FEW || f->nr_put / 2 < f->nr_waiting)
		return;
	idmap_clear(&f->waiting);
	f->nr_put = 0;
	for (u64 i = f->first; i < f->end; i++)
		if (at(f, i)->waits)
			note_waiting(f, i);
}

void file_queue_add(struct file_queue *f, const struct pd_record *r, bool waits)
{
	if (f->end - f->first == f->cap)
		grow(f);
	*at(f, f->end) = (struct queued){ .rec = *r, .waits = waits };
	pd_block_get(r->block);
	if (waits) {
		f->nr_waiting++;
		forget_found(f);
		note_waiting(f, f->end);
	}
	f->end++;
}

static void know(struct file_queue *f, struct queued *q, struct span bytes)
{
	q->waits = false;
	q->bytes = xmalloc(bytes.n + 1);
	memcpy(q->bytes, bytes.p ? bytes.p : q->bytes, bytes.n);
	q->nr_bytes = (u32)bytes.n;
	pd_block_put(q->rec.block);
	q->rec.block = NULL;
	f->nr_waiting--;
}

void file_queue_replace(struct file_queue *f, const struct pd_record *r, struct span bytes)
{
	u32 nr = idmap_get(&f->waiting, (uintptr_t)r->data, r->file_idx);
	u32 ahead = (nr - (u32)f->first) & NR_MASK;
	struct queued *q =
		nr != IDMAP_NONE && ahead < f->end - f->first ? at(f, f->first + ahead) : NULL;

	if (!q || !q->waits)
		BUG();
	know(f, q, bytes);
}

size_t file_queue_give_up(struct file_queue *f)
{
	size_t nr = f->nr_waiting;

	for (u64 i = f->first; i < f->end; i++)
		if (at(f, i)->waits)
			know(f, at(f, i), span_of(NULL, 0));
	return nr;
}

bool file_queue_take(struct file_queue *f, struct wbuf *b, size_t most)
{
	u64 first = f->first;

	while (f->first < f->end && !at(f, f->first)->waits && b->n < most) {
		struct queued *q = at(f, f->first++);

		wb_mem(b, q->bytes ? q->bytes : q->rec.data, q->bytes ? q->nr_bytes : q->rec.size);
		free(q->bytes);
		pd_block_put(q->rec.block);
	}
	return f->first > first;
}

void file_queue_fini(struct file_queue *f)
{
	for (u64 i = f->first; i < f->end; i++) {
		free(at(f, i)->bytes);
		pd_block_put(at(f, i)->rec.block);
	}
	free(f->q);
	idmap_fini(&f->waiting);
	*f = (struct file_queue){ 0 };
}
