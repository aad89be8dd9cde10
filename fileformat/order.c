/* SPDX-License-Identifier: MIT */
#include "fileformat/order.h"

#include "fileformat/perfdata_priv.h"

/* How far ahead of the record that is delivered the bytes of a later one are fetched into the
 * cache, in records of one run. */
#define FETCH_AHEAD 8
/* Bytes of a mapped file that are queued in one go; entries count bytes in 32 bits. */
#define MOST_AT_ONCE ((size_t)1 << 30)
/* A record that waits for its turn. Type, misc and size are read from its header again later. */
struct entry {
	u64 time;
	u32 place;
	u32 at; /* bytes behind the place's start */
};

/* Where records that follow each other lie: in a block, in a mapped file, or, expanded from one
 * COMPRESSED record, in a block. */
struct place {
	struct pd_block *block; /* with a reference; NULL: mapped */
	const u8 *start;
	u64 off; /* of start; with compressed: of all */
	u32 file_idx;
	bool compressed, in_use;
	size_t nr_waiting;
};

/* The entries of a round. */
struct batch {
	struct entry *e;
	size_t nr, cap;
};

/* Entries [next, end) of a batch, in order of time and of the file. */
struct run {
	u32 batch, file_idx;
	size_t next, end;
};

/* A run by the time of its next entry. */
struct head {
	u64 time;
	u32 run;
};

struct pd_order {
	struct perfdata *pd;
	/*
	 * Every ring has its records in order of time, so what waits consists of a few runs, which
	 * are merged when they are due. With FINISHED_ROUND number k, all that was read before
	 * number k-1 becomes due, so that two batches take turns.
	 */
	struct batch batches[2];
	u32 filling;      /* the batch that new entries go to */
	struct run *runs; /* in order of the file */
	size_t nr_runs, cap_runs;
	struct head *heads; /* a heap of runs, the next entry on top; while entries are due */
	size_t nr_heads, cap_heads;
	bool is_due; /* entries up to due_limit are delivered now, none are added */
	u64 due_limit;
	struct place *places;
	size_t nr_places, cap_places;
	u32 *free_places;
	size_t nr_free, cap_free;
	u32 place;       /* of the entry added last; in use as long as it is */
	u64 max_time;    /* largest time queued so far */
	u64 round_limit; /* the next FINISHED_ROUND makes records up to this time due */
	bool ordered;    /* false: file order, see pd_order_new */
	bool ended;
	int err; /* returned after all queued records were delivered */
	struct perr pending;
	void (*on_read)(void *ctx, const struct pd_record *r); /* NULL: no callback */
	void *on_read_ctx;
	struct pd_block *held; /* of the record that was returned last */
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
	for (size_t i = 0; i < o->nr_places; i++)
		if (o->places[i].in_use)
			pd_block_put(o->places[i].block);
	pd_block_put(o->held);
	free(o->batches[0].e);
	free(o->batches[1].e);
	free(o->runs);
	free(o->heads);
	free(o->places);
	free(o->free_places);
	free(o);
}

static void drop_place(struct pd_order *o, u32 i)
{
	o->places[i].in_use = false;
	vec_push(o->free_places, o->nr_free, o->cap_free, i);
}

/* Makes `place` the one that new entries lie in. */
static void enter_place(struct pd_order *o, struct place place)
{
	struct place *last = o->nr_places ? &o->places[o->place] : NULL;

	if (last && last->in_use && !last->nr_waiting) {
		pd_block_put(last->block);
		drop_place(o, o->place);
	}
	place.in_use = true;
	pd_block_get(place.block);
	if (o->nr_free) {
		o->place = o->free_places[--o->nr_free];
		o->places[o->place] = place;
	} else {
		o->place = (u32)o->nr_places;
		vec_push(o->places, o->nr_places, o->cap_places, place);
	}
}

/* Whether a record lies in the place that new entries lie in. */
static bool is_at_place(const struct pd_order *o, const struct pd_record *r)
{
	const struct place *p = o->nr_places ? &o->places[o->place] : NULL;
	u64 at;

	if (!p || !p->in_use || p->block != r->block || p->file_idx != r->file_idx ||
	    p->compressed != r->compressed)
		return false;
	at = (uintptr_t)r->data - (uintptr_t)p->start;
	return at <= UINT32_MAX - MOST_AT_ONCE && r->off - p->off == (p->compressed ? 0 : at);
}

/* Adds an entry that lies in o->place. */
static inline void add_entry(struct pd_order *o, u64 time, const u8 *data)
{
	struct batch *b = &o->batches[o->filling];
	struct run *run = o->nr_runs ? &o->runs[o->nr_runs - 1] : NULL;
	struct place *place = &o->places[o->place];

	if (!run || run->batch != o->filling || run->file_idx != place->file_idx ||
	    b->e[b->nr - 1].time > time)
		vec_push(o->runs, o->nr_runs, o->cap_runs,
			 ((struct run){ o->filling, place->file_idx, b->nr, b->nr }));
	if (time > o->max_time)
		o->max_time = time;
	vec_push(b->e, b->nr, b->cap,
		 ((struct entry){ time, o->place, (u32)(data - place->start) }));
	o->runs[o->nr_runs - 1].end = b->nr;
	place->nr_waiting++;
}

/* The file offset of an entry's record. */
static inline u64 offset_of(const struct pd_order *o, const struct entry *q)
{
	const struct place *p = &o->places[q->place];

	return p->off + (p->compressed ? 0 : q->at);
}

/* The record of an entry. */
static inline const u8 *data_of(const struct pd_order *o, const struct entry *q)
{
	return o->places[q->place].start + q->at;
}

/* Fetches the first bytes of a record into the cache. */
static inline void fetch_record(const u8 *data)
{
	__builtin_prefetch(data);
	__builtin_prefetch(data + 64);
}

/* True if head a comes before head b: by time, and by their places in the file. */
static inline bool is_before(const struct head *a, const struct head *b)
{
	return a->time != b->time ? a->time < b->time : a->run < b->run;
}

/* Moves head i down the heap to where it belongs. */
static inline void sift_down(struct pd_order *o, size_t i)
{
	struct head *h = o->heads, moved = h[i];
	size_t child;

	while ((child = 2 * i + 1) < o->nr_heads) {
		if (child + 1 < o->nr_heads && is_before(&h[child + 1], &h[child]))
			child++;
		if (!is_before(&h[child], &moved))
			break;
		h[i] = h[child];
		i = child;
	}
	h[i] = moved;
}

/* Makes all entries due whose time is at most `limit`. */
static void make_due(struct pd_order *o, u64 limit)
{
	o->due_limit = limit;
	o->is_due = true;
	vec_reserve(o->heads, o->cap_heads, o->nr_runs);
	for (o->nr_heads = 0; o->nr_heads < o->nr_runs; o->nr_heads++) {
		const struct run *run = &o->runs[o->nr_heads];

		o->heads[o->nr_heads] = (struct head){
			.time = o->batches[run->batch].e[run->next].time,
			.run = (u32)o->nr_heads,
		};
	}
	for (size_t i = o->nr_heads / 2; i-- > 0;)
		sift_down(o, i);
}

/* What was due has been delivered: entries can be added again. */
static void end_due(struct pd_order *o)
{
	size_t nr = 0, nr_of[2] = { 0 };

	o->is_due = false;
	for (size_t i = 0; i < o->nr_runs; i++) {
		const struct run *run = &o->runs[i];

		if (run->next == run->end)
			continue;
		nr_of[run->batch]++;
		o->runs[nr++] = *run;
	}
	o->nr_runs = nr;
	for (u32 i = 0; i < 2; i++)
		if (!nr_of[i])
			o->batches[i].nr = 0;
	if (!nr_of[!o->filling])
		o->filling = !o->filling;
}

/* Gives back the pages of the file before the lowest offset that is still queued. */
static void forget_delivered(struct pd_order *o, const struct pd_record *at)
{
	u64 low = at->off;

	for (size_t i = 0; i < o->nr_runs; i++) {
		const struct run *run = &o->runs[i];
		const struct entry *q = &o->batches[run->batch].e[run->next];
		u64 off = offset_of(o, q);

		if (run->file_idx == at->file_idx && off < low)
			low = off;
	}
	pd_forget_before(o->pd, at->file_idx, low);
}

/* As pd_event_of_record(), of a kernel record. */
static inline struct pd_event *event_of(const struct perfdata *pd, const struct pd_record *r)
{
	int pos = pd->priv->id_pos_sample;

	if (r->type != PD_RECORD_SAMPLE || pos < 0 || r->size < 16u + 8u * (u32)pos)
		return pd_event_of_record(pd, r);
	return recent_event(pd, get_u64(r->data + 8 + pos * 8, pd->swap));
}

/* Delivers the next entry that is due, or returns false. */
static inline bool deliver(struct pd_order *o, struct pd_record *ret, u64 *ret_time)
{
	struct head *top = o->heads;
	const struct entry *q;
	bool swap = o->pd->swap;
	struct place *place;
	struct run *run;
	const u8 *data;

	if (!o->nr_heads || top->time > o->due_limit)
		return false;
	run = &o->runs[top->run];
	q = &o->batches[run->batch].e[run->next++];
	if (run->end - run->next >= FETCH_AHEAD)
		fetch_record(data_of(o, &q[FETCH_AHEAD]));
	place = &o->places[q->place];
	data = place->start + q->at;
	*ret = (struct pd_record){
		.type = get_u32(data, swap),
		.misc = get_u16(data + 4, swap),
		.size = get_u16(data + 6, swap),
		.off = offset_of(o, q),
		.file_idx = place->file_idx,
		.data = data,
		.block = place->block,
		.compressed = place->compressed,
	};
	ret->ev = event_of(o->pd, ret);
	*ret_time = q->time;
	if (!--place->nr_waiting && q->place != o->place) {
		o->held = place->block;
		drop_place(o, q->place);
	}
	if (run->next < run->end)
		top->time = q[1].time;
	else
		*top = o->heads[--o->nr_heads];
	sift_down(o, 0);
	return true;
}

static bool is_due_at_once(const struct pd_order *o, const struct pd_record *r, u64 time)
{
	return !o->ordered || r->type >= PD_RECORD_HEADER_ATTR || !time || time == UINT64_MAX;
}

static void queue_record(struct pd_order *o, const struct pd_record *r, u64 time)
{
	if (!is_at_place(o, r))
		enter_place(o, (struct place){ .block = r->block,
					       .start = r->data,
					       .off = r->off,
					       .file_idx = r->file_idx,
					       .compressed = r->compressed });
	add_entry(o, time, r->data);
}

/*
 * Queues the kernel's records at the current place in the file, as far as they lie in memory. Stops
 * at the first one that queue_record() would not take.
 */
static void queue_kernel_records(struct pd_order *o)
{
	struct perfdata *pd = o->pd;
	struct pd_record r = { 0 };
	struct reader_bytes in;
	const u8 *p, *end;
	u64 nr = 0, time, last = pd->last_time;

	reader_peek_bytes(pd, &in);
	r.file_idx = in.file_idx;
	r.block = in.block;
	r.compressed = in.compressed;
	if (in.n > MOST_AT_ONCE)
		in.n = MOST_AT_ONCE;
	for (p = in.p, end = p + in.n; end - p >= 8; p += r.size) {
		r.type = get_u32(p, pd->swap);
		r.size = get_u16(p + 6, pd->swap);
		if (r.type > PD_RECORD_CALLCHAIN_DEFERRED || !r.type || r.size < 8 ||
		    r.size > end - p)
			break;
		if (in.is_mapped)
			reader_fetch_ahead(p, r.size);
		r.data = p;
		r.ev = event_of(pd, &r);
		time = r.ev ? pd_record_time_of(r.ev, &r, pd->swap) : UINT64_MAX;
		if (!time || time == UINT64_MAX)
			break;
		if (!nr++) {
			r.off = in.off;
			if (!is_at_place(o, &r))
				enter_place(o, (struct place){ .block = in.block,
							       .start = p,
							       .off = in.off,
							       .file_idx = in.file_idx,
							       .compressed = in.compressed });
		}
		if (time > last)
			last = time;
		add_entry(o, time, p);
	}
	pd->last_time = last;
	reader_skip(pd, nr, (size_t)(p - in.p));
}

int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time, struct perr *e)
{
	u64 time;
	int got;

	pd_block_put(o->held);
	o->held = NULL;
	for (;;) {
		if (o->is_due) {
			if (deliver(o, ret, ret_time))
				return 1;
			end_due(o);
		}
		if (o->ended) {
			if (o->err && e)
				*e = o->pending;
			return o->err;
		}
		if (o->ordered && !o->on_read)
			queue_kernel_records(o);
		got = pd_next(o->pd, ret, &o->pending);
		if (got <= 0) {
			o->err = got;
			o->ended = true;
			make_due(o, UINT64_MAX);
			continue;
		}
		if (o->on_read)
			o->on_read(o->on_read_ctx, ret);
		if (ret->type == PD_RECORD_FINISHED_ROUND && o->ordered) {
			make_due(o, o->round_limit);
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
