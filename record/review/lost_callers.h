/* SPDX-License-Identifier: MIT */
/*
 * Reads a recording that was just finished, to find out whether its frame-pointer chains lack
 * callers. The kernel follows frame pointers; where the code on the stack keeps none at that place,
 * its caller is missing from the chain, or the rest of the chain is.
 */
#ifndef RECORD_REVIEW_LOST_CALLERS_H
#define RECORD_REVIEW_LOST_CALLERS_H

#include "base/err.h"
#include "base/types.h"

struct lost_callers {
	u64 stacks;   /* chains with user frames that were looked at */
	u64 lacking;  /* of these, chains that lack at least one caller */
	u64 one_only; /* of these, chains that lack the caller of the leaf, and are whole otherwise
		       */
	char *object; /* name of the object with most of lacking, without its folders; NULL: none */
};

/*
 * Looks at about a thousand chains, evenly spread over the first few megabytes of the recording at
 * `path`, a file or a folder; nr_samples and nr_bytes: how many it has, before compression. Time
 * and memory are bounded. Returns 0 with *ret, which lost_callers_fini() frees, or a negative code
 * if the recording cannot be read.
 */
int lost_callers_find(const char *path, u64 nr_samples, u64 nr_bytes, struct lost_callers *ret,
		      struct perr *e) MUST_CHECK;
void lost_callers_fini(struct lost_callers *c);

#endif
