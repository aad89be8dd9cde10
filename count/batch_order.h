/* SPDX-License-Identifier: MIT */
/*
 * Puts batches of unwound stacks (unwind/join/join.h) into one join model in the order of the
 * recording. Several threads fill batches. A batch that ends before an earlier one is queued; the
 * thread that ends the earlier one adds both.
 */
#ifndef COUNT_BATCH_ORDER_H
#define COUNT_BATCH_ORDER_H

#include "unwind/join/join.h"

struct batch_order;

/* finds_by_time: as in join_model_new. */
struct batch_order *batch_order_new(bool finds_by_time);
void batch_order_free(struct batch_order *o);

/* The number of the next batch. Batches are numbered in the order of the recording, by one thread.
 */
u32 batch_order_number(struct batch_order *o);

/* Begins and ends the batch of a number. Any thread may do so; each number is used once. */
struct join_batch *batch_order_begin(struct batch_order *o);
void batch_order_end(struct batch_order *o, u32 number, struct join_batch *b);

/*
 * The callers that the stacks of all batches give; every batch must have ended. Only
 * batch_order_free() may be called afterwards.
 */
struct join_table *batch_order_finish(struct batch_order *o);

/* Bytes of memory in use. Any thread may call it. */
size_t batch_order_bytes(struct batch_order *o);

#endif
