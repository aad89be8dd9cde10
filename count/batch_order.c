/* SPDX-License-Identifier: MIT */
#include "count/batch_order.h"

#include <pthread.h>

#include "base/mem.h"

struct queued_batch {
	struct queued_batch *next;
	struct join_batch *batch;
	u32 number;
};

struct batch_order {
	pthread_mutex_t lock;
	struct join_model *model;
	u32 nr;   /* numbers that were given */
	u32 turn; /* the number that the model waits for */
	bool adding;
	struct queued_batch *first; /* by number */
	struct queued_batch *spare; /* with empty batches */
	size_t bytes;               /* of the model, when nobody was adding */
};

struct batch_order *batch_order_new(bool finds_by_time)
{
	struct batch_order *o = xcalloc(1, sizeof(*o));

	pthread_mutex_init(&o->lock, NULL);
	o->model = join_model_new(finds_by_time);
	return o;
}

static void free_list(struct queued_batch *w)
{
	struct queued_batch *next;

	for (; w; w = next) {
		next = w->next;
		join_batch_free(w->batch);
		free(w);
	}
}

void batch_order_free(struct batch_order *o)
{
	if (!o)
		return;
	free_list(o->first);
	free_list(o->spare);
	join_model_free(o->model);
	pthread_mutex_destroy(&o->lock);
	free(o);
}

u32 batch_order_number(struct batch_order *o)
{
	return o->nr++;
}

struct join_batch *batch_order_begin(struct batch_order *o)
{
	struct join_batch *b;
	struct queued_batch *w;

	pthread_mutex_lock(&o->lock);
	w = o->spare;
	if (w)
		o->spare = w->next;
	pthread_mutex_unlock(&o->lock);
	if (!w)
		return join_batch_new();
	b = w->batch;
	free(w);
	return b;
}

static void put_in_order(struct batch_order *o, struct queued_batch *w)
{
	struct queued_batch **at = &o->first;

	while (*at && (*at)->number < w->number)
		at = &(*at)->next;
	w->next = *at;
	*at = w;
}

void batch_order_end(struct batch_order *o, u32 number, struct join_batch *b)
{
	struct queued_batch *w = xmalloc(sizeof(*w));

	*w = (struct queued_batch){ .batch = b, .number = number };
	pthread_mutex_lock(&o->lock);
	put_in_order(o, w);
	/* who adds will see it */
	while (!o->adding && o->first && o->first->number == o->turn) {
		w = o->first;
		o->first = w->next;
		o->adding = true;
		pthread_mutex_unlock(&o->lock);
		join_model_add(o->model, w->batch);
		pthread_mutex_lock(&o->lock);
		o->adding = false;
		o->bytes = join_model_bytes(o->model);
		o->turn++;
		w->next = o->spare;
		o->spare = w;
	}
	pthread_mutex_unlock(&o->lock);
}

struct join_table *batch_order_finish(struct batch_order *o)
{
	struct join_table *t = join_model_finish(o->model);

	o->model = NULL;
	return t;
}

size_t batch_order_bytes(struct batch_order *o)
{
	size_t bytes;

	pthread_mutex_lock(&o->lock);
	bytes = o->bytes;
	pthread_mutex_unlock(&o->lock);
	return bytes;
}
