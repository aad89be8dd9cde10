/* SPDX-License-Identifier: MIT */
/*
 * How call graphs are shown: -g/--call-graph TYPE,min,limit,order,key,value as perf report takes
 * it. Typical use:
 *
 *	chain_option_init(&o);
 *	chain_option_parse(&o, arg, &e);	for each -g, NULL for one without a value
 *	o.min_percent = ...;			for --percent-limit, in the order they are given
 *	chain_option_settle(&o, inverted, children);
 */
#ifndef PROFILE_CHAIN_OPTION_H
#define PROFILE_CHAIN_OPTION_H

#include "base/err.h"

enum chain_mode {
	CHAIN_GRAPH,   /* shares of the event's total */
	CHAIN_FRACTAL, /* shares of the caller (or callee) above */
	CHAIN_FLAT,
	CHAIN_FOLDED,
	CHAIN_NONE,
};

enum chain_order {
	CHAIN_CALLEE, /* leaf first */
	CHAIN_CALLER, /* root first */
};

enum chain_key {
	CHAIN_KEY_FUNCTION,
	CHAIN_KEY_ADDRESS,
	CHAIN_KEY_SRCLINE,
};

enum chain_value {
	CHAIN_PERCENT,
	CHAIN_PERIOD,
	CHAIN_COUNT,
};

struct chain_option {
	enum chain_mode mode;
	enum chain_order order;
	enum chain_key key;
	enum chain_value value;
	double min_percent; /* nodes below are not shown */
	u32 print_limit;    /* nodes of one level (lines of a lone root); 0: all */
	bool order_set;     /* -g named an order */
	bool by_name;       /* functions with equal names are one node; set by the caller */
	bool full_path;     /* source lines with their folders; set by the caller */
	bool asked;         /* -g was given: a file without chains is an error then */
	bool branches;      /* "branch" was given, which prep does not support */
};

/* The defaults: graph,0.5,callee,function,percent. */
void chain_option_init(struct chain_option *o);

/*
 * Applies one -g. arg NULL: as "graph,0.5,caller,function,percent". A word may be shortened to its
 * first letters; types are searched first, then orders, keys and values. The first number is the
 * least percentage, the second the limit. "none" ends the list. Returns 0 or PERR_USAGE, which
 * leaves o unchanged.
 */
int chain_option_parse(struct chain_option *o, const char *arg, struct perr *e) MUST_CHECK;

/* Applies --no-call-graph. */
void chain_option_disable(struct chain_option *o);

/*
 * Applies one variable of a [call-graph] section: print-type, order, sort-key, threshold or
 * print-limit. Others are ignored. Returns 0 or PERR_USAGE.
 */
int chain_option_config(struct chain_option *o, const char *var, const char *value,
			struct perr *e) MUST_CHECK;

/*
 * Decides the order of display. Call it after the last option. inverted: -G was given; children:
 * the Children column is shown.
 */
void chain_option_settle(struct chain_option *o, bool inverted, bool children);

/* The least period that a node must have to be shown, when all have `total`. */
u64 chain_option_least(const struct chain_option *o, u64 total);
/* The same for another percentage than that of the options. */
u64 chain_least(double percent, u64 total);

#endif
