/* SPDX-License-Identifier: MIT */
#include "fileformat/order.h"

#include "fileformat/order_runs.h"
#include "fileformat/perfdata_priv.h"

/* How far ahead of the record that is delivered the bytes of a later one are fetched into the
 * cache, in records of one run. */
#define FETCH_AHEAD 8
/* Bytes of a mapped file that are queued in one go; entries count bytes in 32 bits. */
#define MOST_AT_ONCE ((size_t)1 << 30)
/* The same where samples become short: their pages come and go in pieces of this size. */
#define MOST_TO_SHORTEN ((size_t)1 << 20)
/* Words of short samples that wait at once; where more wait, samples stay as they are: those of a
 * mapped file take no memory. */
#define MOST_WORDS ((size_t)4 << 20)
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

struct pd_order {
	struct perfdata *pd;
	struct order_runs q; /* what waits */
	struct place *places;
	size_t nr_places, cap_places;
	u32 *free_places;
	size_t nr_free, cap_free;
	u32 place;       /* of the entry added last; in use as long as it is */
	u64 round_limit; /* the next FINISHED_ROUND makes records up to this time due */
	bool ordered;    /* false: file order, see pd_order_new */
	bool ended;
	int err; /* returned after all queued records were delivered */
	struct perr pending;
	void (*on_read)(void *ctx, const struct pd_record *r); /* NULL: no callback */
	void *on_read_ctx;
	pd_shorten_fn *shorten; /* NULL: samples stay as they are */
	void *shorten_ctx;
	const bool *wanted; /* by idx: samples of others are left out; NULL: of none */
	u64 nr_left_out;
	u64 last_off;          /* where records were read last */
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

void pd_order_shorten(struct pd_order *o, pd_shorten_fn *shorten, void *ctx, const bool *wanted)
{
	o->shorten = shorten;
	o->shorten_ctx = ctx;
	o->wanted = wanted;
	/* their bytes are not needed again, so mapped pages go at once, and nothing is copied */
	for (size_t i = 0; i < o->pd->priv->nr_inputs; i++)
		input_read_mapped(&o->pd->priv->inputs[i]);
}

void pd_order_free(struct pd_order *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->nr_places; i++)
		if (o->places[i].in_use)
			pd_block_put(o->places[i].block);
	pd_block_put(o->held);
	order_runs_fini(&o->q);
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

/* Adds an entry whose record lies in o->place. */
static inline void add_record(struct pd_order *o, u64 time, const u8 *data)
{
	struct place *place = &o->places[o->place];

	place->nr_waiting++;
	order_runs_add(&o->q, place->file_idx, time, o->place, (u32)(data - place->start));
}

/* So many samples are not queued; the latest is of this time. */
static inline void leave_out(struct pd_order *o, u64 nr, u64 time)
{
	o->nr_left_out += nr;
	if (time > o->q.max_time)
		o->q.max_time = time;
}

/* Adds a sample as the words that shorten() makes of it. False: it stays as it is. */
static ALWAYS_INLINE bool add_short(struct pd_order *o, u64 time, const struct pd_record *r)
{
	struct order_batch *b = &o->q.batches[o->q.filling];
	int nr;

	if (b->nr_words > MOST_WORDS || r->ev->idx >= SHORT_EVENTS)
		return false;
	vec_reserve(b->words, b->cap_words, b->nr_words + PD_SHORT_WORDS);
	nr = o->shorten(o->shorten_ctx, r->ev, r, b->words + b->nr_words);
	if (nr == PD_SHORT_LEFT_OUT) {
		leave_out(o, 1, time);
		return true;
	}
	if (nr < 0)
		return false;
	order_runs_add(&o->q, r->file_idx, time, SHORT | (u32)nr << SHORT_NR_SHIFT | r->ev->idx,
		       (u32)b->nr_words);
	b->nr_words += (size_t)nr;
	return true;
}

/* The file offset of an entry's record. */
static inline u64 offset_of(const struct pd_order *o, const struct order_entry *q)
{
	const struct place *p = &o->places[q->place];

	return p->off + (p->compressed ? 0 : q->at);
}

/* The record of an entry. */
static inline const u8 *data_of(const struct pd_order *o, const struct order_entry *q)
{
	return o->places[q->place].start + q->at;
}

/* Fetches the first bytes of a record into the cache. */
static inline void fetch_record(const u8 *data)
{
	__builtin_prefetch(data);
	__builtin_prefetch(data + 64);
}

/* Gives back the pages of the file before the lowest offset that is still queued. */
static void forget_delivered(struct pd_order *o, const struct pd_record *at)
{
	u64 low = at->off;

	for (size_t i = 0; i < o->q.nr_runs; i++) {
		const struct order_run *run = &o->q.runs[i];
		const struct order_entry *q = &o->q.batches[run->batch].e[run->next];
		const struct order_entry *last = &o->q.batches[run->batch].e[run->end];
		u64 off;

		/* short samples need no page, and what is behind them is further on */
		for (; q->place & SHORT && q + 1 < last; q++)
			;
		off = q->place & SHORT ? low : offset_of(o, q);
		if (run->file_idx == at->file_idx && off < low)
			low = off;
	}
	pd_forget_before(o->pd, at->file_idx, low);
}

/* Where a SAMPLE has its id, in bytes; UINT32_MAX - 8: nowhere. */
static u32 id_offset(const struct perfdata *pd)
{
	int pos = pd->priv->id_pos_sample;

	return pos < 0 ? UINT32_MAX - 8 : 8u + 8u * (u32)pos;
}

/* As pd_event_of_record(), of a kernel record. */
static ALWAYS_INLINE struct pd_event *event_at(const struct perfdata *pd, const struct pd_record *r,
					       u32 id_off, bool swap)
{
	if (r->type != PD_RECORD_SAMPLE || r->size < id_off + 8)
		return pd_event_of_record(pd, r);
	return recent_event(pd, get_u64(r->data + id_off, swap));
}

static inline struct pd_event *event_of(const struct perfdata *pd, const struct pd_record *r,
					bool swap)
{
	return event_at(pd, r, id_offset(pd), swap);
}

static void deliver_short(const struct pd_order *o, const struct order_batch *b,
			  const struct order_entry *q, struct pd_record *ret)
{
	*ret = (struct pd_record){
		.type = PD_RECORD_SAMPLE,
		.size = order_short_words(q) * 8,
		.off = o->last_off,
		.ev = o->pd->events[order_short_event(q)],
		.words = b->words + q->at,
	};
}

static void deliver_record(struct pd_order *o, const struct order_entry *q, struct pd_record *ret)
{
	struct place *place;
	bool swap = o->pd->swap;
	const u8 *data;

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
	ret->ev = event_of(o->pd, ret, swap);
	if (!--place->nr_waiting && q->place != o->place) {
		o->held = place->block;
		drop_place(o, q->place);
	}
}

/* Delivers the next entry that is due, or returns false. */
static inline bool deliver(struct pd_order *o, struct pd_record *ret, u64 *ret_time)
{
	struct order_turn t;

	if (!order_runs_next(&o->q, &t))
		return false;
	*ret_time = t.entry->time;
	if (t.entry->place & SHORT) {
		deliver_short(o, t.batch, t.entry, ret);
	} else {
		if (t.nr_behind >= FETCH_AHEAD && !(t.entry[FETCH_AHEAD].place & SHORT))
			fetch_record(data_of(o, &t.entry[FETCH_AHEAD]));
		deliver_record(o, t.entry, ret);
	}
	return true;
}

size_t pd_order_next_shorts(struct pd_order *o, struct pd_short *ret, size_t most)
{
	return order_runs_next_shorts(&o->q, o->pd->events, ret, most);
}

u64 pd_order_left_out(const struct pd_order *o)
{
	return o->nr_left_out;
}

static bool is_due_at_once(const struct pd_order *o, const struct pd_record *r, u64 time)
{
	return !o->ordered || r->type >= PD_RECORD_HEADER_ATTR || !time || time == UINT64_MAX;
}

static void queue_record(struct pd_order *o, struct pd_record *r, u64 time)
{
	if (o->shorten && r->type == PD_RECORD_SAMPLE) {
		r->ev = event_of(o->pd, r, o->pd->swap);
		if (r->ev && o->wanted && !o->wanted[r->ev->idx]) {
			leave_out(o, 1, time);
			return;
		}
		if (r->ev && add_short(o, time, r))
			return;
	}
	if (!is_at_place(o, r))
		enter_place(o, (struct place){ .block = r->block,
					       .start = r->data,
					       .off = r->off,
					       .file_idx = r->file_idx,
					       .compressed = r->compressed });
	add_record(o, time, r->data);
}

/* Takes one piece of a mapped file at a time, and drops the pages before it. */
static void turn_pages(struct perfdata *pd, struct reader_bytes *in)
{
	if (in->n > MOST_TO_SHORTEN)
		in->n = MOST_TO_SHORTEN;
	pd_forget_used(pd, in->file_idx, in->off);
}

/* An entry of a record that is no short sample. */
static void add_long(struct pd_order *o, const struct reader_bytes *in, struct pd_record *r,
		     u64 time)
{
	r->off = in->off + (in->compressed ? 0 : (u64)(r->data - in->p));
	if (!is_at_place(o, r))
		enter_place(o, (struct place){ .block = in->block,
					       .start = r->data,
					       .off = r->off,
					       .file_idx = in->file_idx,
					       .compressed = in->compressed });
	add_record(o, time, r->data);
}

/* Queues records of these bytes, and returns how many bytes they take. swap is a constant. */
static ALWAYS_INLINE size_t queue_bytes(struct pd_order *o, const struct reader_bytes *in,
					bool swap, u64 *ret_nr)
{
	struct perfdata *pd = o->pd;
	struct pd_record r = { .file_idx = in->file_idx,
			       .block = in->block,
			       .compressed = in->compressed };
	const u8 *p = in->p, *end = in->p + in->n;
	const bool *wanted = o->shorten ? o->wanted : NULL;
	u64 nr = 0, nr_left_out = 0, time, last = pd->last_time, last_left_out = 0;
	bool shortens = o->shorten, is_mapped = in->is_mapped, is_sample;
	u32 id_off = id_offset(pd);

	for (; end - p >= 8; p += r.size) {
		r.type = get_u32(p, swap);
		r.size = get_u16(p + 6, swap);
		if (r.type - 1 >= PD_RECORD_CALLCHAIN_DEFERRED || r.size < 8 || r.size > end - p)
			break;
		if (is_mapped)
			reader_fetch_ahead(p, r.size);
		r.data = p;
		is_sample = r.type == PD_RECORD_SAMPLE;
		r.ev = event_at(pd, &r, id_off, swap);
		if (!r.ev)
			break;
		/* two calls, so that the compiler knows which place the time has */
		time = is_sample ? pd_record_time_of(r.ev, &r, swap)
				 : pd_record_time_of(r.ev, &r, swap);
		if (time - 1 >= UINT64_MAX - 1)
			break;
		if (time > last)
			last = time;
		nr++;
		if (is_sample && wanted && !wanted[r.ev->idx]) {
			nr_left_out++;
			if (time > last_left_out)
				last_left_out = time;
			continue;
		}
		if (!is_sample || !shortens || !add_short(o, time, &r))
			add_long(o, in, &r, time);
	}
	leave_out(o, nr_left_out, last_left_out);
	pd->last_time = last;
	*ret_nr = nr;
	return (size_t)(p - in->p);
}

/*
 * Queues the kernel's records at the current place in the file, as far as they lie in memory. Stops
 * at the first one that queue_record() would not take.
 */
static void queue_kernel_records(struct pd_order *o)
{
	struct perfdata *pd = o->pd;
	struct reader_bytes in;
	size_t n;
	u64 nr;

	reader_peek_bytes(pd, &in);
	if (in.n > MOST_AT_ONCE)
		in.n = MOST_AT_ONCE;
	if (o->shorten && in.is_mapped)
		turn_pages(pd, &in);
	n = pd->swap ? queue_bytes(o, &in, true, &nr) : queue_bytes(o, &in, false, &nr);
	o->last_off = in.off;
	reader_skip(pd, nr, n);
}

int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time, struct perr *e)
{
	u64 time;
	int got;

	pd_block_put(o->held);
	o->held = NULL;
	for (;;) {
		if (o->q.is_due) {
			if (deliver(o, ret, ret_time))
				return 1;
			order_runs_end_due(&o->q);
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
			order_runs_make_due(&o->q, UINT64_MAX);
			continue;
		}
		if (o->on_read)
			o->on_read(o->on_read_ctx, ret);
		if (ret->type == PD_RECORD_FINISHED_ROUND && o->ordered) {
			order_runs_make_due(&o->q, o->round_limit);
			o->round_limit = o->q.max_time;
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
