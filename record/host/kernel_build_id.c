/* SPDX-License-Identifier: MIT */
#include "record/host/kernel_build_id.h"

#include <stdio.h>

#include "base/mem.h"
#include "symbols/kernel/hostkernel.h"
#include "symbols/elf/readfile.h"

#define MAX_NOTES ((size_t)1 << 20)

size_t sysfs_build_id(const struct rec_host *host, const char *rest, u8 ret[20])
{
	char *path = rec_host_path(host->sysfs, "%s", rest);
	void *buf;
	size_t n, id_size = 0;

	if (!read_file(path, MAX_NOTES, &buf, &n, NULL)) {
		id_size = notes_build_id(span_of(buf, n), ret);
		free(buf);
	}
	free(path);
	return id_size;
}

size_t module_build_id(const struct rec_host *host, struct span name, u8 ret[20])
{
	char rest[256];

	if (!name.n || name.n > 128 || memchr(name.p, '/', name.n))
		return 0;
	snprintf(rest, sizeof(rest), "module/%.*s/notes/.note.gnu.build-id", (int)name.n, name.p);
	return sysfs_build_id(host, rest, ret);
}
