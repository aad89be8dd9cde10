/* SPDX-License-Identifier: MIT */
/*
 * Names of the events that every kernel knows by number: hardware, software and cache events. Upper
 * and lower case are the same in all of them, as with perf 7 (6.1 takes the spelling below only).
 */
#ifndef RECORD_EVENTS_EVENT_NAMES_TABLE_H
#define RECORD_EVENTS_EVENT_NAMES_TABLE_H

#include "base/types.h"
#include "base/nearest_name.h"

struct event_symbol {
	const char *name, *alias; /* alias: NULL for none */
	u32 type;                 /* PD_TYPE_HARDWARE or PD_TYPE_SOFTWARE */
	u64 config;
};

extern const struct event_symbol event_symbols[];
extern const size_t nr_event_symbols;

/* By name or alias; NULL: no such event. */
const struct event_symbol *event_symbol_find(const char *name, size_t len);

enum event_cache_result {
	EVENT_CACHE_OK,
	EVENT_CACHE_UNKNOWN, /* no name of a cache event */
	EVENT_CACHE_NO_OP,   /* this cache does not have this operation */
};

/* "L1-dcache-load-misses", "LLC", "dTLB-misses-loads"...: its config for PD_TYPE_HW_CACHE. */
enum event_cache_result event_cache_find(const char *name, size_t len, u64 *ret_config);

/* Calls fn for the usual name of each cache event there is, such as "L1-dcache-loads". */
void event_cache_each(void (*fn)(void *ctx, const char *name, u64 config), void *ctx);

/* Offers all names of this table. */
void event_names_offer(struct nearest_name *n);

#endif
