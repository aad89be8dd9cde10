/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/hostkernel.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "symbols/elf/object.h"
#include "symbols/elf/readfile.h"

#define MAX_NOTES ((size_t)1 << 20)

size_t notes_build_id(struct span notes, u8 ret[20])
{
	struct cursor c = cursor_of(notes, false);

	while (cur_left(&c) >= 12) {
		u32 name_size = cur_u32(&c), desc_size = cur_u32(&c), type = cur_u32(&c);
		struct span name = cur_array(&c, ((u64)name_size + 3) / 4, 4);
		struct span desc = cur_array(&c, ((u64)desc_size + 3) / 4, 4);

		if (c.bad)
			return 0;
		if (type != NT_GNU_BUILD_ID || name_size != 4 || memcmp(name.p, "GNU", 4))
			continue;
		if (!desc_size || desc_size > 20)
			continue;
		memcpy(ret, desc.p, desc_size);
		return desc_size;
	}
	return 0;
}

static bool file_has_id(const char *path, const struct dso_desc *desc)
{
	void *buf;
	u8 id[20];
	size_t n, id_size;

	if (read_file(path, MAX_NOTES, &buf, &n, NULL))
		return false;
	id_size = notes_build_id(span_of(buf, n), id);
	free(buf);
	return build_id_equal(id, id_size, desc->build_id, desc->build_id_size);
}

static bool is_same_release(const struct dso_desc *desc)
{
	struct utsname uts;

	return desc->os_release && !uname(&uts) && !strcmp(uts.release, desc->os_release);
}

enum host_match hostkernel_match(const struct dso_desc *kernel)
{
	if (kernel->build_id_size)
		return file_has_id("/sys/kernel/notes", kernel) ? HOST_SAME_BUILD : HOST_DIFFERS;
	return is_same_release(kernel) ? HOST_SAME_RELEASE : HOST_DIFFERS;
}

enum host_match hostkernel_match_module(const struct dso_desc *module)
{
	const char *name = module->module_name;
	size_t len = name ? strlen(name) : 0;
	enum host_match ret = HOST_DIFFERS;
	char *path;

	if (!module->build_id_size)
		return is_same_release(module) ? HOST_SAME_RELEASE : HOST_DIFFERS;
	/*
	 * The name comes from the recording and becomes part of a path, so it must not contain a
	 * slash.
	 */
	if (len < 3 || name[0] != '[' || name[len - 1] != ']' || memchr(name, '/', len))
		return HOST_DIFFERS;
	path = xasprintf("/sys/module/%.*s/notes/.note.gnu.build-id", (int)len - 2, name + 1);
	if (file_has_id(path, module))
		ret = HOST_SAME_BUILD;
	free(path);
	return ret;
}
