/* SPDX-License-Identifier: MIT */
/*
 * A histogram: one entry for each distinct combination of sort key values among the samples of one
 * event, or of the events of a group side by side. With the Children column every caller in the
 * samples' call chains gets an entry as well.
 */
#ifndef REPORT_TABLE_HIST_H
#define REPORT_TABLE_HIST_H

#include "profile/chain_tree.h"
#include "report/table/hist_stacks.h"

/* One row whose call chain belongs to an entry, and where in the chain the entry stands. */
struct hist_use {
	u32 row;
	u32 pos; /* index in the row's hist_stack, leaf 0; HIST_WHOLE: the sample's own place */
};

#define HIST_WHOLE UINT32_MAX

/* One entry: a line of the report unless it is filtered. */
struct hist_entry {
	u32 row_ids, frame_ids; /* its keys' values: numbers in hist.row_ids, hist.frame_ids */
	struct key_place place; /* the first place that was found for it */
	size_t first_use;       /* its uses are hist.uses[first_use] and the next ones */
	u32 nr_uses;            /* rows whose chains are shown below it */
	bool filtered;          /* --symbol-filter hides it */
	bool gathered;          /* its uses are all there; else there are none */
};

/* What the percentages of one event are shares of. */
struct hist_totals {
	u64 samples, period, latency;
};

/* Cache of hist_find_entry() for one frame: the ids of its keys and the entry found last. */
struct hist_seen {
	u32 frame_ids; /* + 1; 0: not computed yet */
	u32 row_ids;   /* row_ids of the entry found last, + 1; 0: none was looked up */
	u32 entry;
};

/* The members of an entry that counting a row changes, apart from the rest to save cache lines. */
struct hist_count {
	u64 acc_period; /* period of the present event's samples that it is a caller of */
	u32 last_row;   /* the row that counted for the entry last, + 1 */
	u32 depth;      /* frames of the deepest chain below the entry */
	u32 nr_uses;    /* rows that have a call chain for the entry */
};

/* The first entry with given frame_ids. Most frame_ids have no other entry. */
struct hist_first {
	u32 row_ids; /* + 1; 0: no entry yet */
	u32 entry;
};

/*
 * The caller sets the members from d to wanted (stacks from hist_stacks_new(), shared; all of them
 * are borrowed until hist_fini()), zeroes the others, and then calls in this order:
 *
 *	hist_list()           adds the entries and the totals
 *	hist_pick_shown()     leaves out filtered entries
 *	hist_count()          adds up the figures of entries
 *	hist_display_order()  collects the values that decide the order of lines
 *	hist_sort_found()     sorts by keys; may run in another thread beside the last two
 *	hist_sort()           sorts for display, after all of these
 */
struct hist {
	struct hist_data *d;
	const struct hist_layout *layout;
	const struct chain_option *chain; /* NULL: no call chains are shown */
	enum chain_order order;
	struct hist_stacks *stacks;
	const u32 *events; /* pd_event.idx; the first one leads the group */
	size_t nr_events;
	bool children;      /* callers have entries too */
	bool relative;      /* totals are without the rows that filters leave out */
	const bool *wanted; /* by row: filters let it through; NULL: all rows */

	struct hist_totals *totals; /* by number in `events` */
	u64 whole;                  /* the leader's period including what filters leave out */
	struct hist_entry *entries;
	size_t nr, cap;
	void *stats;               /* nr * nr_events, see hist_stat_at() */
	size_t stat_size;          /* bytes of a hist_stat, without members no column shows */
	struct hist_count *counts; /* by entry */
	size_t nr_counted;         /* entries that stats and counts have room for */
	bool listed;               /* hist_list() is done: no entry may be added */
	unsigned int nr_threads;   /* as hist_list() got it */
	struct tuple_table row_ids, frame_ids;
	u32 last_row_ids; /* the number that row_ids gave last */
	u32 *of_symbol;   /* by symbol id: the first of frame_ids with this symbol, + 1 */
	size_t nr_of_symbol;
	struct hist_first *firsts; /* by frame_ids */
	u32 *slots;                /* hash table of the other entries, + 1; 0: free */
	size_t mask, nr_slotted;
	struct hist_seen *seen[2]; /* by frame: [0] as caller, [1] as a sample's own place */
	size_t nr_seen;
	bool *key_is_frame; /* by key of the layout: it depends on the frame only */
	size_t *key_slot;   /* by key: its index in the tuples of frame_ids or row_ids */
	u64 *tuple;         /* scratch of hist_place_ids() */
	u32 *row_ids_of;    /* by row, + 1; 0: the row does not count */
	struct hist_use *uses;
	size_t nr_uses;
	u32 *shown;      /* entries that are not filtered, unsorted; freed by hist_sort() */
	u32 *lines;      /* before hist_sort() indexes in `shown`, then entries as displayed */
	size_t nr_lines; /* number of elements of shown and lines */
};

/* Adds the entries and sums up the totals. The number of threads does not change the result. */
void hist_list(struct hist *h, unsigned int nr_threads);
/* Collects the entries that are not filtered in h->shown, and their indexes in h->lines. */
void hist_pick_shown(struct hist *h);
/* Adds up the figures of all entries: h->stats and h->counts. */
void hist_count(struct hist *h);
/* Frees what the histogram allocated and zeroes it. */
void hist_fini(struct hist *h);

/*
 * Returns the entry of a place in a row whose keys have row_ids (h->row_ids_of[row] - 1). While
 * hist_list() runs, a missing entry is added. Afterwards a missing entry is a bug that aborts.
 */
u32 hist_find_entry(struct hist *h, u32 row_ids, const struct key_place *p);

/* As hist_find_entry(), but inline when the entry is the one found last for the frame. */
static inline u32 hist_entry_of(struct hist *h, u32 row_ids, const struct key_place *p)
{
	const struct hist_seen *seen = &h->seen[p->own][p->frame];

	return seen->row_ids == row_ids + 1 ? seen->entry : hist_find_entry(h, row_ids, p);
}

/* As hist_find_entry() after hist_list(), but changes nothing: several threads may call it. */
u32 hist_known_entry(const struct hist *h, u32 row_ids, const struct key_place *p);

/* First prefetch for a later hist_find_entry(): the frame's element of h->seen. */
void hist_fetch_seen(const struct hist *h, bool own, u32 frame);
/* Second prefetch, once h->seen is in the cache: where the entry's number is stored. */
void hist_fetch_entry(const struct hist *h, bool own, u32 frame, u32 row_ids);
/* Allocates the tables of entries. hist_list() calls this after hist_places_init(). */
void hist_make_room(struct hist *h);

/* Returns element i of an array of figures whose elements have h->stat_size bytes. */
static inline struct hist_stat *hist_stat_at(const struct hist *h, const void *stats, size_t i)
{
	return (struct hist_stat *)((uintptr_t)stats + i * h->stat_size);
}

/* Returns the figures of an entry for event number `event` of h->events. */
static inline const struct hist_stat *hist_stat_of(const struct hist *h, size_t entry, size_t event)
{
	return hist_stat_at(h, h->stats, entry * h->nr_events + event);
}

/* Returns the id of an entry's value for key number `key` of the layout. */
u64 hist_key_id(const struct hist *h, const struct hist_entry *e, size_t key);

/* Returns the cell of an entry in the column of a key; the caller sets its width. */
struct key_cell hist_key_cell(const struct hist *h, const struct hist_field *f, u32 entry);

/* Returns the entry's percentage of the leader's total; with h->children callees are included. */
double hist_percent(const struct hist *h, u32 entry);

/* Returns what a figure of event number `event` is a share of. */
static inline u64 hist_total(const struct hist *h, size_t event, enum hist_number n)
{
	return hist_number_is_latency(n) ? h->totals[event].latency : h->totals[event].period;
}

/* Returns a figure as an integer, to be compared or divided; weights are rounded down. */
u64 hist_number_value(const struct hist_stat *s, enum hist_number n);

/*
 * Compares two entries by one figure for display; a and b are arrays with the figures of all
 * events. Returns a negative number when a comes first, because it is higher.
 */
int hist_compare_stats(const struct hist *h, const void *a, const void *b, enum hist_number n);

/* Sorts h->lines as perf keeps its entries while it reads the file; ties in display follow it. */
void hist_sort_found(struct hist *h);
struct order_tree;
/*
 * Collects the values that decide the order of h->shown, one field of the layout at a time:
 * display: that of display, else the one in which perf keeps entries. order is new and has
 * h->nr_lines items, *field is 0 at first. False: all were there before the call.
 */
bool hist_order_go_on(const struct hist *h, bool display, struct order_tree *order, size_t *field);
/* Whether hist_sort_found() sorts by these values a second time. */
bool hist_sorts_twice(const struct hist *h, const struct order_tree *found);
/* Returns the values that decide the display order of some entries, which the caller frees. */
struct order_tree *hist_display_order_of(const struct hist *h, const u32 *entries, size_t nr);
/*
 * Returns for each of h->shown the value that decides the display order before all others, the
 * lowest first; the caller frees them. NULL: a key decides first.
 */
u64 *hist_first_decider(const struct hist *h);
/* Whether what decides the display order before all others is the share of hist_percent(). */
bool hist_sorts_by_share(const struct hist *h);
/* Returns the values that decide the display order, for hist_sort(), which frees them. */
struct order_tree *hist_display_order(const struct hist *h);
/* Sorts h->lines for display; they hold entries from then on. Frees `display`. */
void hist_sort(struct hist *h, struct order_tree *display);

#endif
