/* SPDX-License-Identifier: MIT */
#include "symbols/find/file_places.h"

#include <string.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/find/debuginfod.h"
#include "symbols/elf/gnu_debugdata.h"
#include "symbols/elf/readfile.h"

#define DEBUG_ROOT "/usr/lib/debug"

/* Sets *ret to path (malloc'd, taken over). NULL: the store has no such place and is skipped. */
static enum file_answer answer_path(struct file_found *ret, char *path)
{
	ret->path = path;
	return path ? FILE_AT : FILE_SKIPPED;
}

/* Returns the only answer of a store with one place: the path a, b and c joined. */
static enum file_answer answer_joined(const struct file_query *q, unsigned int turn,
				      struct file_found *ret, const char *a, const char *b,
				      const char *c)
{
	enum file_answer answer;
	char *path;

	if (turn || !q->self)
		return FILE_NO_MORE;
	path = xasprintf("%s%s%s", a, b, c);
	answer = answer_path(ret, file_query_on_machine(q, path));
	free(path);
	return answer;
}

/*
 * Returns place number i, malloc'd, where the debug file may be that .gnu_debuglink of the file at
 * q->self names.
 */
static char *link_place(const struct file_query *q, const char *name, unsigned int i)
{
	const char *self = q->self, *slash = strrchr(self, '/'), *dir = self;
	int dir_len = slash ? (int)(slash - self) : 0;
	char *global, *ret;

	switch (i) {
	case 0:
		return q->cfg->hermetic
			       ? NULL
			       : xstrdup(name); /* relative to the current folder, as in perf */
	case 1: return xasprintf("%.*s/%s", dir_len, self, name);
	case 2: return xasprintf("%.*s/.debug/%s", dir_len, self, name);
	}
	if (symbols_has_symfs(q->cfg))
		dir += strlen(q->cfg->symfs);
	global = xasprintf(DEBUG_ROOT "%.*s/%s", dir_len - (int)(dir - self), dir, name);
	ret = file_query_on_machine(q, global);
	free(global);
	return ret;
}

static enum file_answer find_link(struct file_query *q, unsigned int turn, struct file_found *ret)
{
	struct object *o = file_query_self(q);

	/* Only the first linked file that exists is read for symbols. */
	if (turn == 4 || !o || (q->store_has_file && q->has_dwarf) ||
	    !debuglink_read(o, &ret->link))
		return FILE_NO_MORE;
	if (!debuglink_is_name(&ret->link)) {
		if (!turn)
			diag_warn(q->cfg->diag,
				  "%s: its .gnu_debuglink is not followed: it names a path, '%s', "
				  "and should name a file only: build the file again",
				  q->self, ret->link.name);
		return FILE_NO_MORE;
	}
	ret->is_linked = true;
	ret->path = link_place(q, ret->link.name, turn);
	if (ret->path && turn == 0 && regular_file_find(ret->path, NULL) != FILE_FINE) {
		free(ret->path);
		ret->path = NULL;
	}
	return ret->path ? FILE_AT : FILE_SKIPPED;
}

static enum file_answer find_in_cache(struct file_query *q, unsigned int turn,
				      struct file_found *ret, const char *name)
{
	char hex[BUILD_ID_HEX], *dir, *path;

	if (turn || !q->build_id_size)
		return FILE_NO_MORE;
	path = build_id_cache_path(q->cfg, q->build_id, q->build_id_size, name);
	dir = path ? NULL : build_id_cache_dir(q->cfg);
	/* --why shows the place where the file would be */
	if (dir) {
		build_id_hex(q->build_id, q->build_id_size, hex);
		path = xasprintf("%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, name);
	}
	free(dir);
	return answer_path(ret, path);
}

static enum file_answer find_cache_elf(struct file_query *q, unsigned int turn,
				       struct file_found *ret)
{
	ret->is_recorded_file = q->desc->id_is_cache_key;
	return find_in_cache(q, turn, ret, "elf");
}

static enum file_answer find_cache_debug(struct file_query *q, unsigned int turn,
					 struct file_found *ret)
{
	return find_in_cache(q, turn, ret, "debug");
}

static enum file_answer find_debug_path(struct file_query *q, unsigned int turn,
					struct file_found *ret)
{
	return answer_joined(q, turn, ret, DEBUG_ROOT, q->desc->name, ".debug");
}

static enum file_answer find_debug_same(struct file_query *q, unsigned int turn,
					struct file_found *ret)
{
	return answer_joined(q, turn, ret, DEBUG_ROOT, q->desc->name, "");
}

static enum file_answer find_debug_usr(struct file_query *q, unsigned int turn,
				       struct file_found *ret)
{
	if (strncmp(q->desc->name, "/usr/lib/", 9))
		return FILE_NO_MORE;
	return answer_joined(q, turn, ret, DEBUG_ROOT, q->desc->name + 4, "");
}

static enum file_answer find_debug_id(struct file_query *q, unsigned int turn,
				      struct file_found *ret)
{
	char hex[BUILD_ID_HEX], *path;
	enum file_answer answer;
	size_t sizes[4];

	build_id_sizes(q->build_id_size, sizes);
	if (!q->build_id_size || turn >= ARRAY_SIZE(sizes) || !sizes[turn])
		return FILE_NO_MORE;
	build_id_hex(q->build_id, sizes[turn], hex);
	path = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
	answer = answer_path(ret, file_query_on_machine(q, path));
	free(path);
	return answer;
}

static enum file_answer find_debugdata(struct file_query *q, unsigned int turn,
				       struct file_found *ret)
{
	struct object *o = turn || q->has_symbols ? NULL : file_query_self(q);

	if (!o || !object_section(o, ".gnu_debugdata"))
		return FILE_NO_MORE;
	/* The outer file's build-id decides: some inner ones have none. */
	if (q->build_id_size &&
	    !build_id_equal(q->build_id, q->build_id_size, o->build_id, o->build_id_size))
		return FILE_NO_MORE;
	ret->path = xstrdup(q->self);
	if (gnu_debugdata_open(o, &ret->object, NULL)) {
		ret->object = o;
		ret->why = "its .gnu_debugdata is damaged";
		return FILE_REFUSED;
	}
	memcpy(ret->object->build_id, o->build_id, sizeof(o->build_id));
	ret->object->build_id_size = o->build_id_size;
	return FILE_OPENED;
}

static enum file_answer find_recorded(struct file_query *q, unsigned int turn,
				      struct file_found *ret)
{
	if (turn || !q->self)
		return FILE_NO_MORE;
	ret->path = xstrdup(q->self);
	ret->object = file_query_take_self(q);
	return ret->object ? FILE_OPENED : FILE_AT;
}

static enum file_answer find_dot_debug(struct file_query *q, unsigned int turn,
				       struct file_found *ret)
{
	const char *name = q->desc->name, *slash = strrchr(name, '/');
	enum file_answer answer;
	char *dir;

	if (!slash)
		return FILE_NO_MORE;
	dir = xstrndup(name, (size_t)(slash - name));
	answer = answer_joined(q, turn, ret, dir, "/.debug", slash);
	free(dir);
	return answer;
}

static enum file_answer find_on_servers(struct file_query *q, unsigned int turn,
					struct file_found *ret)
{
	static const char *const names[DEBUGINFOD_KINDS] = { "debuginfod: debuginfo",
							     "debuginfod: executable" };
	struct debuginfod *client = q->cfg->debuginfod_client;

	if (turn >= DEBUGINFOD_KINDS || !client)
		return FILE_NO_MORE;
	if (turn == DEBUGINFOD_DEBUGINFO ? q->has_dwarf && q->has_symbols : q->has_code)
		return FILE_SKIPPED;
	if (!debuginfod_wants(client, q->desc->name))
		ret->why = "not asked: it is in less than 1 % of the samples";
	else
		ret->path = debuginfod_fetch(client, (enum debuginfod_kind)turn, q->build_id,
					     q->build_id_size, &ret->why);
	if (ret->path)
		return FILE_AT;
	ret->path = xstrdup(names[turn]);
	return FILE_REFUSED;
}

const struct file_store_ops link_store = { 'l', find_link };
const struct file_store_ops cache_elf_store = { 'B', find_cache_elf };
const struct file_store_ops cache_debug_store = { 'D', find_cache_debug };
const struct file_store_ops debug_path_store = { 'f', find_debug_path };
const struct file_store_ops debug_same_store = { 'u', find_debug_same };
const struct file_store_ops debug_id_store = { 'b', find_debug_id };
const struct file_store_ops debugdata_store = { 'n', find_debugdata };
const struct file_store_ops recorded_store = { 'd', find_recorded };
const struct file_store_ops dot_debug_store = { 'o', find_dot_debug };
const struct file_store_ops debug_usr_store = { 'x', find_debug_usr };
const struct file_store_ops debuginfod_store = { 'i', find_on_servers };
