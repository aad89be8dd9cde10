/* SPDX-License-Identifier: MIT */
/*
 * Sort keys: what tells the rows of a report apart. A key gives every place (a sample, or a caller
 * in its chain) an id; equal ids are one row of the report. Names are looked at where rows are put
 * in order and printed only.
 */
#ifndef REPORT_TABLE_SORT_KEY_H
#define REPORT_TABLE_SORT_KEY_H

#include "base/nearest_name.h"
#include "base/out.h"
#include "report/table/hist_data.h"

struct hist_stat {
	u64 period, samples; /* the samples' own */
	u64 acc_period;      /* with those of all callees */
	/* the rest is there where a column shows it: most often it is not */
	u64 sys, us, guest_sys, guest_us;
	double weights[3];
};

/* A sample, or the caller in its chain that an accumulated entry is of. */
struct key_place {
	const struct count_row *row;
	u32 frame;
	u32 parent; /* frame of the parent symbol (-p) + 1, 0: none */
	bool own;   /* the sample's own place, not a caller's */
	char level;
};

struct key_inst;
struct trace_column;
struct trace_columns;

/* A cell to be printed. */
struct key_cell {
	const struct key_inst *k;
	u64 id;
	const struct key_place *place; /* the first of the entry */
	const struct hist_stat *stat;
	int width;
};

enum key_flags {
	KEY_FRAME = 1 << 0,  /* depends on the frame and on nothing else of a place */
	KEY_SYMBOL = 1 << 1, /* gives rows per symbol */
	KEY_DSO = 1 << 2,
	KEY_PARENT = 1 << 3,
	KEY_TRACE = 1 << 4,
	KEY_DESC = 1 << 5,      /* numbers: the highest first */
	KEY_TWICE = 1 << 8,     /* perf puts entries into its tree once more for this key */
	KEY_ADDR = 1 << 7,      /* addresses: by the sign of their difference, as perf does */
	KEY_UNORDERED = 1 << 9, /* perf knows that two values differ, not which comes first */
	KEY_LINE = 1 << 10,     /* source lines */
	KEY_TEXT = 1 << 6,      /* ids are texts: by strcmp, "" at the end */
};

struct sort_key {
	const char *name, *header;
	u32 columns; /* bits of enum count_column */
	u32 flags;
	int least_width;
	enum count_column
		branch_end; /* of keys of one end of a branch: the column with its frame */
	u64 (*id)(struct hist_data *d, const struct key_inst *k, const struct key_place *p);
	/* Order of ids where no flag says it; `sort` is that of the lines, NULL: the same. */
	int (*order)(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
	int (*sort)(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
	/* NULL: a text, left-aligned and cut to the width */
	void (*print)(struct hist_data *d, struct out *o, const struct key_cell *c);
	/* Width that a cell asks for; NULL: least_width, of texts their length. */
	int (*width)(struct hist_data *d, const struct key_cell *c);
};

/* A key in use. */
struct key_inst {
	const struct sort_key *key;
	struct trace_column *field; /* of tracepoint fields */
};

#define COUNT_BIT(c) (1u << (c))

/* Families, by the mode of the report that they belong to. */
const struct sort_key *sort_keys_common(size_t *ret_nr);
const struct sort_key *sort_keys_place(size_t *ret_nr);
const struct sort_key *sort_keys_memory(size_t *ret_nr);
const struct sort_key *sort_keys_branch(size_t *ret_nr);

/*
 * The key of this name, which may be cut short: of the common ones first, then, as the mode allows,
 * of branches or memory. NULL: there is none.
 */
const struct sort_key *sort_key_find(const char *name, size_t len, enum table_mode mode);
/* The names of all keys of the mode. */
void sort_keys_offer(struct nearest_name *near, enum table_mode mode);

int sort_key_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
int sort_key_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
void sort_key_print(struct hist_data *d, struct out *o, const struct key_cell *c);
int sort_key_width(struct hist_data *d, const struct key_cell *c);

/* The column's title. */
const char *sort_key_header(const struct key_inst *k);

#endif
