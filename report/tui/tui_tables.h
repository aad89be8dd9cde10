/* SPDX-License-Identifier: MIT */
/*
 * What a command gives to the views: the tables of a recording, one for each event or group of
 * events, and texts about it.
 */
#ifndef REPORT_TUI_TUI_TABLES_H
#define REPORT_TUI_TUI_TABLES_H

#include "base/err.h"
#include "report/table/table.h"
#include "report/tui/screen.h"
#include "report/tui/view.h"

struct flame;
struct time_lanes;

/* The sides of the call trees of tables. */
enum { FLAME_PERIOD, FLAME_SAMPLES };

/* A symbol of an object. */
struct tui_symbol {
	u64 start, end;
	char binding; /* 'g', 'l' or 'w' */
	const char *name;
};

/* The symbols of an object by their addresses. All is borrowed from the maker of the tables. */
struct tui_symbols {
	const char *object; /* the path of its file */
	size_t nr;
	u64 highest; /* address that is shown */
	void (*get)(void *of, size_t i, struct tui_symbol *ret);
	void (*free)(void *of);
	void *of;
};

struct tui_tables {
	void *ctx;    /* of the functions below */
	size_t nr;    /* tables; at least one */
	double limit; /* rows below this percentage are not shown at first */
	/* Appends the name of the event of table i, or the names of the group. */
	void (*name)(void *ctx, size_t i, struct out *o);
	/* Appends "Samples: 11K of event 'cycles', Event count (approx.): 123". */
	void (*title)(void *ctx, size_t i, struct out *o);
	u64 (*samples)(void *ctx, size_t i);
	/* Returns table i, which is made when it is first asked for. The view borrows it. */
	struct table *(*table)(void *ctx, size_t i);
	/* Appends callers and callees of a function. NULL: that is not known. */
	void (*callers)(void *ctx, size_t i, const struct table_place *place, struct out *o);
	/*
	 * Makes the call tree of the samples of table i, which the caller frees; see FLAME_PERIOD.
	 * shown: by top row of the table, or of its entries, whether samples taken in it are
	 * wanted; NULL: all are. False: no sample is, or the table has no stacks. NULL: so for all
	 * tables.
	 */
	bool (*flame)(void *ctx, size_t i, const bool *shown, struct flame *ret);
	/*
	 * Returns a view of a function's code; NULL with the reason if it cannot be shown. NULL:
	 * code is not shown at all.
	 */
	struct tui_view *(*annotate)(void *ctx, size_t i, const struct table_place *place,
				     struct perr *e);
	/*
	 * Lists the symbols of the object at a place, which has a map; ret->free() frees them.
	 * NULL: they are not known.
	 */
	void (*symbols)(void *ctx, const struct table_place *place, struct tui_symbols *ret);
	/*
	 * Finds the samples of table i by thread and time; the caller frees *ret. An error's text
	 * says why there are none. NULL: the times of no table are known.
	 */
	int (*lanes)(void *ctx, size_t i, struct time_lanes *ret, struct perr *e);
	/*
	 * Makes the tables of the samples from one time to another (ns, both included), which go to
	 * free_part() before these tables are freed. NULL: there are none, with an error or
	 * because no sample was taken then.
	 */
	struct tui_tables *(*part)(void *ctx, u64 from, u64 to, struct perr *e);
	void (*free_part)(struct tui_tables *part);
	bool is_part; /* views of the whole lie below those of these tables */
	/* view_rows_new(), or what a test has instead; set by tui_show_tables() */
	struct tui_view *(*rows)(const struct tui_tables *in, size_t i, struct tui_view *like);
	/* Append the lines of the header window and of the quality window. */
	void (*header)(void *ctx, struct out *o);
	void (*quality)(void *ctx, struct out *o);
};

/* The map window: the symbols of an object, which it frees. */
struct tui_view *view_map_new(const struct tui_symbols *symbols);

/* Shows the tables on a screen until the user leaves. */
void tui_show_tables(struct screen *s, const struct tui_tables *in);

/*
 * The view of rows of table i. `in` is borrowed. like: a view of rows whose filters and order it
 * takes over; NULL: none.
 */
struct tui_view *view_rows_new(const struct tui_tables *in, size_t i, struct tui_view *like);

#endif
