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
	bool full_path;     /* source lines with folders; the caller's */
	bool asked;         /* -g was given: a file without chains is an error then */
	bool branches;      /* "branch": chains from branch stacks; not supported, see prep */
};

/* The defaults: graph,0.5,callee,function,percent. */
void chain_option_init(struct chain_option *o);

/*
 * One -g. arg NULL: the value that a bare -g stands for, which names the order (caller). Words may
 * be cut short as long as a word begins with them: of type, order, key and value, in this order,
 * the first that fits. The first number is the least percentage, the others the limit. "none" ends
 * the list. 0 or PERR_USAGE; o is unchanged on error.
 */
int chain_option_parse(struct chain_option *o, const char *arg, struct perr *e) MUST_CHECK;

/* --no-call-graph */
void chain_option_disable(struct chain_option *o);

/*
 * One variable of a [call-graph] section: print-type, order, sort-key, threshold, print-limit;
 * others are left alone. 0 or PERR_USAGE.
 */
int chain_option_config(struct chain_option *o, const char *var, const char *value,
			struct perr *e) MUST_CHECK;

/* To be called after the last option: inverted is -G, children that the Children column is shown.
 */
void chain_option_settle(struct chain_option *o, bool inverted, bool children);

/* The least period, of `total`, that a node must have to be shown. */
u64 chain_option_least(const struct chain_option *o, u64 total);

#endif
