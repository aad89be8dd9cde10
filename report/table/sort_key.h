/* SPDX-License-Identifier: MIT */
/*
 * Sort keys (-s comm,dso,symbol): what tells the entries of a report apart. A key maps a place (a
 * sample, or a caller in its chain) to an id. Places with equal ids for all keys are one entry.
 * Names are compared only when entries are sorted, and read when they are printed.
 */
#ifndef REPORT_TABLE_SORT_KEY_H
#define REPORT_TABLE_SORT_KEY_H

#include "base/nearest_name.h"
#include "base/out.h"
#include "report/table/hist_data.h"

/*
 * The figures of one entry for one event. The members from sys on exist only if a column shows one
 * of them (hist_layout_shows_parts), which is rare: access arrays of these through hist_stat_at().
 */
struct hist_stat {
	u64 period, samples;              /* of samples taken in the entry itself */
	u64 acc_period;                   /* of these and of samples taken in its callees */
	u64 sys, us, guest_sys, guest_us; /* period by CPU mode */
	u64 latency, acc_latency;         /* as period and acc_period, of count_latency() */
	double weights[3];                /* sums over the samples */
};

/* What a key computes its id from: the samples of a row, or one caller in their chain. */
struct key_place {
	const struct count_row *row;
	u32 frame;  /* the sample's own frame, or the caller's */
	u32 parent; /* the frame that the parent regex (-p) matches, + 1; 0: none does */
	bool own;   /* this is the sample's own place, not a caller */
	char level; /* CPU mode, as hist_level() */
};

struct key_inst;
struct trace_column;
struct trace_columns;

/* One cell of a key's column, to be measured or printed. */
struct key_cell {
	const struct key_inst *k;
	u64 id;                        /* the entry's value */
	const struct key_place *place; /* the first place of the entry */
	const struct hist_stat *stat;  /* the entry's figures for the leading event */
	int width; /* width of the column in characters; unset while measuring */
};

/* Properties of a key. Without KEY_TEXT, KEY_ADDR and KEY_DESC ids sort as numbers, low first. */
enum key_flags {
	KEY_FRAME = 1 << 0,     /* depends on the frame of a place and on nothing else */
	KEY_SYMBOL = 1 << 1,    /* the ids are symbol ids: one entry for each symbol */
	KEY_DSO = 1 << 2,       /* tells objects apart */
	KEY_PARENT = 1 << 3,    /* needs key_place.parent */
	KEY_TRACE = 1 << 4,     /* needs the payloads of tracepoints */
	KEY_DESC = 1 << 5,      /* ids are numbers, the highest first */
	KEY_TEXT = 1 << 6,      /* ids are text ids: sorted by strcmp, 0 (no text) last */
	KEY_ADDR = 1 << 7,      /* ids are addresses, see key_addr_order() */
	KEY_TWICE = 1 << 8,     /* perf inserts all entries into its tree twice for this key */
	KEY_UNORDERED = 1 << 9, /* perf's comparison says only whether two values are equal */
	KEY_LINE = 1 << 10,     /* tells source lines apart */
	KEY_LOCAL = 1 << 11,    /* ids number what this recording has; others number it otherwise */
	KEY_CYCLES = 1 << 12,   /* shows hist_data.ipc */
};

/* A sort key. A row of a family's table sets the name, the header, id, and what differs from 0. */
struct sort_key {
	const char *name, *header;    /* the word of -s; the title of the column */
	u32 columns;                  /* counted columns that it needs: bits of enum count_column */
	u32 flags;                    /* bits of enum key_flags */
	int least_width;              /* least width of the column, in characters */
	enum count_column branch_end; /* for keys of one end of a branch: the end's column */
	/* Returns the id of a place. Required. */
	u64 (*id)(struct hist_data *d, const struct key_inst *k, const struct key_place *p);
	/* Compares different ids while perf reads the file; NULL: as the flags say. */
	int (*order)(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
	/* Compares different ids for display; NULL: as while reading. */
	int (*sort)(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
	/* Appends a cell; NULL: the id is a text id, printed left-aligned and cut to the width. */
	void (*print)(struct hist_data *d, struct out *o, const struct key_cell *c);
	/* Returns a cell's width; NULL: least_width, with KEY_TEXT the text's length if longer. */
	int (*width)(struct hist_data *d, const struct key_cell *c);
};

/* A key that a report uses. */
struct key_inst {
	const struct sort_key *key;
	struct trace_column *field; /* for sort_key_trace_field: which field; otherwise NULL */
};

/* The bit of a column in hist_data.columns and sort_key.columns. */
#define COUNT_BIT(c) (1u << (c))

/* Each returns the table of one family of keys; *ret_nr is its length. */
const struct sort_key *sort_keys_common(size_t *ret_nr);
const struct sort_key *sort_keys_place(size_t *ret_nr);
const struct sort_key *sort_keys_memory(size_t *ret_nr);
const struct sort_key *sort_keys_branch(size_t *ret_nr);

/*
 * Finds the key whose name begins with these len characters, in any case. The keys of places are
 * searched first, then the common ones, then those of the mode. Returns NULL if none fits.
 */
const struct sort_key *sort_key_find(const char *name, size_t len, enum table_mode mode);
/* Offers the names of all keys of the mode as corrections of a misspelt one. */
void sort_keys_offer(struct nearest_name *near, enum table_mode mode);

/* Compares ids as perf does while it reads the file: sort_key.order or what the flags say. */
int sort_key_order(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* Compares ids for display: sort_key.sort, or as sort_key_order(). */
int sort_key_sort(const struct hist_data *d, const struct key_inst *k, u64 a, u64 b);
/* Appends a cell of the key's column. */
void sort_key_print(struct hist_data *d, struct out *o, const struct key_cell *c);
/* Returns the width in characters that a cell needs. */
int sort_key_width(struct hist_data *d, const struct key_cell *c);

/* Returns the title of the key's column, borrowed from the key or the tracepoint field. */
const char *sort_key_header(const struct key_inst *k);

/* True if the key's texts are of functions, source lines or trace events: of any length. */
bool sort_key_is_long(const struct sort_key *key);

#endif
