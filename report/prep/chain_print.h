/* SPDX-License-Identifier: MIT */
/* The text of a call tree, as perf report --stdio writes it below an entry. */
#ifndef REPORT_PREP_CHAIN_PRINT_H
#define REPORT_PREP_CHAIN_PRINT_H

#include "base/out.h"
#include "profile/chain_tree.h"

/*
 * What the text depends on beside the tree. With filters (--comms, ...) and --percentage relative
 * perf takes the total of all samples for the shares and that of the wanted ones for the limit.
 */
struct chain_text {
	u64 total;             /* periods of the event, filtered samples included */
	u64 limit_total;       /* min_percent is of this; relative: of the wanted samples only */
	u64 entry_period;      /* of the entry: with the Children column the accumulated one */
	bool skip_own;         /* the lone root's first frame is left out: chain_skips_own() */
	const char *separator; /* -t, NULL: none; between frames of folded chains */
	bool color;            /* --stdio-color */
};

/*
 * Whether the first frame of a lone root only repeats the entry: -s begins with "sym" and there is
 * no -F. Both are the user's texts, NULL where not given.
 */
bool chain_skips_own(const char *sort_keys, const char *fields);

/*
 * Appends the chains of the entry whose rows the tree holds. Nothing for mode none, an empty tree,
 * and when every node is below the limit; else it ends with an empty line, but for folded.
 */
void chain_print(struct out *o, struct chain_tree *t, const struct chain_text *text);

/* The text of a frame is cut to this many bytes, as perf does. */
#define CHAIN_NAME_MAX 1023

#endif
