/* SPDX-License-Identifier: MIT */
#include "record/keep/debug_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/build_id.h"
#include "symbols/elf/build_id_file.h"
#include "symbols/elf/debuglink_file.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define NR_PLACES 4

/* Returns place number i of a debug file, malloc'd; NULL: there is no such place. */
static char *place(unsigned int i, const char *path, const char *link, const struct pd_build_id *id)
{
	const char *slash = strrchr(path, '/');
	int dir = slash ? (int)(slash - path) : 0;
	char hex[BUILD_ID_HEX];

	if (i == 0) {
		build_id_hex(id->data, id->size, hex);
		return xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
	}
	/* a name with slashes or dots only would lead out of the folder */
	if (!link || strchr(link, '/') || !strcmp(link, "..") || !strcmp(link, "."))
		return NULL;
	switch (i) {
	case 1: return xasprintf("%.*s/%s", dir, path, link);
	case 2: return xasprintf("%.*s/.debug/%s", dir, path, link);
	case 3: return xasprintf(DEBUG_ROOT "%.*s/%s", dir, path, link);
	}
	return NULL;
}

static bool has_id(int fd, const struct pd_build_id *id)
{
	u8 found[20];
	size_t n = build_id_of_fd(fd, found);

	return n && build_id_equal(found, n, id->data, id->size);
}

static bool host_has(const char *path, const struct pd_build_id *id)
{
	int fd = process_files_open_host(path);
	bool has = fd >= 0 && has_id(fd, id);

	if (fd >= 0)
		close(fd);
	return has;
}

int debug_file_open(const struct process_files *f, u32 root, const char *path, int fd,
		    const struct pd_build_id *id)
{
	char link[DEBUGLINK_NAME_MAX];
	bool linked = debuglink_of_fd(fd, link);

	for (unsigned int i = 0; i < NR_PLACES; i++) {
		char *p = place(i, path, linked ? link : NULL, id);
		int found = p ? process_files_open(f, root, p) : -1;
		bool here = found >= 0 && i == 0 && host_has(p, id);

		free(p);
		if (found >= 0 && !here && has_id(found, id))
			return found;
		if (found >= 0)
			close(found);
		if (here)
			return -1;
	}
	return -1;
}
