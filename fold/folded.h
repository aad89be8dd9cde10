/* SPDX-License-Identifier: MIT */
/*
 * Counted rows as collapsed stacks. Frames get their names here, and stacks whose names are equal
 * become one line: a tree of names, the root of the stacks at its root, that grows with distinct
 * lines only.
 */
#ifndef FOLD_FOLDED_H
#define FOLD_FOLDED_H

#include "fold/fold_names.h"
#include "fold/fold_tree.h"

struct counts;
struct counts_config;
struct session;

enum fold_root { FOLD_ROOT_COMM, FOLD_ROOT_PID, FOLD_ROOT_TID, FOLD_ROOT_NONE };
enum fold_weight { FOLD_WEIGHT_PERIOD, FOLD_WEIGHT_SAMPLES };

struct folded_config {
	struct fold_name_config names;
	enum fold_root root; /* what every line begins with: "comm", "comm-PID", "comm-PID/TID" */
	enum fold_weight weight;
	bool marks; /* stacks that did not reach the start of their thread are under a frame that
		       says why, as far as that is known */
	unsigned int threads; /* 0: one per CPU */
};

/* Sets what folded_add wants of the counts of pd: columns, and what stacks hold. */
void folded_want(const struct folded_config *cfg, const struct perfdata *pd,
		 struct counts_config *counts);

struct folded;

struct folded *folded_new(const struct folded_config *cfg);
void folded_free(struct folded *f);

/* Makes the names of c's frames, which are resolved already; comes before folded_add. */
void folded_name_frames(struct folded *f, const struct counts *c);

/*
 * Adds the rows of the events that are true in `wanted` (by pd_event.idx, c->nr_events of them), to
 * the counts of `side`. Neither c nor s are needed afterwards. A sample without a call chain is a
 * stack of its own place alone.
 */
void folded_add(struct folded *f, const struct session *s, const struct counts *c,
		const bool *wanted, unsigned int side);

/* Weight of everything added to a side. */
u64 folded_total(const struct folded *f, unsigned int side);

/*
 * Calls fn for each line, in the bytewise order of their texts. PERR_FORMAT when the lines do not
 * sum up to what was added: a fault of this program.
 */
int folded_each(struct folded *f, fold_line_fn *fn, void *ctx, struct perr *e) MUST_CHECK;

/* Prints the lines of side 0: "text COUNT". */
int folded_print(struct folded *f, struct out *o, struct perr *e) MUST_CHECK;

#endif
