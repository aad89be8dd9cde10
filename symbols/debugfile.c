/* SPDX-License-Identifier: MIT */
#include "symbols/debugfile.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "symbols/elf_symtab.h"
#include "symbols/gnu_debugdata.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define DELETED " (deleted)"

struct search {
	const struct symbols_config *cfg;
	const struct dso_desc *desc;
	struct debugfile *ret;
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
	bool saw_other_id, saw_broken, saw_stripped;
};

void build_id_hex(const u8 *build_id, size_t size, char ret[BUILD_ID_HEX])
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;

	for (size_t i = 0; i < size && i < BUILD_ID_MAX; i++) {
		ret[n++] = digits[build_id[i] >> 4];
		ret[n++] = digits[build_id[i] & 15];
	}
	ret[n] = 0;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool has_symfs(const struct symbols_config *cfg)
{
	return cfg->symfs && *cfg->symfs;
}

/* path below --symfs, malloc'd; NULL when a hermetic search must not look there. */
static char *in_symfs(const struct search *s, const char *path)
{
	if (has_symfs(s->cfg))
		return xasprintf("%s%s%s", s->cfg->symfs, *path == '/' ? "" : "/", path);
	return s->cfg->hermetic ? NULL : xstrdup(path);
}

/*
 * Number of bytes of the id, then those sizes it may have been cut from: zero bytes at its end are
 * not told from padding by older files. 0 ends the list.
 */
static void id_sizes(size_t size, size_t ret[4])
{
	size_t n = 0;

	ret[n++] = size;
	if (size < 16)
		ret[n++] = 16;
	if (size < BUILD_ID_MAX)
		ret[n++] = BUILD_ID_MAX;
	ret[n] = 0;
}

/* As perf: with --symfs, the cache of the machine whose files lie there counts, not this one's. */
char *debugfile_cache_dir(const struct symbols_config *cfg)
{
	const char *home;

	if (cfg->buildid_dir)
		return *cfg->buildid_dir ? xstrdup(cfg->buildid_dir) : NULL;
	if (has_symfs(cfg))
		return xasprintf("%s/.debug", cfg->symfs);
	home = cfg->hermetic ? NULL : getenv("HOME");
	return home && *home ? xasprintf("%s/.debug", home) : NULL;
}

char *debugfile_cache_path(const struct symbols_config *cfg, const u8 *build_id, size_t size,
			   const char *name)
{
	char *dir = size ? debugfile_cache_dir(cfg) : NULL, *ret = NULL;
	u8 padded[BUILD_ID_MAX] = { 0 };
	size_t sizes[4];

	if (!dir || size > BUILD_ID_MAX)
		goto out;
	memcpy(padded, build_id, size);
	id_sizes(size, sizes);
	for (size_t i = 0; sizes[i] && !ret; i++) {
		char hex[BUILD_ID_HEX], *link;

		build_id_hex(padded, sizes[i], hex);
		link = xasprintf("%s/.build-id/%.2s/%s", dir, hex, hex + 2);
		if (is_file(link)) {
			ret = link;
			continue;
		}
		ret = xasprintf("%s/%s", link, name);
		free(link);
		if (!is_file(ret)) {
			free(ret);
			ret = NULL;
		}
	}
out:
	free(dir);
	return ret;
}

static void note_try(struct search *s, const char *path, char letter, const char *why)
{
	struct debugfile *d = s->ret;

	vec_push(d->tries, d->nr_tries, d->cap_tries,
		 ((struct debugfile_try){ .path = xstrdup(path), .letter = letter, .why = why }));
}

/*
 * With an id recorded, a file with another or without any is not the one that ran; so perf 7.2 too.
 */
static bool is_other_build(const struct search *s, const struct object *o)
{
	return s->build_id_size &&
	       !build_id_equal(s->build_id, s->build_id_size, o->build_id, o->build_id_size);
}

static bool is_done(const struct search *s)
{
	return s->ret->symbols && s->ret->runtime;
}

/* Takes o, opened from path, for the roles that are still open; closes it when for none. */
static void take(struct search *s, struct object *o, const char *path, char letter)
{
	struct debugfile *d = s->ret;
	bool symbols = !d->symbols && elf_has_symtab(o), runtime = !d->runtime && elf_is_runtime(o);

	if (is_other_build(s, o)) {
		note_try(s, path, letter, "its build-id differs");
		s->saw_other_id = true;
		object_close(o);
		return;
	}
	if (symbols) {
		d->symbols = o;
		d->letter = letter;
	}
	if (runtime)
		d->runtime = o;
	if (symbols || runtime) {
		note_try(s, path, letter,
			 symbols && runtime ? "both"
			 : symbols          ? "symbols"
					    : "runtime");
	} else {
		note_try(s, path, letter, "no symbols in it");
		s->saw_stripped = true;
		object_close(o);
	}
}

/* path (malloc'd, NULL allowed) is consumed. */
static void try_file(struct search *s, char *path, char letter)
{
	struct object *o;

	if (!path || is_done(s))
		goto out;
	if (!is_file(path)) {
		note_try(s, path, letter, "no such file");
		goto out;
	}
	if (object_open(path, &o, NULL)) {
		note_try(s, path, letter, "not a readable ELF file");
		s->saw_broken = true;
		goto out;
	}
	take(s, o, path, letter);
out:
	free(path);
}

static void try_debugdata(struct search *s, char *path)
{
	struct object *o = NULL, *inner;

	if (!path || is_done(s) || s->ret->symbols || !is_file(path) || object_open(path, &o, NULL))
		goto out;
	/* The build-id that counts is the outer file's: not every inner one has a copy. */
	if (is_other_build(s, o))
		goto out;
	if (gnu_debugdata_open(o, &inner, NULL))
		goto out;
	memcpy(inner->build_id, o->build_id, sizeof(o->build_id));
	inner->build_id_size = o->build_id_size;
	take(s, inner, path, 'n');
out:
	object_close(o);
	free(path);
}

/* Name in .gnu_debuglink, "" when the file has none. */
static const char *debuglink_of(const struct object *o)
{
	const char *name = object_string(object_bytes(o, object_section(o, ".gnu_debuglink")), 0);

	return name ? name : "";
}

static void try_debuglink(struct search *s, const char *self)
{
	const char *slash = self ? strrchr(self, '/') : NULL, *link;
	int dir_len = slash ? (int)(slash - self) : 0;
	struct object *o;

	if (!self || object_open(self, &o, NULL))
		return;
	link = debuglink_of(o);
	if (*link) {
		char *places[] = {
			s->cfg->hermetic ? NULL : xstrdup(link),
			xasprintf("%.*s/%s", dir_len, self, link),
			xasprintf("%.*s/.debug/%s", dir_len, self, link),
			s->cfg->hermetic ? NULL
					 : xasprintf(DEBUG_ROOT "%.*s/%s", dir_len, self, link),
		};
		bool found = false;

		/* Only the first that exists is looked into. */
		for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
			if (places[i] && !found && is_file(places[i])) {
				found = true;
				try_file(s, places[i], 'l');
			} else {
				free(places[i]);
			}
		}
	}
	object_close(o);
}

static void try_id_debug(struct search *s)
{
	size_t sizes[4];

	if (!s->build_id_size)
		return;
	id_sizes(s->build_id_size, sizes);
	for (size_t i = 0; sizes[i] && !is_done(s); i++) {
		char hex[BUILD_ID_HEX], *inner;

		build_id_hex(s->build_id, sizes[i], hex);
		inner = xasprintf(DEBUG_ROOT "/.build-id/%.2s/%s.debug", hex, hex + 2);
		try_file(s, in_symfs(s, inner), 'b');
		free(inner);
	}
}

/* What the recording did not tell, the file at the recorded path does. */
static void learn_build_id(struct search *s, const char *self)
{
	struct object *o;

	if (s->build_id_size || !self || !is_file(self) || object_open(self, &o, NULL))
		return;
	memcpy(s->build_id, o->build_id, o->build_id_size);
	s->build_id_size = o->build_id_size;
	object_close(o);
}

static char *joined_in_symfs(const struct search *s, const char *a, const char *b, const char *c)
{
	char *path = xasprintf("%s%s%s", a, b, c), *ret = in_symfs(s, path);

	free(path);
	return ret;
}

static void try_all(struct search *s)
{
	const char *name = s->desc->name, *slash = strrchr(name, '/');
	size_t n = strlen(name);
	bool deleted = n >= strlen(DELETED) && !strcmp(name + n - strlen(DELETED), DELETED);
	char *self = deleted ? NULL : in_symfs(s, name);

	learn_build_id(s, self);
	if (self)
		try_debuglink(s, self);
	try_file(s, debugfile_cache_path(s->cfg, s->build_id, s->build_id_size, "elf"), 'B');
	try_file(s, debugfile_cache_path(s->cfg, s->build_id, s->build_id_size, "debug"), 'D');
	if (self) {
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name, ".debug"), 'f');
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name, ""), 'u');
	}
	try_id_debug(s);
	if (!self)
		return;
	try_debugdata(s, xstrdup(self));
	try_file(s, self, 'd');
	if (slash) {
		char *dir = xstrndup(name, (size_t)(slash - name));

		try_file(s, joined_in_symfs(s, dir, "/.debug", slash), 'o');
		free(dir);
	}
	if (!strncmp(name, "/usr/lib/", 9))
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name + 4, ""), 'x');
}

void debugfile_find(const struct symbols_config *cfg, const struct dso_desc *desc,
		    struct debugfile *ret)
{
	struct search s = { .cfg = cfg, .desc = desc, .ret = ret };

	*ret = (struct debugfile){ .letter = '!' };
	if (desc->build_id_size <= BUILD_ID_MAX) {
		memcpy(s.build_id, desc->build_id, desc->build_id_size);
		s.build_id_size = desc->build_id_size;
	}
	try_all(&s);
	if (ret->runtime && !ret->symbols) {
		ret->symbols = ret->runtime;
		for (size_t i = 0; i < ret->nr_tries; i++)
			if (!strcmp(ret->tries[i].why, "runtime"))
				ret->letter = ret->tries[i].letter;
	}
	if (ret->symbols && !ret->runtime)
		ret->runtime = ret->symbols;
	if (ret->symbols)
		ret->status = elf_has_symtab(ret->symbols) ? DSO_LOADED : DSO_STRIPPED;
	else if (s.saw_other_id)
		ret->status = DSO_BUILD_ID_DIFFERS;
	else if (s.saw_broken)
		ret->status = DSO_BROKEN;
	else
		ret->status = s.saw_stripped ? DSO_STRIPPED : DSO_FILE_MISSING;
}

void debugfile_fini(struct debugfile *d)
{
	if (d->runtime != d->symbols)
		object_close(d->runtime);
	object_close(d->symbols);
	for (size_t i = 0; i < d->nr_tries; i++)
		free(d->tries[i].path);
	free(d->tries);
	*d = (struct debugfile){ 0 };
}
