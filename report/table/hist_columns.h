/* SPDX-License-Identifier: MIT */
/*
 * The columns of a report, derived from -s, -F and the mode: the keys that tell entries apart and
 * sort them, and the keys and figures that are printed.
 */
#ifndef REPORT_TABLE_HIST_COLUMNS_H
#define REPORT_TABLE_HIST_COLUMNS_H

#include "report/table/sort_key.h"

/* The figures that a column can show. HIST_WEIGHT1 to 3 must follow each other. */
enum hist_number {
	HIST_OVERHEAD,
	HIST_LATENCY,
	HIST_SYS,
	HIST_US,
	HIST_GUEST_SYS,
	HIST_GUEST_US,
	HIST_CHILDREN,
	HIST_LATENCY_CHILDREN,
	HIST_SAMPLES,
	HIST_PERIOD,
	HIST_WEIGHT1,
	HIST_WEIGHT2,
	HIST_WEIGHT3,
	HIST_NR_NUMBERS
};

struct hist_number_def {
	const char *name, *header; /* the word of -s and -F; the column's title */
	int width;                 /* least width in characters */
	bool percent;              /* shown as a share of the total */
	bool needs_children;
	u32 columns; /* counted columns that it needs: bits of enum count_column */
};

extern const struct hist_number_def hist_numbers[HIST_NR_NUMBERS];

/* One column of the report: a figure or a key. */
struct hist_field {
	bool is_key;
	enum hist_number number; /* if it is a figure */
	size_t key;              /* if it is a key: index in hist_layout.keys */
	bool elided;             /* a filter leaves it one value: it is not shown, nor sorted by */
	int user_width;          /* of -w, in characters; 0: none */
};

struct hist_layout {
	struct key_inst *keys;
	size_t nr_keys, cap_keys;
	struct hist_field *sort; /* what lines are sorted by, the most important first */
	size_t nr_sort, cap_sort;
	struct hist_field *out; /* what is printed, from left to right */
	size_t nr_out, cap_out;
	char *sort_text; /* the keys in words, for the header of memory mode */
	u32 columns;     /* counted columns that all this needs: bits of enum count_column */
	u32 flags;       /* the KEY_* flags of all keys */
	bool children;   /* the Overhead column is titled Self */
	struct trace_columns *trace;
};

/* What the default columns depend on. Pointers are borrowed during hist_layout_init(). */
struct hist_input {
	const struct table_config *cfg;
	const struct perfdata *pd;
	bool children; /* the Children column is wanted and the file has call chains */
	bool latency;  /* the Latency columns are shown by default */
};

/*
 * Sets up the columns. Returns 0, or PERR_USAGE for a key that is unknown or does not fit the mode;
 * call hist_layout_fini() in either case.
 */
int hist_layout_init(struct hist_layout *l, const struct hist_input *in, struct perr *e) MUST_CHECK;
/*
 * Removes the Latency columns that are there by default; those that -s, -F or --latency choose
 * stay. Rows are still sorted by them.
 */
void hist_layout_hide_latency(struct hist_layout *l, const struct table_config *cfg);
void hist_layout_fini(struct hist_layout *l);

/* True when a column shows a figure by CPU mode or a weight: hist_stat needs all its members. */
bool hist_layout_shows_parts(const struct hist_layout *l);

/* True if the figure is a share of the wall clock time, not of the periods. */
static inline bool hist_number_is_latency(enum hist_number n)
{
	return n == HIST_LATENCY || n == HIST_LATENCY_CHILDREN;
}

/* Returns the title of a column, borrowed from the layout. */
const char *hist_field_title(const struct hist_layout *l, const struct hist_field *f);

/* Returns the key of a column that is a key. */
static inline const struct key_inst *hist_field_key(const struct hist_layout *l,
						    const struct hist_field *f)
{
	return &l->keys[f->key];
}

#endif
