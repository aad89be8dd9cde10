/* SPDX-License-Identifier: MIT */
#include "events/time_option.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	double ns;
} units[] = { { "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } };

int time_option(void *ns, const char *arg, struct perr *e)
{
	char *end = NULL;
	double v = arg && arg[0] >= '0' && arg[0] <= '9' ? strtod(arg, &end) : 0;

	*(u64 *)ns = 0;
	if (!arg)
		return 0;
	for (size_t i = 0; v > 0 && i < ARRAY_SIZE(units); i++)
		if (!strcmp(end, units[i].name) && v * units[i].ns >= 1 && v * units[i].ns < 1e18)
			*(u64 *)ns = (u64)(v * units[i].ns + 0.5);
	if (*(u64 *)ns)
		return 0;
	return perr_set(e, PERR_USAGE, "expected a time such as 10ms, 50us or 1.5s, got '%s'", arg);
}
