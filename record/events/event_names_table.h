/* SPDX-License-Identifier: MIT */
/*
 * Names of the events that every kernel has under fixed numbers: hardware, software and cache
 * events. Upper and lower case are equal in all of them, as in perf 7 (perf 6.1 accepts only the
 * spelling in the table).
 */
#ifndef RECORD_EVENTS_EVENT_NAMES_TABLE_H
#define RECORD_EVENTS_EVENT_NAMES_TABLE_H

#include "base/types.h"
#include "base/nearest_name.h"

struct event_symbol {
	const char *name, *alias; /* alias: NULL if the event has one name */
	u32 type;                 /* type for attr: PD_TYPE_HARDWARE or PD_TYPE_SOFTWARE */
	u64 config;
};

extern const struct event_symbol event_symbols[];
extern const size_t nr_event_symbols;

/* Returns the event with this name or alias, or NULL. */
const struct event_symbol *event_symbol_find(const char *name, size_t len);

enum event_cache_result {
	EVENT_CACHE_OK,
	EVENT_CACHE_UNKNOWN, /* not the name of a cache event */
	EVENT_CACHE_NO_OP,   /* the cache does not have this operation */
};

/*
 * Parses the name of a cache event, such as "L1-dcache-load-misses" or "LLC", into *ret_config, its
 * config for PD_TYPE_HW_CACHE.
 */
enum event_cache_result event_cache_find(const char *name, size_t len, u64 *ret_config);

/* Calls fn for each cache event with its usual name, such as "L1-dcache-loads". */
void event_cache_each(void (*fn)(void *ctx, const char *name, u64 config), void *ctx);

/* Offers all names of this table to n, as suggestions for a mistyped name. */
void event_names_offer(struct nearest_name *n);

#endif
