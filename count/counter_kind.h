/* SPDX-License-Identifier: MIT */
/*
 * What differs between the ways of counting. By address, each ip in a map is a frame, and the ips
 * alone tell equal stacks. By file address, an address of a file is one frame in all processes, so
 * the frames of a stack must have their ids before one can tell. By function
 * (counts_config.by_symbol) they must be named for that, and equal ones in a row are packed into
 * one entry.
 */
#ifndef COUNT_COUNTER_KIND_H
#define COUNT_COUNTER_KIND_H

#include "base/types.h"

struct counter;
struct counter_sample;
struct pending_sample;

struct counter_kind {
	/* Lists the sample's call chain in cs->chain. */
	void (*list_chain)(struct counter *c, struct counter_sample *cs);
	/* The chain is listed: hashes it where that is possible, fetches what comes next. */
	void (*settle_chain)(struct counter *c, struct counter_sample *cs);
	/*
	 * Prefetches the memory that the memory which settle_chain fetched points to. Called once
	 * that has arrived, a few samples before this one is counted. May be NULL.
	 */
	void (*fetch)(const struct counter *c, const struct counter_sample *cs);
	/* Gives frames their ids. NULL: by address, where a row's hash needs no ids. */
	void (*name)(struct counter *c, struct counter_sample *cs);
	/* Readies a chain to which joined callers were added for put_stack. NULL: by function. */
	void (*complete)(struct counter *c, struct counter_sample *cs, u64 *rank);
	/* The id of the sample's stack. rank: of its next new frame. */
	u64 (*put_stack)(struct counter *c, const struct counter_sample *cs, u64 *rank);
	/* Copies the stack of a sample that waits for its callers into p. */
	void (*keep_stack)(struct counter *c, const struct counter_sample *cs,
			   struct pending_sample *p);
};

extern const struct counter_kind count_by_address, count_by_file_address, count_by_function;

#endif
