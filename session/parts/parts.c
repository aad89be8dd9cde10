/* SPDX-License-Identifier: MIT */
#include "session/parts/parts.h"

#include <pthread.h>

#include "base/mem.h"

/* It stays in the cache of a CPU, and takes much longer to scan than to hand over. */
#define PIECE_BYTES ((size_t)256 << 10)
#define PIECE_COPIES \
	16 /* stack copies of a piece at least, of which no more than the head is read */
/* About 1 ms of counting, which is much more than handing a part over costs. */
#define PART_RECORDS 2048
/* Of samples with stack copies: unwinding one takes as long as counting 20 others. */
#define PART_COPIES 128
#define PART_COPY_BYTES ((u64)2 << 20) /* of copies in a part */
/* How far before the thread that reads the others map pages; they read several pieces meanwhile. */
#define FAULT_AHEAD ((u64)4 << 20)

struct parts {
	struct perfdata *pd;
	size_t piece_bytes;

	/* The thread that reads a piece holds `reading`, which comes before `lock`. */
	pthread_mutex_t reading;
	bool all_read;
	u64 nr_pieces;
	struct part_piece *oldest, **newest; /* pieces whose bytes are in use, in file order */
	struct part_piece *spare;            /* to be used again */
	int err;
	struct perr error;

	pthread_mutex_t forgetting; /* held by the thread that gives pages back */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* pieces were put in order */
	pthread_cond_t turned;
	/* under lock: */
	struct part_order *order;
	u64 next_piece; /* to be put in order */
	bool all_ordered;
	struct part *first, **last; /* that nobody has taken */
	u64 turn;                   /* number of the part whose turn it is */
};

bool parts_can(struct perfdata *pd)
{
	return pd->kind != PD_PIPE && pd->nr_events && pd_sample_id_all(pd) &&
	       pd_read_from_memory(pd);
}

/* The size of the largest stack copy, 0: there are none. */
static u64 copy_bytes(const struct perfdata *pd)
{
	u64 most = 0;

	for (size_t i = 0; i < pd->nr_events; i++) {
		const struct pd_attr *a = &pd->events[i]->attr;

		if (a->sample_type & PD_SAMPLE_STACK_USER && a->sample_stack_user > most)
			most = a->sample_stack_user;
	}
	return most;
}

static size_t part_records(u64 copy)
{
	u64 nr = PART_COPIES;

	if (!copy)
		return PART_RECORDS;
	if (nr * copy > PART_COPY_BYTES)
		nr = PART_COPY_BYTES / copy;
	return nr ? (size_t)nr : 1;
}

struct parts *parts_new(struct perfdata *pd)
{
	struct parts *p = xcalloc(1, sizeof(*p));
	u64 copy = copy_bytes(pd);

	p->pd = pd;
	p->piece_bytes = PIECE_BYTES;
	if (copy <= UINT16_MAX && copy * PIECE_COPIES > PIECE_BYTES)
		p->piece_bytes = (size_t)copy * PIECE_COPIES;
	p->newest = &p->oldest;
	p->last = &p->first;
	p->order = part_order_new(part_records(copy));
	pthread_mutex_init(&p->reading, NULL);
	pthread_mutex_init(&p->forgetting, NULL);
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	pthread_cond_init(&p->turned, NULL);
	return p;
}

static void free_pieces(struct part_piece *v)
{
	struct part_piece *next;

	for (; v; v = next) {
		next = v->next;
		part_piece_free(v);
	}
}

void parts_free(struct parts *p)
{
	if (!p)
		return;
	part_order_free(p->order);
	for (struct part_piece *v = p->oldest; v; v = v->next)
		pd_block_put(v->run.block);
	free_pieces(p->oldest);
	free_pieces(p->spare);
	pthread_cond_destroy(&p->turned);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	pthread_mutex_destroy(&p->forgetting);
	pthread_mutex_destroy(&p->reading);
	free(p);
}

/* Takes the oldest pieces that nobody uses any more out of the list; lock is held. */
static struct part_piece *take_unused(struct parts *p)
{
	struct part_piece *v = p->oldest, **end = &v;

	while (*end && !(*end)->refs)
		end = &(*end)->next;
	p->oldest = *end;
	*end = NULL;
	if (!p->oldest)
		p->newest = &p->oldest;
	return v;
}

/* Makes pieces that are not used any more spare ones; `reading` is held. */
static void recycle(struct parts *p)
{
	struct part_piece *v, *next;

	pthread_mutex_lock(&p->lock);
	v = take_unused(p);
	pthread_mutex_unlock(&p->lock);
	for (; v; v = next) {
		next = v->next;
		pd_block_put(v->run.block);
		v->next = p->spare;
		p->spare = v;
	}
}

/* Gives back the file's pages before all pieces in use, unless another thread does so now. */
static void forget_used(struct parts *p)
{
	u64 off = 0;
	u32 file_idx = 0;

	if (pthread_mutex_trylock(&p->forgetting))
		return;
	pthread_mutex_lock(&p->lock);
	if (p->oldest) {
		off = p->oldest->run.off;
		file_idx = p->oldest->run.file_idx;
	}
	pthread_mutex_unlock(&p->lock);
	pd_forget_used(p->pd, file_idx, off);
	pthread_mutex_unlock(&p->forgetting);
}

/* Waits until all pieces before this one have been put in order. */
static void wait_for_earlier(struct parts *p, const struct part_piece *v)
{
	while (p->next_piece != v->number)
		pthread_cond_wait(&p->changed, &p->lock);
}

/* Reads a record that is no part of a run, or the end; `reading` is held. */
static void read_single(struct parts *p, struct part_piece *v)
{
	struct pd_record r;
	int got;

	/* it may describe events, which those who scan look up */
	pthread_mutex_lock(&p->lock);
	wait_for_earlier(p, v);
	pthread_mutex_unlock(&p->lock);
	got = pd_next(p->pd, &r, &p->error);
	if (got == 1) {
		v->run = (struct pd_run){ .p = r.data,
					  .n = r.size,
					  .nr = 1,
					  .off = r.off,
					  .file_idx = r.file_idx,
					  .compressed = r.compressed,
					  .block = pd_block_get(r.block) };
		return;
	}
	v->run = (struct pd_run){ 0 };
	v->is_end = p->all_read = true;
	p->err = got;
}

/* The next piece of the file; NULL: another thread has the last one. */
static struct part_piece *read_piece(struct parts *p)
{
	struct part_piece *v = NULL;

	pthread_mutex_lock(&p->reading);
	if (!p->all_read) {
		v = p->spare;
		if (v)
			p->spare = v->next;
		else
			v = xcalloc(1, sizeof(*v));
		v->next = NULL;
		v->number = p->nr_pieces++;
		v->refs = 1;
		if (!pd_next_run(p->pd, p->piece_bytes, &v->run))
			read_single(p, v);
		recycle(p);
		pthread_mutex_lock(&p->lock);
		*p->newest = v;
		p->newest = &v->next;
		pthread_mutex_unlock(&p->lock);
	}
	pthread_mutex_unlock(&p->reading);
	if (v && !v->run.block)
		pd_fault_in(p->pd, v->run.file_idx, v->run.off + FAULT_AHEAD, v->run.n);
	forget_used(p);
	return v;
}

static void put_in_order(struct parts *p, struct part_piece *v)
{
	wait_for_earlier(p, v);
	*p->last = part_order_add(p->order, v);
	while (*p->last)
		p->last = &(*p->last)->next;
	p->next_piece++;
	if (v->is_end) {
		p->all_ordered = true;
		if (part_order_last_time(p->order) > p->pd->last_time)
			p->pd->last_time = part_order_last_time(p->order);
	}
	pthread_cond_broadcast(&p->changed);
}

struct part *parts_take(struct parts *p, struct part_scanner *s)
{
	struct part_piece *v;
	struct part *part;

	pthread_mutex_lock(&p->lock);
	while (!p->first && !p->all_ordered) {
		pthread_mutex_unlock(&p->lock);
		v = read_piece(p);
		if (v)
			part_scan(s, p->pd, v);
		pthread_mutex_lock(&p->lock);
		if (v)
			put_in_order(p, v);
		else if (!p->first && !p->all_ordered)
			pthread_cond_wait(&p->changed, &p->lock);
	}
	part = p->first;
	if (part) {
		p->first = part->next;
		if (!p->first)
			p->last = &p->first;
	}
	pthread_mutex_unlock(&p->lock);
	if (part)
		part_bring_together(part, s);
	return part;
}

void parts_wait_turn(struct parts *p, const struct part *part)
{
	pthread_mutex_lock(&p->lock);
	while (p->turn != part->number)
		pthread_cond_wait(&p->turned, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void parts_pass_turn(struct parts *p)
{
	pthread_mutex_lock(&p->lock);
	p->turn++;
	pthread_mutex_unlock(&p->lock);
	pthread_cond_broadcast(&p->turned);
}

void parts_done(struct parts *p, struct part *part)
{
	pthread_mutex_lock(&p->lock);
	for (size_t i = 0; i < part->nr_slices; i++)
		part->slices[i].piece->refs--;
	pthread_mutex_unlock(&p->lock);
	part_free(part);
}

int parts_error(const struct parts *p, struct perr *e)
{
	if (p->err && e)
		*e = p->error;
	return p->err;
}
