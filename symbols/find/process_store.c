/* SPDX-License-Identifier: MIT */
/* Files of a recorded process that still runs, as it sees them: in a container, or replaced since.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "symbols/elf/build_id_file.h"
#include "symbols/elf/readfile.h"
#include "symbols/find/file_places.h"
#include "symbols/find/live_process.h"

#define DEBUG_ROOT "/usr/lib/debug"

enum place { AT_PATH, AT_DEBUG_ID, AT_LINK_BESIDE, AT_LINK_DOT_DEBUG, AT_LINK_DEBUG_ROOT, AT_EXE };

/* True if the process has the recorded inode at the recorded path. */
static bool has_recorded_inode(const struct file_query *q)
{
	char *path = xasprintf("/proc/%" PRIu32 "/root%s", q->desc->recorded.pid, q->desc->name);
	struct stat st;
	bool same = q->desc->ino && !stat(path, &st) && st.st_ino == q->desc->ino;

	free(path);
	return same;
}

/* True if the process may have files that this one does not find at their recorded paths. */
static bool is_usable(const struct file_query *q)
{
	const struct recorded_process *p = &q->desc->recorded;

	if (q->cfg->hermetic || symbols_has_symfs(q->cfg) || !p->pid || q->desc->name[0] != '/')
		return false;
	if (!live_process_is(p))
		return false;
	/* Without a build-id it must be sure that the process is the recorded one. */
	return q->build_id_size || p->mount_ns || has_recorded_inode(q);
}

/* Returns the path that .gnu_debuglink of the process's file leads to, malloc'd, or NULL. */
static char *link_path(const struct file_query *q, enum place place)
{
	const char *name = q->desc->name, *slash = strrchr(name, '/');
	char *path = xasprintf("/proc/%" PRIu32 "/root%s", q->desc->recorded.pid, name),
	     *ret = NULL;
	int dir = (int)(slash - name), root = (int)(strlen(path) - strlen(name));
	struct debuglink link;
	struct object *o = NULL;

	if (regular_file_find(path, NULL) || object_open(path, &o, NULL) ||
	    !debuglink_read(o, &link) || strchr(link.name, '/'))
		goto out;
	if (place == AT_LINK_BESIDE)
		ret = xasprintf("%.*s/%s", root + dir, path, link.name);
	else if (place == AT_LINK_DOT_DEBUG)
		ret = xasprintf("%.*s/.debug/%s", root + dir, path, link.name);
	else
		ret = xasprintf("%.*s" DEBUG_ROOT "%.*s/%s", root, path, dir, name, link.name);
out:
	object_close(o);
	free(path);
	return ret;
}

/* Returns the path of the program that the process runs, malloc'd, if that is the object. */
static char *exe_path(const struct file_query *q)
{
	char *path = xasprintf("/proc/%" PRIu32 "/exe", q->desc->recorded.pid);
	u8 id[BUILD_ID_MAX];
	size_t n = build_id_of_path(path, id);

	if (n && build_id_equal(q->build_id, q->build_id_size, id, n))
		return path;
	free(path);
	return NULL;
}

static char *place_path(const struct file_query *q, enum place place)
{
	const u32 pid = q->desc->recorded.pid;
	char hex[BUILD_ID_HEX];

	switch (place) {
	case AT_PATH: return xasprintf("/proc/%" PRIu32 "/root%s", pid, q->desc->name);
	case AT_DEBUG_ID:
		build_id_hex(q->build_id, q->build_id_size, hex);
		return q->build_id_size ? xasprintf("/proc/%" PRIu32 "/root" DEBUG_ROOT
						    "/.build-id/%.2s/%s.debug",
						    pid, hex, hex + 2)
					: NULL;
	case AT_LINK_BESIDE:
	case AT_LINK_DOT_DEBUG:
	case AT_LINK_DEBUG_ROOT: return link_path(q, place);
	case AT_EXE: return exe_path(q);
	}
	return NULL;
}

static enum file_answer find_in_process(struct file_query *q, unsigned int turn,
					struct file_found *ret)
{
	bool same_files;

	if (turn > AT_EXE || !is_usable(q))
		return FILE_NO_MORE;
	same_files = !live_process_has_other_files(q->desc->recorded.pid);
	if (same_files && turn != AT_EXE)
		return FILE_SKIPPED;
	ret->path = place_path(q, (enum place)turn);
	if (!ret->path)
		return FILE_SKIPPED;
	if (turn != AT_PATH && regular_file_find(ret->path, NULL)) {
		free(ret->path);
		ret->path = NULL;
		return FILE_SKIPPED;
	}
	ret->is_recorded_file =
		turn == AT_PATH && q->desc->id_is_cache_key && has_recorded_inode(q);
	return FILE_AT;
}

const struct file_store_ops process_store = { 'd', find_in_process };
