/* SPDX-License-Identifier: MIT */
#include "session/why.h"

#include <elf.h>
#include <inttypes.h>

#include "base/mem.h"
#include "session/object_weights.h"
#include "symbols/find/debugfile.h"
#include "symbols/dwarf/dwarf_source.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/elf/go_table.h"

/* Of one name: a recording of a build farm has an object for each build-id of cc1. */
#define MAX_SHOWN 20
#define MAX_UNITS 1000 /* whose .dwo files are looked for */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* How well a name fits: 2 is the path or the file's name, 1 a part of it. */
static int fit(const struct dso *d, const char *pattern)
{
	const struct dso_desc *desc = dso_get_desc(d);

	if (!strcmp(desc->name, pattern) || !strcmp(base_name(desc->name), pattern))
		return 2;
	return strstr(desc->name, pattern) ? 1 : 0;
}

static const char *status_text(enum dso_status status)
{
	switch (status) {
	case DSO_NOT_LOADED: return "not looked for";
	case DSO_LOADED: return "found";
	case DSO_FILE_MISSING: return "no file was found";
	case DSO_BUILD_ID_DIFFERS: return "only files of other builds were found";
	case DSO_STRIPPED: return "no symbol table: exported names at most";
	case DSO_KERNEL_HIDDEN:
		return "the kernel hides its addresses (kptr_restrict, perf_event_paranoid)";
	case DSO_KERNEL_FOREIGN: return "recorded on another kernel, of which there is no file";
	case DSO_NO_FILE: return "not of a file";
	case DSO_BROKEN: return "not a readable ELF file";
	}
	return "";
}

static void print_id(struct out *o, const u8 *id, size_t size)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id, size, hex);
	out_str(o, hex);
}

static void print_try(struct out *o, const struct debugfile_try *t)
{
	static const struct {
		unsigned int role;
		const char *name;
	} roles[] = { { DEBUGFILE_SYMBOLS, "symbols" },
		      { DEBUGFILE_CODE, "code" },
		      { DEBUGFILE_DWARF, "debug information" } };
	const char *before = "used for ";

	out_printf(o, "    %s\n        ", t->path);
	for (size_t i = 0; i < ARRAY_SIZE(roles); i++) {
		if (!(t->roles & roles[i].role))
			continue;
		out_printf(o, "%s%s", before, roles[i].name);
		before = ", ";
	}
	out_str(o, t->roles ? "" : t->why);
	if (t->build_id_size && !t->roles) {
		out_str(o, " (build-id ");
		print_id(o, t->build_id, t->build_id_size);
		out_char(o, ')');
	}
	out_char(o, '\n');
}

static bool has_bytes(const struct object *obj, const char *name)
{
	return obj && object_bytes(obj, object_section(obj, name)).n;
}

static bool has_go_table(const struct debugfile *f)
{
	struct go_table t;

	return f->runtime && go_table_open(f->runtime, &t);
}

static void print_symbols(struct out *o, const struct debugfile *f)
{
	if (has_go_table(f) && !(f->symbols && elf_has_symtab(f->symbols)))
		out_printf(o, "  symbols: %s: Go's table of functions\n", f->runtime->path);
	else
		out_printf(o, "  symbols: %s%s%s\n", f->symbols ? f->symbols->path : "",
			   f->symbols ? ": " : "", status_text(f->status));
}

/* The file and section that stacks are unwound by, in the unwinder's order. */
static void print_cfi(struct out *o, const struct debugfile *f)
{
	static const char *const names[] = { ".eh_frame", ".debug_frame", ".zdebug_frame" };
	const struct object *const files[] = { f->runtime, f->dwarf };

	out_str(o, "  call frame information: ");
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(names); k++) {
			if (!has_bytes(files[i], names[k]))
				continue;
			out_printf(o, "%s of %s\n", names[k], files[i]->path);
			return;
		}
	}
	if (has_go_table(f) && f->runtime->machine == EM_X86_64)
		out_printf(o, "Go's table of functions of %s\n", f->runtime->path);
	else
		out_str(o, "none\n");
}

/* Has the files looked for that the debug information refers to. */
static struct dwarf_source *open_dwarf(const struct symbols_config *cfg, const struct debugfile *f)
{
	const char *code_path = f->runtime ? f->runtime->path : NULL;
	struct dwarf_source *source;

	if (!f->dwarf || dwarf_source_open(cfg, f->dwarf, code_path, &source, NULL))
		return NULL;
	dwarf_source_find_all(source, MAX_UNITS);
	return source;
}

static void print_files(struct out *o, const struct symbols_config *cfg, struct dso *d)
{
	const struct debugfile_try *more = NULL;
	struct dwarf_source *source;
	struct debugfile f;
	size_t nr = 0;

	debugfile_find(cfg, dso_get_desc(d), &f);
	source = open_dwarf(cfg, &f);
	if (source)
		nr = dwarf_source_tries(source, &more);
	out_str(o, f.nr_tries ? "  looked at:" : "  no place to look at");
	out_char(o, '\n');
	for (size_t i = 0; i < f.nr_tries; i++)
		print_try(o, &f.tries[i]);
	for (size_t i = 0; i < nr; i++)
		print_try(o, &more[i]);
	print_symbols(o, &f);
	out_printf(o, "  code: %s\n",
		   f.runtime && elf_has_code(f.runtime) ? f.runtime->path : "none");
	out_printf(o, "  debug information: %s%s\n", f.dwarf ? f.dwarf->path : "none",
		   f.dwarf && !source ? ", damaged" : "");
	print_cfi(o, &f);
	dwarf_source_close(source);
	debugfile_fini(&f);
}

static void print_object(struct out *o, const struct symbols_config *cfg, struct dso *d,
			 const struct object_weight *u)
{
	const struct dso_desc *desc = dso_get_desc(d);
	const char *path;
	struct sym_hit hit;

	out_printf(o, "%s\n  build-id: ", *desc->name ? desc->name : "(no name)");
	if (desc->build_id_size)
		print_id(o, desc->build_id, desc->build_id_size);
	else
		out_str(o, "not recorded");
	out_printf(o, "\n  samples: %" PRIu64 ", call chain entries: %" PRIu64 "\n", u->samples,
		   u->entries);
	if (desc->kind == DSO_USER) {
		print_files(o, cfg, d);
		return;
	}
	/* a lookup that finds nothing has its symbols loaded all the same */
	(void)dso_find(d, 0, 0, 0, &hit);
	path = dso_get_symbols_path(d);
	out_printf(o, "  symbols: %s%s%s\n", path ? path : "", path ? ": " : "",
		   status_text(dso_get_status(d)));
}

static int print_matching(struct out *o, struct symbols *syms, const struct object_weights *w,
			  const char *pattern, struct perr *e)
{
	struct dso *const *dsos;
	size_t nr = symbols_get_dsos(syms, &dsos), shown = 0, matching = 0;
	struct object_weight u;
	int best = 0;

	for (size_t i = 0; i < nr; i++)
		if (fit(dsos[i], pattern) > best)
			best = fit(dsos[i], pattern);
	if (!best)
		return perr_set(e, PERR_NOTFOUND, "no object of the recording is called '%s'",
				pattern);
	for (size_t i = 0; i < nr; i++) {
		if (fit(dsos[i], pattern) != best || ++matching > MAX_SHOWN)
			continue;
		if (shown++)
			out_char(o, '\n');
		u = object_weights_get(w, dsos[i]);
		print_object(o, symbols_get_config(syms), dsos[i], &u);
	}
	if (matching > shown)
		out_printf(o, "\n%zu more are called so\n", matching - shown);
	return 0;
}

int why_print(struct out *o, struct perfdata *pd, const struct session_config *cfg,
	      struct diag *diag, const char *pattern, struct perr *e)
{
	struct session *s = session_new(pd, cfg, diag);
	struct object_weights weights;
	struct perr not_found;
	int damage, err;

	object_weights_tell_debuginfod(s);
	object_weights_init(&weights, s);
	damage = object_weights_run(&weights, "weighing objects", 0, e);
	err = print_matching(o, s->machine->symbols, &weights, pattern, &not_found);
	if (err && !damage)
		*e = not_found;
	object_weights_fini(&weights);
	session_free(s);
	return damage ? damage : err;
}
