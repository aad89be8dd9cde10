/* SPDX-License-Identifier: MIT */
#include "fileformat/order.h"

#include "base/mem.h"

/* A record that waits for its turn. Type, misc and size are read from its header again later. */
struct entry {
	u64 time;
	u64 off;
	const u8 *data;
	struct pd_block *block;
	u32 file_idx;
	bool compressed;
};

struct pd_order {
	struct perfdata *pd;
	/*
	 * Records [head, nr_ready) are sorted and due; [nr_ready, nr) wait for the next flush.
	 * Every ring has its records in order of time, so the waiting part consists of a few
	 * ascending sequences, here called runs.
	 */
	struct entry *q;
	size_t head, nr_ready, nr, cap;
	struct entry *tmp;
	size_t tmp_cap;
	size_t *runs; /* start of each run among the waiting ones */
	size_t nr_runs, cap_runs;
	u64 max_time;    /* largest time queued so far */
	u64 round_limit; /* the next FINISHED_ROUND flushes records up to this time */
	bool ordered;    /* false: file order, see pd_order_new */
	bool ended;
	int err; /* returned after all queued records were delivered */
	struct perr pending;
	void (*on_read)(void *ctx, const struct pd_record *r); /* NULL: no callback */
	void *on_read_ctx;
	struct pd_block *held; /* block of the record that was returned last */
};

struct pd_order *pd_order_new(struct perfdata *pd)
{
	struct pd_order *o = xcalloc(1, sizeof(*o));

	o->pd = pd;
	/* without times in all records, such as MMAP, they cannot be sorted among the samples */
	o->ordered = pd->kind == PD_PIPE || pd_sample_id_all(pd);
	return o;
}

void pd_order_keep_file_order(struct pd_order *o)
{
	o->ordered = false;
}

void pd_order_on_read(struct pd_order *o, void (*on_read)(void *ctx, const struct pd_record *r),
		      void *ctx)
{
	o->on_read = on_read;
	o->on_read_ctx = ctx;
}

void pd_order_free(struct pd_order *o)
{
	if (!o)
		return;
	for (; o->head < o->nr; o->head++)
		pd_block_put(o->q[o->head].block);
	pd_block_put(o->held);
	free(o->q);
	free(o->tmp);
	free(o->runs);
	free(o);
}

static void merge_entries(struct entry *dst, const struct entry *a, size_t na,
			  const struct entry *b, size_t nb)
{
	while (na && nb) {
		if (b->time < a->time) {
			*dst++ = *b++;
			nb--;
		} else {
			*dst++ = *a++;
			na--;
		}
	}
	memcpy(dst, a, na * sizeof(*a));
	memcpy(dst + na, b, nb * sizeof(*b));
}

/*
 * Sorts the waiting entries by time, stably, by merging their runs: cheap, as these are few and
 * long.
 */
static void sort_waiting(struct pd_order *o)
{
	struct entry *q = o->q + o->nr_ready;
	size_t n = o->nr - o->nr_ready, i, out, a, b, end;

	if (o->nr_runs > 1)
		vec_reserve(o->tmp, o->tmp_cap, n);
	while (o->nr_runs > 1) {
		for (i = out = 0; i < o->nr_runs; i += 2) {
			a = o->runs[i];
			b = i + 1 < o->nr_runs ? o->runs[i + 1] : n;
			end = i + 2 < o->nr_runs ? o->runs[i + 2] : n;
			merge_entries(o->tmp + a, q + a, b - a, q + b, end - b);
			o->runs[out++] = a;
		}
		o->nr_runs = out;
		memcpy(q, o->tmp, n * sizeof(*q));
	}
}

/* Makes all entries due whose time is at most `limit`. */
static void flush(struct pd_order *o, u64 limit)
{
	size_t lo, hi, mid;

	if (!o->nr)
		return;
	/* remove entries that were delivered, so that only waiting ones stay in the array */
	memmove(o->q, o->q + o->head, (o->nr - o->head) * sizeof(*o->q));
	o->nr -= o->head;
	o->nr_ready -= o->head;
	o->head = 0;
	sort_waiting(o);
	for (lo = o->nr_ready, hi = o->nr; lo < hi;) {
		mid = lo + (hi - lo) / 2;
		if (o->q[mid].time <= limit)
			lo = mid + 1;
		else
			hi = mid;
	}
	o->nr_ready = lo;
	o->nr_runs = 0;
	if (o->nr_ready < o->nr)
		vec_push(o->runs, o->nr_runs, o->cap_runs, 0);
}

static void queue_record(struct pd_order *o, const struct pd_record *r, u64 time)
{
	if (o->nr_ready == o->nr || o->q[o->nr - 1].time > time)
		vec_push(o->runs, o->nr_runs, o->cap_runs, o->nr - o->nr_ready);
	if (time > o->max_time)
		o->max_time = time;
	vec_push(o->q, o->nr, o->cap,
		 ((struct entry){ .time = time,
				  .off = r->off,
				  .data = r->data,
				  .block = pd_block_get(r->block),
				  .file_idx = r->file_idx,
				  .compressed = r->compressed }));
}

/* Gives back the pages of the file before the lowest offset that is still queued. */
static void forget_delivered(struct pd_order *o, const struct pd_record *at)
{
	u64 low = at->off;
	size_t i;

	for (i = o->head; i < o->nr; i++)
		if (o->q[i].file_idx == at->file_idx && o->q[i].off < low)
			low = o->q[i].off;
	pd_forget_before(o->pd, at->file_idx, low);
}

static void deliver(struct pd_order *o, struct pd_record *ret, u64 *ret_time)
{
	struct entry *q = &o->q[o->head++];
	bool swap = o->pd->swap;

	pd_block_put(o->held);
	o->held = q->block;
	*ret = (struct pd_record){
		.type = get_u32(q->data, swap),
		.misc = get_u16(q->data + 4, swap),
		.size = get_u16(q->data + 6, swap),
		.off = q->off,
		.file_idx = q->file_idx,
		.data = q->data,
		.block = q->block,
		.compressed = q->compressed,
	};
	*ret_time = q->time;
}

static bool is_due_at_once(const struct pd_order *o, const struct pd_record *r, u64 time)
{
	return !o->ordered || r->type >= PD_RECORD_HEADER_ATTR || !time || time == UINT64_MAX;
}

int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time, struct perr *e)
{
	u64 time;
	int got;

	for (;;) {
		if (o->head < o->nr_ready) {
			deliver(o, ret, ret_time);
			return 1;
		}
		if (o->ended) {
			if (o->err && e)
				*e = o->pending;
			return o->err;
		}
		got = pd_next(o->pd, ret, &o->pending);
		if (got <= 0) {
			o->err = got;
			o->ended = true;
			flush(o, UINT64_MAX);
			continue;
		}
		if (o->on_read)
			o->on_read(o->on_read_ctx, ret);
		if (ret->type == PD_RECORD_FINISHED_ROUND && o->ordered) {
			flush(o, o->round_limit);
			o->round_limit = o->max_time;
			forget_delivered(o, ret);
		}
		time = ret->type < PD_RECORD_HEADER_ATTR ? pd_record_time(o->pd, ret) : UINT64_MAX;
		if (time != UINT64_MAX && time > o->pd->last_time)
			o->pd->last_time = time;
		if (is_due_at_once(o, ret, time)) {
			if (!o->ordered)
				pd_forget_before(o->pd, ret->file_idx, ret->off);
			*ret_time = time;
			return 1;
		}
		queue_record(o, ret, time);
	}
}
