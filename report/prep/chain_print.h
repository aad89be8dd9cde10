/* SPDX-License-Identifier: MIT */
/* The text of a call tree, as perf report --stdio writes it below an entry. */
#ifndef REPORT_PREP_CHAIN_PRINT_H
#define REPORT_PREP_CHAIN_PRINT_H

#include "base/out.h"
#include "profile/chain_tree.h"

/*
 * What the text depends on beside the tree. Periods are in the event's unit. With filters (--comms,
 * ...) and --percentage relative, perf computes shares of the period of all samples, but applies
 * the limit to the period of the samples that the filters let through.
 */
struct chain_text {
	u64 total;             /* period of the event's samples, filtered ones included */
	u64 limit_total;       /* the period that chain_option.min_percent is a share of */
	u64 entry_period;      /* period of the entry, with the Children column including callees */
	bool skip_own;         /* leave out the first frame of a lone root, see chain_skips_own() */
	const char *separator; /* between frames of folded chains (-t); NULL: the default */
	bool color;            /* with terminal colours (--stdio-color) */
	unsigned int columns;  /* of the terminal that lines are fitted to; 0: they are not */
};

/*
 * True when the first frame of a lone root would only repeat the entry above it: -s begins with
 * "sym" and -F is not given. The arguments are those of -s and -F, NULL if not given.
 */
bool chain_skips_own(const char *sort_keys, const char *fields);

/*
 * Appends the call tree t of one entry to o, followed by an empty line (none in folded mode).
 * Appends nothing in mode none, for an empty tree, and when every node is below the limit.
 */
void chain_print(struct out *o, struct chain_tree *t, const struct chain_text *text);

/* perf cuts the text of a frame in a call tree to this many bytes, and so do we. */
#define CHAIN_NAME_MAX 1023

#endif
