/* SPDX-License-Identifier: MIT */
/*
 * Prints the table of all advice, for checks/advice.sh: "NAME<TAB>USE<TAB>EXPRESSION<TAB>WHEN" for
 * each row. The extended regular expression matches the row's command with any facts.
 */
#include <stdio.h>
#include <string.h>

#include "base/advice/advice.h"

static void put_expression(const char *command)
{
	for (const char *c = command; *c; c++) {
		if (*c == '{') {
			fputs("('[^']*'|[^][:space:],;)']+)", stdout);
			c = strchr(c, '}');
		} else if (strchr("\\.^$*+?()[]|", *c)) {
			printf("[%c]", *c == '\\' || *c == '^' ? '.' : *c);
		} else {
			putchar(*c);
		}
	}
}

int main(void)
{
	for (int i = 0; i < ADVICE_IDS; i++) {
		const struct advice *a = advice_get((enum advice_id)i);

		printf("%s\t%s\t", a->name, advice_use_name(a->use));
		put_expression(a->command ? a->command : "-");
		printf("\t%s\n", a->when);
	}
	return 0;
}
