/* SPDX-License-Identifier: MIT */
/*
 * A histogram: one entry for each distinct combination of the sort keys' values among the samples
 * of an event, or of the events of a group side by side; with children also for every caller in
 * their chains.
 */
#ifndef REPORT_TABLE_HIST_H
#define REPORT_TABLE_HIST_H

#include "profile/chain_tree.h"
#include "report/table/hist_columns.h"

/* Where an entry's chains are: a row, and the frame that the entry is of. */
struct hist_use {
	u32 row;
	u32 pos; /* in the row's stack; HIST_WHOLE: the entry is of the sample itself */
};

#define HIST_WHOLE UINT32_MAX

struct hist_entry {
	u32 row_ids, frame_ids; /* its keys' ids, in two tables */
	struct key_place place; /* the first of it */
	size_t first_use;
	u32 nr_uses;   /* rows whose chains are shown for it */
	bool filtered; /* not shown */
};

struct hist_totals {
	u64 samples, period; /* that percentages are of */
};

/*
 * A row's chain as it counts: without what -U and --ignore-callees take away. Of one that ends in a
 * circle the ids are those up to the end of the first turn.
 */
struct hist_stack {
	const u32 *ids; /* leaf first */
	u32 nr;
	u32 turn;   /* the last ids, which go round; 0: none */
	u32 more;   /* frames that follow: whole turns */
	u32 own;    /* frame of the sample */
	u32 parent; /* frame of the parent symbol + 1 */
	char level; /* of the sample */
	bool hidden;
};

struct hist_stacks;

/* What is known of a frame: its keys' ids, + 1, and the entry that it was found to be last. */
struct hist_seen {
	u32 frame_ids;
	u32 row_ids; /* + 1 */
	u32 entry;
};

/* What changes of an entry with each row that has it in its chain. */
struct hist_count {
	u64 acc_period;
	u32 last_row; /* that counted for it, + 1 */
	u32 depth;    /* of the deepest chain */
	u32 nr_uses;  /* rows that have chains for it */
};

/* The first entry that was made with a frame's ids: most often there is no other. */
struct hist_first {
	u32 row_ids; /* + 1; 0: none */
	u32 entry;
};

struct hist {
	struct hist_data *d;
	const struct hist_layout *layout;
	const struct chain_option *chain; /* NULL: no chains are shown */
	enum chain_order order;
	struct hist_stacks *stacks;
	const u32 *events; /* pd_event.idx; the first leads the group */
	size_t nr_events;
	bool children;
	bool relative;              /* rows that are not shown do not count in the totals */
	const bool *wanted;         /* rows that are shown; NULL: all */
	struct hist_totals *totals; /* per event */
	u64 whole; /* the leader's period with what is not shown: chains are shares of it */
	struct hist_entry *entries;
	size_t nr, cap;
	void *stats;               /* nr * nr_events, see hist_stat_at */
	size_t stat_size;          /* of struct hist_stat, without what no column shows */
	struct hist_count *counts; /* nr */
	size_t nr_counted;         /* entries that stats and counts have room for */
	bool listed;               /* hist_list() is done: from here on no entry may be added */
	struct tuple_table row_ids, frame_ids;
	u32 *of_symbol; /* by symbol id: the first of frame_ids with it, + 1 */
	size_t nr_of_symbol;
	struct hist_first *firsts; /* by frame_ids */
	u32 *slots;                /* the other entries by their ids, + 1; 0: free */
	size_t mask, nr_slotted;
	struct hist_seen *seen[2]; /* of callers, of samples' own places: by frame */
	size_t nr_seen;
	bool *key_is_frame; /* per key of the layout */
	size_t *key_slot;
	u64 *tuple;
	u32 *row_ids_of; /* by row, + 1; 0: it does not count */
	struct hist_use *uses;
	u32 *shown; /* entries without the filtered ones, until they are in order */
	u32 *lines; /* entries in the order of display; between the sorts numbers in `shown` */
	size_t nr_lines;
};

/* Stacks of a report's rows, shared by its histograms; NULL when a regex is bad (e says so). */
struct hist_stacks *hist_stacks_new(struct hist_data *d, const struct hist_layout *l,
				    enum chain_order order, struct perr *e);
void hist_stacks_free(struct hist_stacks *s);
struct hist_stack hist_stack_of(struct hist_stacks *s, u32 row);
/* The same without its frames, which may cost much. */
struct hist_stack hist_stack_own(struct hist_stacks *s, u32 row);
/* Fetches into the cache the stack of a row soon after this one, for those who go row by row. */
void hist_stacks_fetch(const struct hist_stacks *s, u32 row);
/* ... where the stack of this row is found, for those who go to rows anywhere. */
void hist_stacks_fetch_place(const struct hist_stacks *s, u32 row);

/*
 * A histogram is built in steps. What the caller sets: d, layout, chain, order, stacks, events,
 * nr_events, children, wanted, relative.
 *
 *	hist_list()           the entries, and the totals
 *	hist_pick_shown()     those that are shown
 *	hist_count()          what entries count for
 *	hist_display_order()  what decides between lines
 *	hist_sort_found()     the order of entries by their keys: may be done beside these two
 *	hist_sort()           the order of display, after all
 */
void hist_list(struct hist *h, unsigned int nr_threads);
void hist_pick_shown(struct hist *h);
void hist_count(struct hist *h);
void hist_fini(struct hist *h);

/*
 * The entry of a place; row_ids are those of its row's keys. While hist_list() runs, a missing
 * entry is added. Afterwards every place must have one: stats and counts have no room for more.
 */
u32 hist_find_entry(struct hist *h, u32 row_ids, const struct key_place *p);

/* The same, where it is most often the one that was found last for the frame. */
static inline u32 hist_entry_of(struct hist *h, u32 row_ids, const struct key_place *p)
{
	const struct hist_seen *seen = &h->seen[p->own][p->frame];

	return seen->row_ids == row_ids + 1 ? seen->entry : hist_find_entry(h, row_ids, p);
}

/* Fetch what hist_find_entry will look at into the cache, one some places after the other. */
void hist_fetch_seen(const struct hist *h, bool own, u32 frame);
void hist_fetch_entry(const struct hist *h, bool own, u32 frame, u32 row_ids);
/* Room for as many entries as there will be; to be called before the first. */
void hist_make_room(struct hist *h);

/* Number i of an array of them. */
static inline struct hist_stat *hist_stat_at(const struct hist *h, const void *stats, size_t i)
{
	return (struct hist_stat *)((uintptr_t)stats + i * h->stat_size);
}

static inline const struct hist_stat *hist_stat_of(const struct hist *h, size_t entry, size_t event)
{
	return hist_stat_at(h, h->stats, entry * h->nr_events + event);
}

u64 hist_key_id(const struct hist *h, const struct hist_entry *e, size_t key);

/* What is shown of an entry in the column of a key. */
struct key_cell hist_key_cell(const struct hist *h, const struct hist_field *f, u32 entry);

/* The share, in percent, of an entry in its event's total; with callees where h->children. */
double hist_percent(const struct hist *h, u32 entry);

/* A figure as it is compared, and the dividend of shares; weights are rounded down. */
u64 hist_number_value(const struct hist_stat *s, enum hist_number n);

/* The order of display by one figure; a and b are arrays of all events'. */
int hist_compare_stats(const struct hist *h, const void *a, const void *b, enum hist_number n);

/* Puts the entries in the order in which perf finds them while it reads the file. */
void hist_sort_found(struct hist *h);
/* What decides between lines; for hist_sort, which frees it. */
struct order_tree;
struct order_tree *hist_display_order(const struct hist *h);
/* Puts the entries in the order of display: h->lines. */
void hist_sort(struct hist *h, struct order_tree *display);

#endif
