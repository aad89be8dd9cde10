/* SPDX-License-Identifier: MIT */
#include "symbols/debugfile.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/build_id_cache.h"
#include "symbols/debuginfod.h"
#include "symbols/debuglink.h"
#include "symbols/elf_symtab.h"
#include "symbols/gnu_debugdata.h"
#include "symbols/readfile.h"

#define DEBUG_ROOT "/usr/lib/debug"
#define DELETED " (deleted)"

struct search {
	const struct symbols_config *cfg;
	const struct dso_desc *desc;
	struct debugfile *ret;
	u8 build_id[BUILD_ID_MAX];
	u8 build_id_size;
	/* The file at the recorded path, which several ask: opened once, by open_self. */
	struct object *self;
	bool self_tried;
	struct perr self_error; /* with self_tried, and without self */
	bool saw_other_id, saw_broken, saw_stripped;
};

/* path below --symfs, malloc'd; NULL when a hermetic search must not look there. */
static char *in_symfs(const struct search *s, const char *path)
{
	if (symbols_has_symfs(s->cfg))
		return xasprintf("%s%s%s", s->cfg->symfs, *path == '/' ? "" : "/", path);
	return s->cfg->hermetic ? NULL : xstrdup(path);
}

void debugfile_note(struct debugfile_try **tries, size_t *nr, size_t *cap,
		    const struct debugfile_try *t)
{
	struct debugfile_try copy = *t;

	copy.path = xstrdup(t->path);
	if (!copy.why)
		copy.why = "";
	vec_push(*tries, *nr, *cap, copy);
}

/* o: what was there, NULL when it was not read. */
static void note_try(struct search *s, const char *path, char letter, const struct object *o,
		     unsigned int roles, const char *why)
{
	struct debugfile *d = s->ret;
	struct debugfile_try t = { (char *)path, letter, roles, why, { 0 }, 0 };

	if (o) {
		memcpy(t.build_id, o->build_id, sizeof(t.build_id));
		t.build_id_size = o->build_id_size;
	}
	debugfile_note(&d->tries, &d->nr_tries, &d->cap_tries, &t);
}

static void refuse(struct search *s, const char *path, char letter, const struct object *o,
		   const char *why)
{
	note_try(s, path, letter, o, 0, why);
}

/*
 * With an id recorded, a file with another or without any is not the one that ran; so perf 7.2 too.
 */
static bool is_other_build(const struct search *s, const struct object *o)
{
	return s->build_id_size &&
	       !build_id_equal(s->build_id, s->build_id_size, o->build_id, o->build_id_size);
}

static bool has_both(const struct search *s)
{
	return s->ret->symbols && s->ret->runtime;
}

static bool is_done(const struct search *s)
{
	return has_both(s) && s->ret->dwarf;
}

static const char *nothing_in_it(const struct search *s, const struct object *o)
{
	if (s->ret->symbols && s->ret->runtime)
		return "no debug information in it";
	if (s->ret->symbols && elf_has_symtab(o))
		return "symbols found before";
	return s->ret->symbols ? "no code and no debug information in it" : "no symbols in it";
}

/* Takes o, opened from path, for the roles that are still open; closes it when for none. */
static void take(struct search *s, struct object *o, const char *path, char letter)
{
	struct debugfile *d = s->ret;
	unsigned int roles = 0;

	if (is_other_build(s, o)) {
		refuse(s, path, letter, o,
		       o->build_id_size ? "its build-id differs" : "it has no build-id");
		s->saw_other_id = true;
		object_close(o);
		return;
	}
	if (!d->symbols && elf_has_symtab(o))
		roles |= DEBUGFILE_SYMBOLS;
	if (!d->runtime && (elf_is_runtime(o) || elf_has_code(o)))
		roles |= DEBUGFILE_CODE;
	if (!d->dwarf && object_has_dwarf(o))
		roles |= DEBUGFILE_DWARF;
	note_try(s, path, letter, o, roles, roles ? "" : nothing_in_it(s, o));
	if (roles & DEBUGFILE_SYMBOLS) {
		d->symbols = o;
		d->letter = letter;
	}
	if (roles & DEBUGFILE_CODE)
		d->runtime = o;
	if (roles & DEBUGFILE_DWARF)
		d->dwarf = o;
	if (!(roles & (DEBUGFILE_SYMBOLS | DEBUGFILE_CODE)))
		s->saw_stripped = true;
	if (!roles)
		object_close(o);
}

/* NULL where it cannot be had. */
static struct object *open_self(struct search *s, const char *self)
{
	if (!s->self_tried && object_open(self, &s->self, &s->self_error))
		s->self = NULL;
	s->self_tried = true;
	return s->self;
}

static void refuse_unreadable(struct search *s, const char *path, char letter, const struct perr *e)
{
	refuse(s, path, letter, NULL,
	       e->code == PERR_IO ? "it cannot be read" : "not a readable ELF file");
	s->saw_broken = true;
}

/* path (malloc'd, NULL allowed) is consumed. link: what named the file, NULL when nothing did. */
static void try_linked(struct search *s, char *path, char letter, const struct debuglink *link)
{
	struct object *o;
	struct perr e;

	if (!path || is_done(s))
		goto out;
	if (!file_is_regular(path)) {
		refuse(s, path, letter, NULL, "no such file");
		goto out;
	}
	if (object_open(path, &o, &e)) {
		refuse_unreadable(s, path, letter, &e);
		goto out;
	}
	/* Where there are ids they decide: tools that work on debug files leave the sum as it was.
	 */
	if (link && !s->build_id_size && !(link->has_crc && debuglink_crc_matches(o, link->crc))) {
		refuse(s, path, letter, o, "its checksum is not that of .gnu_debuglink");
		object_close(o);
		goto out;
	}
	take(s, o, path, letter);
out:
	free(path);
}

static void try_file(struct search *s, char *path, char letter)
{
	try_linked(s, path, letter, NULL);
}

static void try_self(struct search *s, const char *self)
{
	struct object *o;

	if (is_done(s))
		return;
	if (!file_is_regular(self)) {
		refuse(s, self, 'd', NULL, "no such file");
		return;
	}
	o = open_self(s, self);
	s->self = NULL;
	if (o)
		take(s, o, self, 'd');
	else
		refuse_unreadable(s, self, 'd', &s->self_error);
}

static void try_debugdata(struct search *s, const char *self)
{
	struct object *o, *inner;

	if (s->ret->symbols || !file_is_regular(self))
		return;
	o = open_self(s, self);
	/* The build-id that counts is the outer file's: not every inner one has a copy. */
	if (!o || is_other_build(s, o) || !object_section(o, ".gnu_debugdata"))
		return;
	if (gnu_debugdata_open(o, &inner, NULL)) {
		refuse(s, self, 'n', o, "its .gnu_debugdata is damaged");
		return;
	}
	memcpy(inner->build_id, o->build_id, sizeof(o->build_id));
	inner->build_id_size = o->build_id_size;
	take(s, inner, self, 'n');
}

static void try_debuglink(struct search *s, const char *self)
{
	const char *slash = self ? strrchr(self, '/') : NULL;
	int dir_len = slash ? (int)(slash - self) : 0;
	struct debuglink link;
	struct object *o;

	o = self ? open_self(s, self) : NULL;
	if (o && debuglink_read(o, &link)) {
		const char *dir = symbols_has_symfs(s->cfg) ? self + strlen(s->cfg->symfs) : self;
		char *global = xasprintf(DEBUG_ROOT "%.*s/%s", dir_len - (int)(dir - self), dir,
					 link.name);
		char *places[] = {
			/* as it stands: relative to the current folder, as perf has it */
			s->cfg->hermetic ? NULL : xstrdup(link.name),
			xasprintf("%.*s/%s", dir_len, self, link.name),
			xasprintf("%.*s/.debug/%s", dir_len, self, link.name),
			in_symfs(s, global),
		};
		bool found = false;

		free(global);
		/* For the symbols, only the first that exists is looked into. */
		for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
			if (!places[i] || (found && s->ret->dwarf) ||
			    (i == 0 && !file_is_regular(places[i]))) {
				free(places[i]);
				continue;
			}
			found |= file_is_regular(places[i]);
			try_linked(s, places[i], 'l', &link);
		}
	}
}

static void try_id_debug(struct search *s)
{
	size_t sizes[4];

	if (!s->build_id_size)
		return;
	build_id_sizes(s->build_id_size, sizes);
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

	if (s->build_id_size || !self || !file_is_regular(self))
		return;
	o = open_self(s, self);
	if (!o)
		return;
	memcpy(s->build_id, o->build_id, o->build_id_size);
	s->build_id_size = o->build_id_size;
}

static char *joined_in_symfs(const struct search *s, const char *a, const char *b, const char *c)
{
	char *path = xasprintf("%s%s%s", a, b, c), *ret = in_symfs(s, path);

	free(path);
	return ret;
}

/* A file that no place of this machine has; each kind only where something of it is wanting. */
static void try_debuginfod(struct search *s)
{
	static const char *const names[DEBUGINFOD_KINDS] = { "debuginfod: debuginfo",
							     "debuginfod: executable" };
	struct debugfile *d = s->ret;

	for (int kind = 0; kind < DEBUGINFOD_KINDS && s->cfg->debuginfod_client; kind++) {
		const char *why;
		char *path;

		if (kind == DEBUGINFOD_DEBUGINFO ? d->dwarf && d->symbols : !!d->runtime)
			continue;
		if (!debuginfod_wants(s->cfg->debuginfod_client, s->desc->name)) {
			refuse(s, names[kind], 'i', NULL,
			       "not asked: it is in less than 1 % of the samples");
			continue;
		}
		path = debuginfod_fetch(s->cfg->debuginfod_client, (enum debuginfod_kind)kind,
					s->build_id, s->build_id_size, &why);
		if (path)
			try_file(s, path, 'i');
		else
			refuse(s, names[kind], 'i', NULL, why);
	}
}

static void try_cache(struct search *s, const char *name, char letter)
{
	char hex[BUILD_ID_HEX], *dir, *path;

	if (is_done(s) || !s->build_id_size)
		return;
	path = build_id_cache_path(s->cfg, s->build_id, s->build_id_size, name);
	dir = path ? NULL : build_id_cache_dir(s->cfg);
	if (dir) {
		build_id_hex(s->build_id, s->build_id_size, hex);
		path = xasprintf("%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, name);
	}
	free(dir);
	try_file(s, path, letter);
}

static void try_local(struct search *s)
{
	const char *name = s->desc->name, *slash = strrchr(name, '/');
	size_t n = strlen(name);
	bool deleted = n >= strlen(DELETED) && !strcmp(name + n - strlen(DELETED), DELETED);
	char *self = deleted ? NULL : in_symfs(s, name);

	learn_build_id(s, self);
	if (self)
		try_debuglink(s, self);
	try_cache(s, "elf", 'B');
	try_cache(s, "debug", 'D');
	if (self) {
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name, ".debug"), 'f');
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name, ""), 'u');
	}
	try_id_debug(s);
	if (!self)
		return;
	try_debugdata(s, self);
	try_self(s, self);
	if (slash) {
		char *dir = xstrndup(name, (size_t)(slash - name));

		try_file(s, joined_in_symfs(s, dir, "/.debug", slash), 'o');
		free(dir);
	}
	if (!strncmp(name, "/usr/lib/", 9))
		try_file(s, joined_in_symfs(s, DEBUG_ROOT, name + 4, ""), 'x');
	object_close(s->self);
	free(self);
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
	try_local(&s);
	try_debuginfod(&s);
	if (ret->runtime && !ret->symbols && elf_is_runtime(ret->runtime)) {
		ret->symbols = ret->runtime;
		for (size_t i = 0; i < ret->nr_tries; i++)
			if (ret->tries[i].roles & DEBUGFILE_CODE)
				ret->letter = ret->tries[i].letter;
	}
	if (ret->symbols && !ret->runtime)
		ret->runtime = ret->symbols;
	if (ret->symbols)
		ret->status = elf_has_symtab(ret->symbols) ? DSO_LOADED : DSO_STRIPPED;
	else if (ret->runtime)
		ret->status = DSO_STRIPPED;
	else if (s.saw_other_id)
		ret->status = DSO_BUILD_ID_DIFFERS;
	else if (s.saw_broken)
		ret->status = DSO_BROKEN;
	else
		ret->status = s.saw_stripped ? DSO_STRIPPED : DSO_FILE_MISSING;
}

void debugfile_tries_free(struct debugfile_try *tries, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(tries[i].path);
	free(tries);
}

struct object *debugfile_take_symbols(struct debugfile *d)
{
	struct object *o = d->symbols;

	if (d->runtime == o)
		d->runtime = NULL;
	if (d->dwarf == o)
		d->dwarf = NULL;
	d->symbols = NULL;
	return o;
}

void debugfile_fini(struct debugfile *d)
{
	if (d->dwarf != d->symbols && d->dwarf != d->runtime)
		object_close(d->dwarf);
	if (d->runtime != d->symbols)
		object_close(d->runtime);
	object_close(d->symbols);
	debugfile_tries_free(d->tries, d->nr_tries);
	*d = (struct debugfile){ 0 };
}
