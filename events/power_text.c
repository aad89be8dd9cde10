/* SPDX-License-Identifier: MIT */
#include "events/power_text.h"

#include <stdio.h>

#define HIST_COLUMNS 52

/* 2^k as 1, 512, 1K, 2M: how bpftrace writes bounds. */
static void bound_text(unsigned int k, char *buf, size_t n)
{
	static const char suffixes[] = " KMGTPE";

	if (k < 10)
		snprintf(buf, n, "%u", 1u << k);
	else
		snprintf(buf, n, "%u%c", 1u << k % 10, suffixes[k / 10]);
}

void power_text_put(struct out *o, const struct distribution *d)
{
	u64 powers[65], most = 0;
	unsigned int first = 65, last = 0, i;

	distribution_powers(d, powers);
	for (i = 0; i < 65; i++) {
		if (!powers[i])
			continue;
		first = first < i ? first : i;
		last = i;
		most = powers[i] > most ? powers[i] : most;
	}
	for (i = first; i <= last; i++) {
		size_t bar = (size_t)((double)powers[i] / (double)most * HIST_COLUMNS);
		char from[16], to[16], range[40];

		bound_text(i ? i - 1 : 0, from, sizeof(from));
		bound_text(i, to, sizeof(to));
		snprintf(range, sizeof(range), i ? "[%s, %s)" : "[0]", from, to);
		out_str_width(o, range, -16);
		out_dec(o, powers[i], 8);
		out_str(o, " |");
		out_fill(o, '@', bar);
		out_fill(o, ' ', HIST_COLUMNS - bar);
		out_str(o, "|\n");
	}
}
