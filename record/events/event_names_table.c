/* SPDX-License-Identifier: MIT */
#include "record/events/event_names_table.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "fileformat/attr.h"

#define HW PD_TYPE_HARDWARE
#define SW PD_TYPE_SOFTWARE

/*
 * The numbers are those of enum perf_hw_id and enum perf_sw_ids in the kernel's
 * include/uapi/linux/perf_event.h.
 */
const struct event_symbol event_symbols[] = {
	{ "cpu-cycles", "cycles", HW, 0 },
	{ "instructions", NULL, HW, 1 },
	{ "cache-references", NULL, HW, 2 },
	{ "cache-misses", NULL, HW, 3 },
	{ "branch-instructions", "branches", HW, 4 },
	{ "branch-misses", NULL, HW, 5 },
	{ "bus-cycles", NULL, HW, 6 },
	{ "stalled-cycles-frontend", "idle-cycles-frontend", HW, 7 },
	{ "stalled-cycles-backend", "idle-cycles-backend", HW, 8 },
	{ "ref-cycles", NULL, HW, 9 },
	{ "cpu-clock", NULL, SW, 0 },
	{ "task-clock", NULL, SW, 1 },
	{ "page-faults", "faults", SW, 2 },
	{ "context-switches", "cs", SW, 3 },
	{ "cpu-migrations", "migrations", SW, 4 },
	{ "minor-faults", NULL, SW, 5 },
	{ "major-faults", NULL, SW, 6 },
	{ "alignment-faults", NULL, SW, 7 },
	{ "emulation-faults", NULL, SW, 8 },
	{ "dummy", NULL, SW, 9 },
	{ "bpf-output", NULL, SW, 10 },
	{ "cgroup-switches", NULL, SW, 11 },
};
const size_t nr_event_symbols = ARRAY_SIZE(event_symbols);

#define MAX_SPELLINGS 9

enum { OP_READ, OP_WRITE, OP_PREFETCH };
#define OPS(r, w, p) ((r) << OP_READ | (w) << OP_WRITE | (p) << OP_PREFETCH)

/* The first spelling is the usual one. The index in the table is the cache's number in config. */
static const struct {
	const char *spelling[MAX_SPELLINGS];
	/* bits of the operations in the kernel's tables of generic cache events */
	unsigned int ops;
} caches[] = {
	{ { "L1-dcache", "l1-d", "l1d", "L1-data" }, OPS(1, 1, 1) },
	{ { "L1-icache", "l1-i", "l1i", "L1-instruction" }, OPS(1, 0, 1) },
	{ { "LLC", "L2" }, OPS(1, 1, 1) },
	{ { "dTLB", "d-tlb", "Data-TLB" }, OPS(1, 1, 1) },
	{ { "iTLB", "i-tlb", "Instruction-TLB" }, OPS(1, 0, 0) },
	{ { "branch", "branches", "bpu", "btb", "bpc" }, OPS(1, 0, 0) },
	{ { "node" }, OPS(1, 1, 1) },
};

static const char *const ops[][MAX_SPELLINGS] = {
	{ "load", "loads", "read" },
	{ "store", "stores", "write" },
	{ "prefetch", "prefetches", "speculative-read", "speculative-load" },
};

static const char *const results[][MAX_SPELLINGS] = {
	{ "refs", "Reference", "ops", "access" },
	{ "misses", "miss" },
};

static bool is_word(const char *word, const char *s, size_t len)
{
	return strlen(word) == len && !strncasecmp(word, s, len);
}

const struct event_symbol *event_symbol_find(const char *name, size_t len)
{
	for (size_t i = 0; i < nr_event_symbols; i++) {
		const struct event_symbol *sym = &event_symbols[i];

		if (is_word(sym->name, name, len) || (sym->alias && is_word(sym->alias, name, len)))
			return sym;
	}
	return NULL;
}

/*
 * Returns the length of the longest spelling that s starts with and that ends at '-' or the end; 0:
 * none.
 */
static size_t starts_with_one(const char *const *spelling, const char *s, size_t len)
{
	size_t best = 0;

	for (size_t i = 0; i < MAX_SPELLINGS && spelling[i]; i++) {
		size_t n = strlen(spelling[i]);

		if (n > best && n <= len && !strncasecmp(spelling[i], s, n) &&
		    (n == len || s[n] == '-'))
			best = n;
	}
	return best;
}

enum event_cache_result event_cache_find(const char *name, size_t len, u64 *ret_config)
{
	size_t cache = 0, used = 0;
	int op = -1, result = -1;

	for (size_t i = 0; i < ARRAY_SIZE(caches); i++) {
		size_t n = starts_with_one(caches[i].spelling, name, len);

		if (n > used) {
			used = n;
			cache = i;
		}
	}
	if (!used)
		return EVENT_CACHE_UNKNOWN;
	name += used;
	len -= used;
	/* operation and result may follow in any order, each at most once */
	while (len) {
		size_t n = 0;

		name++;
		len--;
		for (size_t i = 0; op < 0 && !n && i < ARRAY_SIZE(ops); i++) {
			n = starts_with_one(ops[i], name, len);
			if (n)
				op = (int)i;
		}
		for (size_t i = 0; result < 0 && !n && i < ARRAY_SIZE(results); i++) {
			n = starts_with_one(results[i], name, len);
			if (n)
				result = (int)i;
		}
		if (!n)
			return EVENT_CACHE_UNKNOWN;
		name += n;
		len -= n;
	}
	if (op < 0)
		op = OP_READ;
	if (result < 0)
		result = 0;
	if (!(caches[cache].ops >> op & 1))
		return EVENT_CACHE_NO_OP;
	*ret_config = cache | (u64)op << 8 | (u64)result << 16;
	return EVENT_CACHE_OK;
}

void event_cache_each(void (*fn)(void *ctx, const char *name, u64 config), void *ctx)
{
	for (size_t c = 0; c < ARRAY_SIZE(caches); c++) {
		for (size_t op = 0; op < ARRAY_SIZE(ops); op++) {
			char name[64];

			if (!(caches[c].ops >> op & 1))
				continue;
			snprintf(name, sizeof(name), "%s-%s", caches[c].spelling[0], ops[op][1]);
			fn(ctx, name, c | op << 8);
			snprintf(name, sizeof(name), "%s-%s-misses", caches[c].spelling[0],
				 ops[op][0]);
			fn(ctx, name, c | op << 8 | 1u << 16);
		}
	}
}

static void offer_cache(void *ctx, const char *name, u64 config)
{
	(void)config;
	nearest_offer(ctx, name);
}

void event_names_offer(struct nearest_name *n)
{
	for (size_t i = 0; i < nr_event_symbols; i++) {
		nearest_offer(n, event_symbols[i].name);
		if (event_symbols[i].alias)
			nearest_offer(n, event_symbols[i].alias);
	}
	event_cache_each(offer_cache, n);
}
