/* SPDX-License-Identifier: MIT */
/*
 * What is known of calls of functions: for each function, and for each value of --by, how many and
 * how long; and which called which.
 */
#ifndef EVENTS_FUNC_FUNC_TABLE_H
#define EVENTS_FUNC_FUNC_TABLE_H

#include "base/bytes.h"
#include "base/intern.h"
#include "base/tuple_table.h"
#include "events/distribution.h"
#include "events/func/func_calls.h"
#include "events/func/func_stacks.h"
#include "session/filter.h"

enum func_by { FUNC_BY_FUNCTION, FUNC_BY_COMM, FUNC_BY_PID, FUNC_BY_TID };

struct func_row {
	u64 calls; /* entries */
	u64 no_return;
	u64 broken; /* returned, with lost records in between: they are not in the times */
	u64 total;  /* ns of calls that are in no other call of the function */
	u64 self;
	struct distribution times; /* of all calls that returned */
	const char *comm;          /* of the last call; lives as long as the machine */
};

/* A call in no other one took long: its tree. Borrowed. */
struct func_slow {
	u32 tid;
	const char *comm;
	u64 start, ns;
	u32 list; /* with what is in it */
};

struct func_table {
	enum func_by by;
	const struct filter *filter; /* of comms, processes and threads */
	struct intern names;         /* "FILE:NAME" */
	struct {
		u32 text; /* in names */
		u32 name; /* offset of NAME in it */
		bool has_entry, has_return;
	} * functions;
	size_t nr_functions, cap_functions;
	struct tuple_table keys; /* function, value */
	struct func_row *rows;
	size_t cap_rows;
	bool many_files;            /* functions of more than one file */
	struct func_stacks *stacks; /* calls by whole stacks; NULL: they are not wanted. Borrowed */
	/* trees */
	bool wants_tree;
	u64 than; /* ns, for `slow`; 0: none */
	void (*slow)(void *ctx, const struct func_slow *s);
	/* Gets each call that returned without a loss in it. NULL: nothing to do. */
	void (*each)(void *ctx, const struct func_call *call);
	void *ctx;
	struct func_nodes nodes;
	u32 tree; /* the list of all calls, with wants_tree */
	u64 nr_slow;
};

/* The callbacks of struct func_calls, whose ctx is a struct func_table. */
extern const struct func_calls_ops func_table_calls;

/* filter is borrowed until func_table_fini(). */
void func_table_init(struct func_table *t, enum func_by by, const struct filter *filter);
void func_table_fini(struct func_table *t);
/* Forgets what was counted; functions keep their numbers. Calls that have begun go on. */
void func_table_restart(struct func_table *t);

/* The number of a function, which has an event for its returns or for its entries. */
u32 func_table_function(struct func_table *t, struct span file, struct span name, bool is_return);
/* False: its entries are counted, and no call is followed. */
bool func_table_has_return(const struct func_table *t, u32 func);
/* Whether the filter lets calls of this process and thread pass. comm may be NULL. */
bool func_table_wants(const struct func_table *t, const struct func_entry *e, const char *comm);
/* Counts an entry. Returns its row. */
u32 func_table_count(struct func_table *t, const struct func_entry *e, const char *comm);

/* Writes the name of a function: with its file if there are several. */
void func_table_put_name(void *table, struct out *o, u32 func);

#endif
