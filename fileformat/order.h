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
/*
 * Calls shorten(ctx, ev, record, words) for samples as they are read, in file order, where it is
 * possible without much memory. It writes up to PD_SHORT_WORDS words that say all about the sample
 * that its user wants to know, and returns their number; PD_SHORT_NOT: the sample is delivered as
 * it is; PD_SHORT_LEFT_OUT: it is counted, and not delivered. When its turn comes, a short sample
 * is delivered without its bytes: ret->words points to the words, valid until the next call,
 * ret->ev is set, and ret->off is only near. It takes less time and memory than the sample would.
 * wanted, by pd_event.idx of all events: samples of others are left out, and shorten() is not
 * called; NULL: it is called for all. Call this before pd_order_next().
 */
#define PD_SHORT_WORDS 32
#define PD_SHORT_NOT (-1)
#define PD_SHORT_LEFT_OUT (-2)
typedef int pd_shorten_fn(void *ctx, const struct pd_event *ev, const struct pd_record *r,
			  u64 *words);
void pd_order_shorten(struct pd_order *o, pd_shorten_fn *shorten, void *ctx, const bool *wanted);
void pd_order_free(struct pd_order *o);

/*
 * Reads the next record in time order: returns 1 with *ret and *ret_time (ns of the samples' clock;
 * UINT64_MAX without a time), 0 after the last record, or a negative code. An error is returned
 * after all whole records before the damage have been delivered. *ret is valid until the next call.
 */
int pd_order_next(struct pd_order *o, struct pd_record *ret, u64 *ret_time,
		  struct perr *e) MUST_CHECK;

/* A short sample. */
struct pd_short {
	u64 time; /* ns */
	const u64 *words;
	struct pd_event *ev;
	u32 nr; /* words */
};

/*
 * Takes the short samples that come next, without reading further: returns their number, at most
 * `most`; 0: pd_order_next() goes on. In less time than that takes for each. What they borrow is
 * valid until the next pd_order_next().
 */
size_t pd_order_next_shorts(struct pd_order *o, struct pd_short *ret, size_t most);
/* How many samples were PD_SHORT_LEFT_OUT by now. */
u64 pd_order_left_out(const struct pd_order *o);

#endif
