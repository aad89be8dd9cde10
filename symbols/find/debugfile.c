/* SPDX-License-Identifier: MIT */
#include "symbols/find/debugfile.h"

#include <string.h>

#include "base/mem.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/find/file_places.h"
#include "symbols/elf/readfile.h"

#define DELETED " (deleted)"

/* The places that may have an object's files, in the order of the search. */
static const struct file_store_ops *const stores[] = {
	&link_store,       &cache_elf_store, &cache_debug_store, &debug_path_store,
	&debug_same_store, &debug_id_store,  &debugdata_store,   &process_store,
	&recorded_store,   &dot_debug_store, &debug_usr_store,   &debuginfod_store,
};

struct search {
	struct file_query q;
	struct debugfile *ret;
	bool saw_other_id, saw_broken, saw_stripped;
};

void debugfile_note(struct debugfile_try **tries, size_t *nr, size_t *cap,
		    const struct debugfile_try *t)
{
	struct debugfile_try copy = *t;

	copy.path = xstrdup(t->path);
	if (!copy.why)
		copy.why = "";
	vec_push(*tries, *nr, *cap, copy);
}

/* Notes for --why that path was tried. o: the file there; NULL: it was not read. */
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

/*
 * True if the recording has a build-id and the file has another one or none: it is then not the
 * file that ran. perf 7.2 decides the same.
 */
static bool is_other_build(const struct search *s, const struct object *o,
			   const struct file_found *f)
{
	if (f->is_recorded_file && !o->build_id_size)
		return false;
	return s->q.build_id_size &&
	       !build_id_equal(s->q.build_id, s->q.build_id_size, o->build_id, o->build_id_size);
}

static bool is_done(const struct search *s)
{
	return s->ret->symbols && s->ret->runtime && s->ret->dwarf;
}

static const char *nothing_in_it(const struct search *s, const struct object *o)
{
	if (s->ret->symbols && s->ret->runtime)
		return "it has no debug information";
	if (s->ret->symbols && elf_has_symtab(o))
		return "its symbols are not needed: another file has them";
	return s->ret->symbols ? "it has no code and no debug information" : "it has no symbols";
}

/*
 * Uses the file o for everything that was not found yet (symbols, code, debug information), or
 * closes it if it has nothing of that. Takes ownership of o.
 */
static void take_file(struct search *s, struct object *o, const struct file_found *f, char letter)
{
	const char *path = f->path;
	struct debugfile *d = s->ret;
	unsigned int roles = 0;

	if (is_other_build(s, o, f)) {
		note_try(s, path, letter, o, 0,
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

static void try_path(struct search *s, const struct file_found *f, char letter)
{
	const struct file_rules rules = symbols_file_rules(s->q.cfg);
	enum file_fault fault = regular_file_find(f->path, &rules);
	struct object *o;
	struct perr e;

	if (fault != FILE_FINE) {
		note_try(s, f->path, letter, NULL, 0, file_fault_text(fault));
		/* of a dead file system, one of the places in it is enough */
		if (fault != FILE_SILENT || letter == recorded_store.letter)
			symbols_warn_refused(s->q.cfg, f->path, fault);
		s->saw_broken |= file_fault_advice(fault) != NULL;
		return;
	}
	s->q.store_has_file = true;
	if (object_open_by(f->path, &rules, &o, &e)) {
		note_try(s, f->path, letter, NULL, 0,
			 e.code == PERR_IO ? "it cannot be read" : "not a readable ELF file");
		s->saw_broken = true;
		return;
	}
	/*
	 * If there are build-ids, the checksum is not compared: tools that edit debug files do not
	 * update it.
	 */
	if (f->is_linked && !s->q.build_id_size &&
	    !(f->link.has_crc && debuglink_crc_matches(o, f->link.crc))) {
		note_try(s, f->path, letter, o, 0, "its checksum is not that of .gnu_debuglink");
		object_close(o);
		return;
	}
	take_file(s, o, f, letter);
}

static void ask_store(struct search *s, const struct file_store_ops *store)
{
	s->q.store_has_file = false;
	for (unsigned int turn = 0; !is_done(s); turn++) {
		struct file_found f = { 0 };

		s->q.has_symbols = s->ret->symbols;
		s->q.has_code = s->ret->runtime;
		s->q.has_dwarf = s->ret->dwarf;
		switch (store->find(&s->q, turn, &f)) {
		case FILE_NO_MORE: return;
		case FILE_SKIPPED: break;
		case FILE_AT: try_path(s, &f, store->letter); break;
		case FILE_OPENED: take_file(s, f.object, &f, store->letter); break;
		case FILE_REFUSED: note_try(s, f.path, store->letter, f.object, 0, f.why); break;
		}
		free(f.path);
	}
}

static void search_begin(struct search *s)
{
	struct file_query *q = &s->q;
	const struct dso_desc *desc = q->desc;
	size_t n = strlen(desc->name), cut = strlen(DELETED);
	const enum file_fault fault = recorded_path_check(desc->name);
	const struct object *self;

	if (fault != FILE_FINE) {
		note_try(s, desc->name, 'd', NULL, 0, file_fault_text(fault));
		symbols_warn_refused(q->cfg, desc->name, fault);
		s->saw_broken = true;
	} else if (n < cut || strcmp(desc->name + n - cut, DELETED))
		q->self = file_query_on_machine(q, desc->name);
	if (desc->build_id_size <= BUILD_ID_MAX) {
		memcpy(q->build_id, desc->build_id, desc->build_id_size);
		q->build_id_size = desc->build_id_size;
	}
	/*
	 * Without a recorded build-id, the one of the file at the recorded path is used to find its
	 * debug files.
	 */
	self = q->build_id_size ? NULL : file_query_self(q);
	if (self) {
		memcpy(q->build_id, self->build_id, self->build_id_size);
		q->build_id_size = self->build_id_size;
	}
}

void debugfile_find(const struct symbols_config *cfg, const struct dso_desc *desc,
		    struct debugfile *ret)
{
	struct search s = { .q = { .cfg = cfg, .desc = desc }, .ret = ret };

	*ret = (struct debugfile){ .letter = '!' };
	search_begin(&s);
	for (size_t i = 0; i < ARRAY_SIZE(stores); i++)
		ask_store(&s, stores[i]);
	file_query_fini(&s.q);
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
