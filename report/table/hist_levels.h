/* SPDX-License-Identifier: MIT */
/*
 * A histogram as a hierarchy: a level of lines for each sort key. A line is one value of its key
 * below the values of the keys before it, and its figures are the sums of the entries that it
 * stands for. Lines of the last level stand for one entry each.
 */
#ifndef REPORT_TABLE_HIST_LEVELS_H
#define REPORT_TABLE_HIST_LEVELS_H

#include "report/table/hist.h"

struct hist_level_line {
	u32 parent;        /* number of the line above + 1, 0: this is a line of the first level */
	u32 level;         /* from 0 */
	u32 entry;         /* the first entry that the line stands for */
	u32 nr;            /* how many entries of hist_levels_count() it stands for */
	double best_child; /* the largest percentage among the lines below it */
};

struct hist_levels {
	struct hist *h;
	size_t *keys; /* by level: index in h->layout->out */
	size_t nr_levels;
	struct hist_level_line *lines;
	size_t nr, cap;
	u32 *line_of;           /* entry * nr_levels + level -> line */
	struct tuple_table ids; /* {parent, level, id of the key} -> line */
	u8 *stats;              /* by line: the figures of all events, laid out as h->stats */
	size_t cap_stats;
};

/*
 * Makes the lines of the entries in h->lines. Call it after hist_sort(). h is borrowed until
 * hist_levels_fini(). There are no lines when no key is shown.
 */
void hist_levels_init(struct hist_levels *y, struct hist *h);
void hist_levels_fini(struct hist_levels *y);

/*
 * Sums the figures of the lines again, over the entries for which counted is true; NULL: over all.
 * The totals that percentages are of stay as they are.
 */
void hist_levels_count(struct hist_levels *y, const bool *counted);

/* Returns the figures of a line, those of all events after each other. */
static inline struct hist_stat *hist_levels_stats(const struct hist_levels *y, u32 line)
{
	return hist_stat_at(y->h, y->stats, line * y->h->nr_events);
}

/* Returns the line's percentage of the leader's total. */
double hist_levels_percent(const struct hist_levels *y, u32 line);

/*
 * Compares two lines of one level for display: by figures, then by their keys. Returns a negative
 * number when a comes first, and 0 only when a is b.
 */
int hist_levels_compare(const struct hist_levels *y, u32 a, u32 b);

#endif
