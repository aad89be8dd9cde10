/* SPDX-License-Identifier: MIT */
#include "machine/module_name.h"

#include <stdio.h>

#include "machine/mapset.h"

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

bool module_name_is_kernel(const char *name)
{
	const char *base = strrchr(name, '/');

	if (name[0] == '[')
		return !strcmp(name, KERNEL_NAME);
	return !strstr(base ? base : name, ".ko");
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

const char *module_name_kernel(const char *name)
{
	return strstr(name, "vmlinux") ? "[kernel.vmlinux]" : last_part(name);
}

void map_put_short_name(struct out *o, const struct map *m)
{
	const struct dso_desc *desc = dso_get_desc(m->dso);
	unsigned int tid;
	int end = 0;

	if (desc->kind == DSO_MODULE && desc->module_name)
		out_str(o, desc->module_name);
	else if (desc->kind == DSO_KERNEL && m->dso_name[0] == '/')
		out_str(o, module_name_kernel(m->dso_name));
	else if (desc->kind == DSO_JIT &&
		 sscanf(m->dso_name, "/tmp/perf-%u.map%n", &tid, &end) == 1 && end)
		out_printf(o, "[JIT] tid %u", tid);
	else
		out_str(o, last_part(m->dso_name));
}

const char *map_long_name(const struct map *m)
{
	const struct dso_desc *desc = dso_get_desc(m->dso);
	const char *path;

	switch (desc->kind) {
	case DSO_MODULE: return desc->name;
	case DSO_KERNEL: path = dso_get_symbols_path(m->dso); return path ? path : m->dso_name;
	default: return m->dso_name;
	}
}
