/* SPDX-License-Identifier: MIT */
/*
 * Batches of unwound stacks (unwind/join/join.h) on their way into one model. Threads fill them as
 * they come by; whoever ends one that is next in the recording hands it on, with those that wait
 * behind.
 */
#ifndef COUNT_BATCH_ORDER_H
#define COUNT_BATCH_ORDER_H

#include "unwind/join/join.h"

struct batch_order;

/* finds_by_time: as in join_model_new. */
struct batch_order *batch_order_new(bool finds_by_time);
void batch_order_free(struct batch_order *o);

/* The number of the next batch: the order of these calls is that of the recording. */
u32 batch_order_number(struct batch_order *o);

/* An empty batch to fill, and its end. By any thread; each number comes once. */
struct join_batch *batch_order_begin(struct batch_order *o);
void batch_order_end(struct batch_order *o, u32 number, struct join_batch *b);

/* All batches have ended: what they tell. No call but the free may follow. */
struct join_table *batch_order_finish(struct batch_order *o);

/* Bytes that it takes; by any thread. */
size_t batch_order_bytes(struct batch_order *o);

#endif
