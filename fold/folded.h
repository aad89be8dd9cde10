/* SPDX-License-Identifier: MIT */
/*
 * Counted rows as collapsed stacks. Frames are named first, and stacks with equal names become one
 * line: the lines are kept in a tree of names, whose size depends on distinct lines only.
 */
#ifndef FOLD_FOLDED_H
#define FOLD_FOLDED_H

#include "fold/fold_names.h"
#include "picture/fold_lines.h"

struct flame;
struct counts;
struct counts_config;
struct session;

enum fold_root { FOLD_ROOT_COMM, FOLD_ROOT_PID, FOLD_ROOT_TID, FOLD_ROOT_NONE, FOLD_ROOT_CGROUP };
enum fold_weight { FOLD_WEIGHT_PERIOD, FOLD_WEIGHT_SAMPLES };

struct folded_config {
	struct fold_name_config names;
	enum fold_root
		root; /* what lines begin with: "comm", "comm-PID", "comm-PID/TID", cgroup path */
	enum fold_weight weight;
	/* A stack that did not reach the start of its thread gets a frame above it that says why.
	 */
	bool marks;
	bool wall;            /* stacks off the CPU end with how the thread waited */
	bool chart;           /* rows are kept by time, for folded_chart() */
	unsigned int threads; /* 0: one per CPU */
};

/* Sets the columns and other members of *counts that folded_add needs, for the recording pd. */
void folded_want(const struct folded_config *cfg, const struct perfdata *pd,
		 struct counts_config *counts);

struct folded;

struct folded *folded_new(const struct folded_config *cfg);
void folded_free(struct folded *f);

/* Makes the names of the frames of c, which must be resolved. To be called before folded_add. */
void folded_name_frames(struct folded *f, const struct counts *c);

/*
 * Adds the rows of c to the weights of `side`. wanted[0..c->nr_events), by pd_event.idx: the events
 * that are added. A sample without a call chain is a stack of its own place. c and s can be freed
 * afterwards.
 */
void folded_add(struct folded *f, const struct session *s, const struct counts *c,
		const bool *wanted, unsigned int side);

/*
 * For lines that come from elsewhere: the tree that holds all lines, and what was added to the
 * weights of a side of it.
 */
struct fold_tree *folded_tree(struct folded *f);
void folded_add_total(struct folded *f, unsigned int side, u64 weight);

/* As fold_chart_draw(), of the rows that folded_add() added; with folded_config.chart only. */
void folded_chart(struct folded *f, struct flame *ret);

/* The weight of all that was added to a side. */
u64 folded_total(const struct folded *f, unsigned int side);

/*
 * Calls fn for each line, sorted by the bytes of the text. PERR_FORMAT when the weights of the
 * lines do not add up to folded_total: a bug in this program.
 */
int folded_each(struct folded *f, fold_line_fn *fn, void *ctx, struct perr *e) MUST_CHECK;

/* Prints each line of side 0 as "text COUNT". Errors: those of folded_each. */
int folded_print(struct folded *f, struct out *o, struct perr *e) MUST_CHECK;

#endif
