/* SPDX-License-Identifier: MIT */
#include "symbols/find/debuglink.h"

#include <elf.h>
#include <string.h>
#include <zlib.h>

bool debuglink_read(const struct object *o, struct debuglink *ret)
{
	struct span s = object_bytes(o, object_section(o, ".gnu_debuglink"));
	const char *name = object_string(s, 0);
	size_t off;

	if (!name || !*name)
		return false;
	*ret = (struct debuglink){ .name = name };
	off = (strlen(name) + 1 + 3) & ~(size_t)3;
	if (off <= s.n && s.n - off >= 4) {
		ret->crc = get_u32(s.p + off, o->swap);
		ret->has_crc = true;
	}
	return true;
}

bool debuglink_is_name(const struct debuglink *l)
{
	return !strchr(l->name, '/') && strcmp(l->name, ".") && strcmp(l->name, "..");
}

bool debuglink_crc_matches(const struct object *o, u32 crc)
{
	return crc32_z(crc32_z(0, NULL, 0), o->file.p, o->file.n) == crc;
}

bool altlink_read(const struct object *o, struct altlink *ret)
{
	struct span s = object_bytes(o, object_section(o, ".gnu_debugaltlink"));
	const char *path = object_string(s, 0);
	size_t id, n;

	if (!path || !*path)
		return false;
	id = strlen(path) + 1;
	n = s.n - id;
	if (!n)
		return false;
	if (n > BUILD_ID_MAX)
		n = BUILD_ID_MAX;
	*ret = (struct altlink){ .path = path, .build_id_size = (u8)n };
	memcpy(ret->build_id, s.p + id, n);
	return true;
}

bool object_has_dwarf(const struct object *o)
{
	static const char *const names[] = { ".debug_info", ".zdebug_info", ".debug_line",
					     ".zdebug_line" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (object_bytes(o, object_section(o, names[i])).n)
			return true;
	return false;
}
