/* SPDX-License-Identifier: MIT */
#include "events/perf_texts/ftrace_latency.h"

#include <stdlib.h>

#include "base/mem.h"

#define NR_POWER_ROWS 22 /* below 1 unit, 20 powers of two, and what is longer */
#define NR_RANGE_ROWS                                                              \
	20 /* between the first and the last one, where --max-latency is not given \
	    */
#define MAX_ROWS 100000
#define MAX_UNITS 1000000000000000ull /* in ns they fit into 64 bits */
#define BAR 46                        /* columns */

int ftrace_latency_init(struct ftrace_latency *l, const struct ftrace_layout *layout,
			struct perr *e)
{
	struct ftrace_layout *y = &l->layout;

	*l = (struct ftrace_latency){ .layout = *layout, .nr = NR_POWER_ROWS };
	if (!y->range && (y->min || y->max))
		return perr_set(e, PERR_USAGE,
				"--min-latency and --max-latency need --bucket-range");
	if (y->range > MAX_UNITS / MAX_ROWS || y->min > MAX_UNITS / 2 || y->max > MAX_UNITS)
		return perr_set(e, PERR_USAGE,
				"that long is no latency: --bucket-range, "
				"--min-latency and --max-latency are in us, or with "
				"-n in ns");
	if (y->range) {
		y->min = y->min ? y->min : y->range;
		y->max = y->max ? y->max : y->min + NR_RANGE_ROWS * y->range;
		if (y->max < y->min + y->range)
			return perr_set(e, PERR_USAGE,
					"--max-latency must be at least --min-latency and one "
					"--bucket-range");
		l->nr = (size_t)((y->max - y->min) / y->range) + 2;
		if (l->nr > MAX_ROWS)
			return perr_set(e, PERR_USAGE,
					"more than %d rows: give a wider --bucket-range", MAX_ROWS);
		y->max = y->min + (l->nr - 2) * y->range;
	}
	l->counts = xcalloc(l->nr, sizeof(*l->counts));
	return 0;
}

void ftrace_latency_fini(struct ftrace_latency *l)
{
	free(l->counts);
	*l = (struct ftrace_latency){ 0 };
}

/* The row of a duration in whole units. */
static size_t row_of(const struct ftrace_latency *l, u64 units)
{
	const struct ftrace_layout *y = &l->layout;
	size_t row;

	if (!y->range)
		row = units ? 64 - (size_t)__builtin_clzll(units) : 0;
	else
		row = units < y->min ? 0 : (size_t)((units - y->min) / y->range) + 1;
	return row < l->nr ? row : l->nr - 1;
}

void ftrace_latency_add(struct ftrace_latency *l, u64 ns)
{
	l->counts[row_of(l, l->layout.nsec ? ns : ns / 1000)]++;
	if (__builtin_add_overflow(l->total, ns, &l->total))
		l->total = UINT64_MAX;
	if (!l->n || ns < l->min)
		l->min = ns;
	if (ns > l->max)
		l->max = ns;
	l->n++;
}

/* --- text
 * ----------------------------------------------------------------------------------------- */

static void put_count(const struct ftrace_latency *l, size_t row, const char *unit, struct out *o)
{
	static const char bar[] = "##############################################";
	int len = (int)((double)l->counts[row] / (double)l->n * BAR);

	/* exact where the product fits */
	if (l->counts[row] < UINT64_MAX / BAR)
		len = (int)(l->counts[row] * BAR / l->n);
	out_printf(o, " %s | %10llu | %.*s%*s |\n", unit, (unsigned long long)l->counts[row], len,
		   bar, BAR - len, "");
}

/* Which durations a row of powers of two holds. Returns the unit. */
static const char *put_power(const struct ftrace_latency *l, size_t row, struct out *o)
{
	bool nsec = l->layout.nsec;
	u32 start = row ? 1u << (row - 1) : 0, stop = 1u << row;

	if (row == l->nr - 1) {
		out_printf(o, "  %4d - %-4s", 1, "...");
		return nsec ? "ms" : "s ";
	}
	if (start >= 1024)
		out_printf(o, "  %4u - %4u", start >> 10, stop >> 10);
	else
		out_printf(o, "  %4u - %4u", start, stop);
	return nsec ? start >= 1024 ? "us" : "ns" : start >= 1024 ? "ms" : "us";
}

/* The same, where the rows have one width. */
static const char *put_range(const struct ftrace_latency *l, size_t row, struct out *o)
{
	const struct ftrace_layout *y = &l->layout;
	u64 start = row ? y->min + (row - 1) * y->range : 0;
	u64 stop = row ? start + y->range : y->min;
	bool last = row == l->nr - 1, large = start >= 1000;

	if (large)
		out_printf(o, "  %4.2f - ", (double)start / 1000);
	else
		out_printf(o, "  %4llu - ", (unsigned long long)start);
	if (last)
		out_str(o, large ? "... " : " ...");
	else if (large)
		out_printf(o, "%-4.2f", (double)stop / 1000);
	else
		out_printf(o, "%4llu", (unsigned long long)stop);
	return y->nsec ? large ? "us" : "ns" : large ? "ms" : "us";
}

void ftrace_latency_put(const struct ftrace_latency *l, struct out *o)
{
	double unit = l->layout.nsec ? 1 : 1000;

	if (!l->n) {
		out_str(o, "No data found\n");
		return;
	}
	out_printf(o, "#   DURATION     |      COUNT | %-*s |\n", BAR, "GRAPH");
	for (size_t row = 0; row < l->nr; row++) {
		if (l->layout.hide_empty && !l->counts[row])
			continue;
		put_count(l, row, l->layout.range ? put_range(l, row, o) : put_power(l, row, o), o);
	}
	out_printf(o,
		   "\n# statistics  (in %s)\n"
		   "  total time: %20.0f\n    avg time: %20.0f\n    max time: %20llu\n"
		   "    min time: %20llu\n       count: %20llu\n",
		   l->layout.nsec ? "nsec" : "usec", (double)l->total / unit,
		   (double)l->total / (double)l->n / unit,
		   (unsigned long long)(l->layout.nsec ? l->max : l->max / 1000),
		   (unsigned long long)(l->layout.nsec ? l->min : l->min / 1000),
		   (unsigned long long)l->n);
}
