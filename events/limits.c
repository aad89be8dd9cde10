/* SPDX-License-Identifier: MIT */
#include "events/limits.h"

#include <stdlib.h>
#include <string.h>

int limits_size(void *bytes, const char *arg, struct perr *e)
{
	static const char *const names[] = { "", "K", "M", "G", "k", "m", "g" };
	static const u64 amounts[] = { 1, 1 << 10, 1 << 20, 1 << 30, 1 << 10, 1 << 20, 1 << 30 };
	char *end = NULL;
	double v = arg && arg[0] >= '0' && arg[0] <= '9' ? strtod(arg, &end) : 0;

	*(u64 *)bytes = arg ? 0 : LIMITS_DEFAULT.max_mem;
	for (size_t i = 0; v > 0 && i < ARRAY_SIZE(names); i++)
		if (!strcmp(end, names[i]) && v * (double)amounts[i] < 1e18)
			*(u64 *)bytes = (u64)(v * (double)amounts[i] + 0.5);
	if (*(u64 *)bytes)
		return 0;
	return perr_set(e, PERR_USAGE, "expected a size such as 256M or 2G, got '%s'", arg);
}

const char *limits_fault(const struct limits *l)
{
	if (!l->max_keys || l->max_keys >= UINT32_MAX)
		return "--max-keys: a number from 1 to 4294967294";
	return NULL;
}
