/* SPDX-License-Identifier: MIT */
/*
 * Prints which share of a recording's frame-pointer chains lacks callers, as prec finds it at the
 * end of a recording: "stacks N", "lacking N", "one_only N", "object NAME".
 *
 *	judge_callers FILE SAMPLES BYTES
 */
#include "record/review/lost_callers.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	struct lost_callers c;
	struct perr e;

	if (argc != 4) {
		fputs("usage: judge_callers FILE SAMPLES BYTES\n", stderr);
		return 129;
	}
	if (lost_callers_find(argv[1], strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10), &c,
			      &e)) {
		fprintf(stderr, "judge_callers: %s: %s\n", argv[1], e.text);
		return 1;
	}
	printf("stacks %llu\nlacking %llu\none_only %llu\nobject %s\n",
	       (unsigned long long)c.stacks, (unsigned long long)c.lacking,
	       (unsigned long long)c.one_only, c.object ? c.object : "-");
	lost_callers_fini(&c);
	return 0;
}
