/* SPDX-License-Identifier: MIT */
/*
 * Delivers the records of a perf.data in time order, as stock perf does: records of equal time keep
 * their file order. A FINISHED_ROUND record releases the records up to the largest time seen before
 * the previous FINISHED_ROUND. Records without a time are delivered at once, in file order
 * (docs/FORMAT.md 2.11). Memory grows with the data recorded between two FINISHED_ROUNDs. Not
 * thread safe.
 */
#ifndef FILEFORMAT_ORDER_H
#define FILEFORMAT_ORDER_H

#include "fileformat/sample.h"

struct pd_order;

/* Returns an order that reads records from pd, which must outlive it. Free it with pd_order_free().
 */
struct pd_order *pd_order_new(struct perfdata *pd);
/* Switches sorting off: every record is delivered in file order. Call it before pd_order_next(). */
void pd_order_keep_file_order(struct pd_order *o);
/*
 * Calls on_read(ctx, record) for each record as it is read, in file order, before it is delivered.
 * Call it before pd_order_next().
 */
void pd_order_on_read(struct pd_order *o, void (*on_read)(void *ctx, const struct pd_record *r),
		      void *ctx);
void pd_order_free(struct pd_order *o);

/*
 * Reads the next record in time order: returns 1 with *ret and *ret_time (ns of the samples' clock;
 * UINT64_MAX without a time), 0 after the last record, or a negative code. An error is returned
 * after all whole records before the damage have been delivered. *ret is valid until the next call.
 */
int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time,
		  struct perr *e) MUST_CHECK;

#endif
