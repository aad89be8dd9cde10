/* SPDX-License-Identifier: MIT */
/*
 * page_of_stacks STACKS FUNCTIONS: writes a page of so many different stacks to standard output,
 * and the seconds of CPU that encoding took to standard error. Stacks are walks through a call
 * graph in which each function calls a few others, as in a program; for bench/page_speed.sh.
 */
#include <stdio.h>
#include <time.h>

#include "base/mem.h"
#include "base/parallel.h"
#include "picture/page.h"

#define CALLEES 7

static u32 random_below(u64 *state, u32 n)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (u32)((*state >> 33) % n);
}

static double cpu_seconds(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

int main(int argc, char **argv)
{
	u32 nr_stacks = argc > 2 ? (u32)strtoul(argv[1], NULL, 10) : 0;
	u32 nr_functions = argc > 2 ? (u32)strtoul(argv[2], NULL, 10) : 0;
	struct page *p = page_new();
	bool *seen = xcalloc((size_t)nr_stacks * 40 + 1, sizeof(*seen));
	u64 state = 1;
	struct out o;
	double began;

	if (!nr_stacks || !nr_functions) {
		fputs("usage: page_of_stacks STACKS FUNCTIONS\n", stderr);
		return 129;
	}
	for (u32 i = 0; i < nr_functions; i++) {
		char *name =
			xasprintf("ns%u::cls%u::function_%u(int, char const*)", i % 37, i / 50, i);

		page_name(p, name, i % 3 ? "/usr/bin/program" : "/lib/libc.so.6", i % 4);
		free(name);
	}
	page_set_title(p, "stacks");
	page_column(p, page_event(p, "cycles"), 0, PAGE_SAMPLES);
	for (u32 stack = 0; stack < nr_stacks;) {
		u32 node = PAGE_TOP, function = 0, depth = 8 + random_below(&state, 30);

		for (u32 d = 0; d < depth; d++) {
			/* mostly the first callee, so that stacks share their outer frames */
			u32 way =
				random_below(&state, 100) < 90 ? 0 : random_below(&state, CALLEES);

			function = (function * 31 + way * 1009 + 1) % nr_functions;
			node = page_child(p, node, function);
		}
		page_count(p, 0, node, 1 + random_below(&state, 5));
		stack += node < (size_t)nr_stacks * 40 && !seen[node];
		if (node < (size_t)nr_stacks * 40)
			seen[node] = true;
	}
	page_set_workers(p, parallel_nr_cpus());
	began = cpu_seconds();
	out_init(&o, stdout);
	page_write(p, &o);
	if (out_fini(&o))
		return 1;
	fprintf(stderr, "%.2f\n", cpu_seconds() - began);
	page_free(p);
	free(seen);
	return 0;
}
