/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/altlink.h"

#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/find/debuginfod.h"
#include "symbols/find/debuglink.h"

#define DEBUG_ROOT "/usr/lib/debug"

struct alt_search {
	const struct symbols_config *cfg;
	const struct altlink *link;
	struct debugfile_try **tries;
	size_t *nr, *cap;
	struct object *found;
};

/* Tries the alternate debug file at path. Frees path, which is malloc'd or NULL. */
static void try_path(struct alt_search *s, char *path, char letter)
{
	const struct file_rules rules = symbols_file_rules(s->cfg);
	struct debugfile_try t = { .path = path, .letter = letter };
	struct object *o = NULL;
	enum file_fault fault;

	if (!path || s->found)
		goto out;
	fault = regular_file_find(path, &rules);
	if (fault != FILE_FINE) {
		t.why = file_fault_text(fault);
		symbols_warn_refused(s->cfg, path, fault);
	} else if (object_open_by(path, &rules, &o, NULL)) {
		t.why = "not a readable ELF file";
	} else {
		memcpy(t.build_id, o->build_id, sizeof(t.build_id));
		t.build_id_size = o->build_id_size;
		if (!build_id_equal(o->build_id, o->build_id_size, s->link->build_id,
				    s->link->build_id_size)) {
			t.why = o->build_id_size ? "its build-id differs" : "it has no build-id";
			object_close(o);
		} else {
			t.roles = DEBUGFILE_DWARF;
			s->found = o;
		}
	}
	debugfile_note(s->tries, s->nr, s->cap, &t);
out:
	free(path);
}

/*
 * Returns where this machine has the file with this recorded path, malloc'd: with --symfs, below
 * that folder.
 */
static char *on_machine(const struct symbols_config *cfg, const char *path)
{
	if (cfg->symfs && *cfg->symfs)
		return xasprintf("%s%s", cfg->symfs, path);
	return cfg->hermetic ? NULL : xstrdup(path);
}

static void try_debuginfod(struct alt_search *s)
{
	char name[] = "debuginfod: debuginfo";
	struct debugfile_try t = { .path = name, .letter = 'i' };
	char *path;

	if (s->found || !s->cfg->debuginfod_client)
		return;
	path = debuginfod_fetch(s->cfg->debuginfod_client, DEBUGINFOD_DEBUGINFO, s->link->build_id,
				s->link->build_id_size, &t.why);
	if (path)
		try_path(s, path, 'i');
	else
		debugfile_note(s->tries, s->nr, s->cap, &t);
}

struct object *altlink_find(const struct symbols_config *cfg, const struct object *o,
			    struct debugfile_try **tries, size_t *nr, size_t *cap)
{
	struct altlink link;
	struct alt_search s = { cfg, &link, tries, nr, cap, NULL };
	const char *slash = strrchr(o->path, '/'), *base;
	int dir = slash ? (int)(slash - o->path) : 1;
	char hex[BUILD_ID_HEX], *inner;

	if (!altlink_read(o, &link))
		return NULL;
	base = strrchr(link.path, '/');
	base = base ? base + 1 : link.path;
	build_id_hex(link.build_id, link.build_id_size, hex);
	if (*link.path == '/')
		try_path(&s, on_machine(cfg, link.path), 'a');
	else
		try_path(&s, xasprintf("%.*s/%s", dir, slash ? o->path : ".", link.path), 'a');
	/*
	 * Debian and Fedora keep all alternate files in one folder, which is right even if the
	 * object's own file was moved.
	 */
	inner = xasprintf(DEBUG_ROOT "/.dwz/%s", base);
	try_path(&s, on_machine(cfg, inner), 'a');
	free(inner);
	try_path(&s, xasprintf("%.*s/.dwz/%s", dir, slash ? o->path : ".", base), 'a');
	inner = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
	try_path(&s, on_machine(cfg, inner), 'b');
	free(inner);
	try_path(&s, build_id_cache_path(cfg, link.build_id, link.build_id_size, "debug"), 'D');
	try_path(&s, build_id_cache_path(cfg, link.build_id, link.build_id_size, "elf"), 'B');
	try_debuginfod(&s);
	return s.found;
}
