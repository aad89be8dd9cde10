/* SPDX-License-Identifier: MIT */
#include "machine/module_name.h"

#include <stdio.h>

#define MODULE_NAME_LEN 64 /* the kernel's own limit */

const char *module_name_of_path(struct intern *strings, const char *path)
{
	const char *base = strrchr(path, '/'), *end;
	char name[MODULE_NAME_LEN + 8];
	int i, len, n;

	if (path[0] == '[')
		return path;
	base = base ? base + 1 : path;
	end = strstr(base, ".ko");
	if (!end)
		return path;
	len = end - base > MODULE_NAME_LEN ? MODULE_NAME_LEN : (int)(end - base);
	n = snprintf(name, sizeof(name), "[%.*s]", len, base);
	for (i = 0; i < n; i++)
		if (name[i] == '-')
			name[i] = '_';
	return intern_text(strings, intern_str(strings, name));
}
