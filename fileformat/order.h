/* SPDX-License-Identifier: MIT */
/*
 * Records in time order, as stock perf delivers them: a stable sort by time, flushed at
 * FINISHED_ROUND up to the largest time seen before the previous one; untimed records at once, in
 * file order (FORMAT.md 2.11). Memory is bounded by what is recorded between rounds.
 */
#ifndef FILEFORMAT_ORDER_H
#define FILEFORMAT_ORDER_H

#include "fileformat/sample.h"

struct pd_order;

struct pd_order *pd_order_new(struct perfdata *pd);
/* Before the first record: no sorting, every record as it lies in the file. */
void pd_order_keep_file_order(struct pd_order *o);
void pd_order_free(struct pd_order *o);

/*
 * Next record in time order: 1, 0 at the end, negative code on error. After an error the records
 * that were whole before the damage have all been delivered. *ret is valid until the next call.
 */
int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time,
		  struct perr *e) MUST_CHECK;

#endif
