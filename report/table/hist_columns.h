/* SPDX-License-Identifier: MIT */
/*
 * The columns of a report, out of -s, -F and the mode: the keys that rows are told apart and put in
 * order by, and the figures and keys that are printed.
 */
#ifndef REPORT_TABLE_HIST_COLUMNS_H
#define REPORT_TABLE_HIST_COLUMNS_H

#include "report/table/sort_key.h"

enum hist_number {
	HIST_OVERHEAD,
	HIST_SYS,
	HIST_US,
	HIST_GUEST_SYS,
	HIST_GUEST_US,
	HIST_CHILDREN,
	HIST_SAMPLES,
	HIST_PERIOD,
	HIST_WEIGHT1,
	HIST_WEIGHT2,
	HIST_WEIGHT3,
	HIST_NR_NUMBERS
};

struct hist_number_def {
	const char *name, *header;
	int width;
	bool percent;
	bool needs_children;
	u32 columns;
};

extern const struct hist_number_def hist_numbers[HIST_NR_NUMBERS];

/* One column: a number, or a key. */
struct hist_field {
	bool is_key;
	enum hist_number number;
	size_t key;     /* index in hist_layout.keys */
	bool elided;    /* a filter leaves it one value: neither compared nor printed */
	int user_width; /* -w, 0: none */
};

struct hist_layout {
	struct key_inst *keys;
	size_t nr_keys, cap_keys;
	struct hist_field *sort; /* in the order in which they decide */
	size_t nr_sort, cap_sort;
	struct hist_field *out; /* in the order in which they are printed */
	size_t nr_out, cap_out;
	char *sort_text; /* the keys in words, for mem mode's header */
	u32 columns;     /* that counts_run is to tell apart for all this */
	u32 flags;       /* of all keys, KEY_* */
	bool children;   /* Overhead is titled Self */
	struct trace_columns *trace;
};

/* What of the file decides about defaults. */
struct hist_input {
	const struct table_config *cfg;
	const struct perfdata *pd;
	bool children; /* the Children column is wanted and there are chains */
};

/* 0, or PERR_USAGE: an unknown key, or one that does not fit the mode. */
int hist_layout_init(struct hist_layout *l, const struct hist_input *in, struct perr *e) MUST_CHECK;
void hist_layout_fini(struct hist_layout *l);

/* Whether a column is a figure that only some of the samples have, or the sum of what they say. */
bool hist_layout_shows_parts(const struct hist_layout *l);

/* The title of a column; borrowed from the layout. */
const char *hist_field_title(const struct hist_layout *l, const struct hist_field *f);

static inline const struct key_inst *hist_field_key(const struct hist_layout *l,
						    const struct hist_field *f)
{
	return &l->keys[f->key];
}

#endif
