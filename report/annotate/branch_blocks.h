/* SPDX-License-Identifier: MIT */
/*
 * How often code between two branches ran, by the branch stacks of samples. A block is the code
 * from the target of one branch to the next branch. Where blocks overlap, they are cut into pieces.
 */
#ifndef REPORT_ANNOTATE_BRANCH_BLOCKS_H
#define REPORT_ANNOTATE_BRANCH_BLOCKS_H

#include "base/out.h"
#include "session/sample_sink.h"

struct branch_blocks;

/*
 * Reads the recording of s once, in a pass of its own, and collects the blocks of the samples that
 * pass the filter; symbol: only of samples in functions that a user's word names; NULL: in all.
 * Returns an empty collection for recordings without branch stacks, and for streams, which can be
 * read once only. Damage of the recording ends the collection. branch_blocks_free() frees it.
 */
struct branch_blocks *branch_blocks_new(struct session *s, const struct filter *filter,
					const char *symbol);
void branch_blocks_free(struct branch_blocks *b);

/*
 * Appends perf's comment on the instruction at an address of an object, by the object's recorded
 * name: "\t# +12.50%" if a branch leads here (how many of those that reach the next branch come in
 * here), " -50.00% (p:87.50%)" if it is a branch (how often it was taken, and predicted). Appends
 * nothing for other instructions.
 */
void branch_blocks_comment(struct branch_blocks *b, struct out *o, const char *object, u64 addr);

/*
 * Returns how often the instruction at addr ran, as a share (0 to 1) of that code of its function
 * [start, end) that ran most often; -1 if the recording has no blocks.
 */
double branch_blocks_share(struct branch_blocks *b, const char *object, u64 addr, u64 start,
			   u64 end);

#endif
