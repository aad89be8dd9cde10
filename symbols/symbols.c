/* SPDX-License-Identifier: MIT */
#include "symbols/symbols.h"

#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/debugfile.h"
#include "symbols/demangle.h"
#include "symbols/elf_symtab.h"
#include "symbols/kernel.h"
#include "symbols/lines.h"
#include "symbols/origin.h"
#include "symbols/perfmap.h"
#include "symbols/source_name.h"
#include "symbols/vdso.h"

struct dso {
	/* The first lookup loads the file, others judge aliases and demangle: one at a time. */
	pthread_mutex_t lock;
	struct symbols *owner;
	u32 number; /* in owner->dsos */
	struct dso_desc desc;
	struct symtab tab;
	struct sym_origin origin;
	struct object *runtime; /* the mapped file, kept by tab; NULL when it was not found */
	struct object *src;	/* where the symbols came from, kept by tab likewise */
	struct lines *lines;	/* NULL: none, or not looked for yet */
	struct source_names *names; /* likewise */
	bool lines_tried;
	const char **shown; /* by index in tab: the name as it is printed, once it was asked for */
	bool loaded;
};

struct symbols {
	pthread_mutex_t lock; /* of the list, and of strings */
	pthread_mutex_t lines_lock; /* libdw shares state between files */
	struct symbols_config cfg;
	struct arena strings; /* descriptions */
	struct dso **dsos;
	size_t nr_dsos, cap_dsos;
};

struct symbols *symbols_new(const struct symbols_config *cfg)
{
	struct symbols *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	pthread_mutex_init(&s->lines_lock, NULL);
	s->cfg = *cfg;
	s->cfg.kernel_cache = kernel_cache_new();
	return s;
}

static void dso_free(struct dso *d)
{
	lines_close(d->lines);
	source_names_free(d->names);
	symtab_fini(&d->tab);
	free(d->origin.path);
	free(d->origin.parts);
	free(d->shown);
	pthread_mutex_destroy(&d->lock);
	free(d);
}

void symbols_free(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_dsos; i++)
		dso_free(s->dsos[i]);
	free(s->dsos);
	kernel_cache_free(s->cfg.kernel_cache);
	arena_fini(&s->strings);
	pthread_mutex_destroy(&s->lock);
	pthread_mutex_destroy(&s->lines_lock);
	free(s);
}

static const char *dup_text(struct symbols *s, const char *text)
{
	return text ? arena_strdup(&s->strings, text) : NULL;
}

struct dso *symbols_add_dso(struct symbols *s, const struct dso_desc *desc)
{
	struct dso *d = xcalloc(1, sizeof(*d));
	pthread_mutexattr_t spins;

	/* held for a lookup most often: that is over before a thread would be asleep */
	pthread_mutexattr_init(&spins);
	pthread_mutexattr_settype(&spins, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&d->lock, &spins);
	pthread_mutexattr_destroy(&spins);
	pthread_mutex_lock(&s->lock);
	d->owner = s;
	d->number = (u32)s->nr_dsos;
	d->desc = *desc;
	d->desc.name = arena_strdup(&s->strings, desc->name ? desc->name : "");
	d->desc.os_release = dup_text(s, desc->os_release);
	d->desc.ref_sym = dup_text(s, desc->ref_sym);
	d->desc.module_name = dup_text(s, desc->module_name);
	d->origin = (struct sym_origin){ .letter = '!', .status = DSO_NOT_LOADED };
	symtab_init(&d->tab);
	d->tab.format = s->cfg.format;
	if (desc->kind == DSO_KERNEL)
		kernel_cache_set_kernel(s->cfg.kernel_cache, &d->desc);
	vec_push(s->dsos, s->nr_dsos, s->cap_dsos, d);
	pthread_mutex_unlock(&s->lock);
	return d;
}

void dso_add_symbol(struct dso *d, u64 start, u64 len, const char *name)
{
	pthread_mutex_lock(&d->lock);
	symtab_add(&d->tab, start, len, name, SYM_GLOBAL, false);
	d->origin.addr_is_ip = true;
	d->origin.status = DSO_LOADED;
	/* Indexes move with the next sort. */
	free(d->shown);
	d->shown = NULL;
	pthread_mutex_unlock(&d->lock);
}

static bool wants_demangling(const struct dso *d)
{
	const struct symbols_config *cfg = &d->owner->cfg;

	switch (d->desc.kind) {
	case DSO_KERNEL:
	case DSO_MODULE: return cfg->demangle_kernel && !cfg->no_demangle;
	case DSO_USER:
	case DSO_VDSO: return !cfg->no_demangle;
	default:
		/* Names that a JIT or the kernel wrote to be read. */
		return false;
	}
}

static void close_object(void *o)
{
	object_close(o);
}

static void load_file(struct dso *d)
{
	struct debugfile found;
	int err;

	debugfile_find(&d->owner->cfg, &d->desc, &found);
	d->origin.status = found.status;
	if (found.symbols) {
		/* Names of either are borrowed by the table. */
		symtab_keep(&d->tab, found.symbols, close_object);
		if (found.runtime != found.symbols)
			symtab_keep(&d->tab, found.runtime, close_object);
		err = elf_load_symbols(found.symbols, found.runtime,
				       wants_demangling(d) ? ELF_SYMBOLS_DEMANGLED : 0, &d->tab,
				       NULL);
		if (err) {
			d->origin.status = err == PERR_NOTFOUND ? DSO_STRIPPED : DSO_BROKEN;
		} else {
			d->origin.letter = found.letter;
			d->origin.path = xstrdup(found.symbols->path);
		}
		d->runtime = found.runtime;
		d->src = found.symbols;
		found.symbols = found.runtime = NULL;
	}
	debugfile_fini(&found);
}

static void load(struct dso *d)
{
	const struct symbols_config *cfg = &d->owner->cfg;
	struct perr e = { 0 };
	bool again = d->loaded;
	int err = 0;

	d->loaded = true;
	/* What the recording itself told of this object is all there is, but for the kernel. */
	if (d->tab.nr && (again || d->desc.kind != DSO_KERNEL)) {
		symtab_finish(&d->tab, false);
		return;
	}
	switch (d->desc.kind) {
	case DSO_USER: load_file(d); break;
	case DSO_KERNEL:
	case DSO_MODULE: err = kernel_load_symbols(cfg, &d->desc, &d->tab, &d->origin, &e); break;
	case DSO_VDSO: err = vdso_load(cfg, &d->desc, &d->tab, &d->origin, &e); break;
	case DSO_JIT: err = perfmap_load(cfg, &d->desc, &d->tab, &d->origin, &e); break;
	case DSO_BPF:
	case DSO_GUEST_KERNEL:
	case DSO_NONE: d->origin.status = DSO_NO_FILE; break;
	}
	if (err && d->origin.status == DSO_NOT_LOADED)
		d->origin.status = err == PERR_NOTFOUND ? DSO_FILE_MISSING : DSO_BROKEN;
	if (err && err != PERR_NOTFOUND)
		diag_warn(cfg->diag, "%s", e.text);
	if (!d->tab.finished)
		symtab_finish(&d->tab, false);
}

static const char *make_shown(struct dso *d, const struct sym *s)
{
	struct arena *a = &d->tab.strings;
	char *demangled = NULL, *text = NULL;
	const char *name;

	if (wants_demangling(d))
		demangled = demangle(s->name, d->owner->cfg.format);
	name = demangled ? demangled : s->name;
	if (s->is_plt)
		text = *name || d->owner->cfg.format == TEXT_PERF_6_1
			       ? xasprintf("%s@plt", name)
			       : xasprintf("offset_%#" PRIx64 "@plt", s->start);
	if (text)
		name = arena_strdup(a, text);
	else if (demangled)
		name = arena_strdup(a, demangled);
	free(text);
	free(demangled);
	return name;
}

static const char *shown_name(struct dso *d, const struct sym *s)
{
	size_t i = (size_t)(s - d->tab.syms);

	if (!d->shown)
		d->shown = xcalloc(d->tab.nr, sizeof(*d->shown));
	if (!d->shown[i])
		d->shown[i] = make_shown(d, s);
	return d->shown[i];
}

static bool find(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret)
{
	const struct sym *s;
	u64 addr;

	if (!d->loaded || !d->tab.finished)
		load(d);
	addr = d->origin.addr_is_ip ? ip : ip - map_start + map_pgoff;
	s = symtab_find(&d->tab, addr);
	if (!s)
		return false;
	*ret = (struct sym_hit){
		.name = shown_name(d, s), .start = s->start - s->cut, .end = s->end, .addr = addr,
		.is_object = s->is_object
	};
	return true;
}

bool dso_find(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret)
{
	bool found;

	pthread_mutex_lock(&d->lock);
	found = find(d, ip, map_start, map_pgoff, ret);
	pthread_mutex_unlock(&d->lock);
	return found;
}

static void ensure_loaded(struct dso *d)
{
	if (!d->loaded || !d->tab.finished)
		load(d);
}

/* The segment that file_off is mapped with, NULL when none. */
static const struct obj_load *load_at_off(const struct object *o, u64 file_off)
{
	size_t i;

	for (i = 0; i < o->nr_loads; i++)
		if (file_off >= o->loads[i].off && file_off - o->loads[i].off < o->loads[i].filesz)
			return &o->loads[i];
	return NULL;
}

static void open_lines(struct dso *d)
{
	struct perr e;

	d->lines_tried = true;
	if (d->origin.path && lines_open(d->origin.path, &d->lines, &e))
		d->lines = NULL;
	if (d->lines)
		d->names = source_names_new(d->src);
}

static bool find_line(struct dso *d, u64 file_off, struct line_hit *ret)
{
	const struct obj_section *text;
	const struct obj_load *load;
	u64 vaddr;

	ensure_loaded(d);
	*ret = (struct line_hit){ .vaddr = file_off };
	if (d->desc.kind != DSO_USER || !d->runtime)
		return false;
	/* perf takes all segments to lie as .text does, once it has symbols */
	text = object_section(d->runtime, ".text");
	if (text && d->tab.nr)
		ret->vaddr = file_off - text->off + text->addr;
	if (!d->lines_tried)
		open_lines(d);
	load = load_at_off(d->runtime, file_off);
	if (!load || !d->lines)
		return false;
	vaddr = file_off - load->off + load->vaddr;
	if (lines_find(d->lines, vaddr, &ret->file, &ret->line))
		return true;
	/* what binutils' addr2line says of functions without lines in a file that has some */
	return source_names_find(d->names, vaddr, &ret->file);
}

bool dso_find_line(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct line_hit *ret)
{
	bool found;

	pthread_mutex_lock(&d->lock);
	pthread_mutex_lock(&d->owner->lines_lock);
	found = find_line(d, ip - map_start + map_pgoff, ret);
	pthread_mutex_unlock(&d->owner->lines_lock);
	pthread_mutex_unlock(&d->lock);
	return found;
}

size_t dso_read_code(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, void *buf, size_t n,
		     bool *ret_is_64)
{
	u64 file_off = ip - map_start + map_pgoff;
	const struct object *o;
	struct span file = { 0 };

	pthread_mutex_lock(&d->lock);
	ensure_loaded(d);
	o = d->desc.kind == DSO_VDSO ? d->origin.code : d->runtime;
	if (o) {
		file = o->file;
		*ret_is_64 = o->is_64;
	}
	pthread_mutex_unlock(&d->lock);
	if (file_off >= file.n)
		return 0;
	if (n > file.n - file_off)
		n = (size_t)(file.n - file_off);
	memcpy(buf, file.p + file_off, n);
	return n;
}

enum dso_status dso_get_status(const struct dso *d)
{
	return d->origin.status;
}

const struct dso_desc *dso_get_desc(const struct dso *d)
{
	return &d->desc;
}

const char *dso_get_symbols_path(const struct dso *d)
{
	return d->origin.path;
}

u32 dso_get_number(const struct dso *d)
{
	return d->number;
}

char dso_get_origin(const struct dso *d)
{
	return d->origin.letter;
}

size_t dso_get_kernel_parts(const struct dso *d, const struct dso_part **ret)
{
	*ret = d->origin.parts;
	return d->origin.nr_parts;
}
