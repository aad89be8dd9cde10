/* SPDX-License-Identifier: MIT */
#include "symbols/symbols_priv.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/find/debugfile.h"
#include "symbols/find/debuginfod.h"
#include "symbols/table/demangle.h"
#include "symbols/dso_debug.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/elf/go_table.h"
#include "symbols/kernel/kernel.h"
#include "symbols/kernel/kernel_names.h"
#include "symbols/jit/perfmap.h"
#include "symbols/kernel/vdso.h"

struct symbols *symbols_new(const struct symbols_config *cfg)
{
	struct symbols *s = xcalloc(1, sizeof(*s));

	pthread_mutex_init(&s->lock, NULL);
	s->cfg = *cfg;
	s->cfg.kernel_cache = kernel_cache_new();
	s->cfg.debuginfod_client = debuginfod_new(&s->cfg);
	return s;
}

static void dso_free(struct dso *d)
{
	if (!d)
		return;
	dso_debug_free(d->debug);
	symtab_fini(&d->tab);
	if (d->owner->cfg.opener)
		object_close(d->runtime);
	jit_object_fini(&d->jit);
	free(d->origin.path);
	free(d->origin.parts);
	kernel_names_free(d->origin.names);
	free(d->shown);
	free(d->texts);
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
	free(s->unused);
	kernel_cache_free(s->cfg.kernel_cache);
	debuginfod_free(s->cfg.debuginfod_client);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

const struct symbols_config *symbols_get_config(const struct symbols *s)
{
	return &s->cfg;
}

size_t symbols_get_dsos(const struct symbols *s, struct dso *const **ret)
{
	*ret = s->dsos;
	return s->nr_dsos;
}

/* Puts d in the place of a removed object, or behind all. */
static void take_number(struct symbols *s, struct dso *d)
{
	if (s->nr_unused) {
		d->number = s->unused[--s->nr_unused];
		s->dsos[d->number] = d;
		return;
	}
	d->number = (u32)s->nr_dsos;
	vec_push(s->dsos, s->nr_dsos, s->cap_dsos, d);
}

void symbols_remove_dso(struct symbols *s, struct dso *d)
{
	const struct code_opener *opener = s->cfg.opener;

	if (opener && opener->forget)
		opener->forget(opener->ctx, d);
	pthread_mutex_lock(&s->lock);
	s->dsos[d->number] = NULL;
	vec_push(s->unused, s->nr_unused, s->cap_unused, d->number);
	pthread_mutex_unlock(&s->lock);
	dso_free(d);
}

struct dso *symbols_add_dso(struct symbols *s, const struct dso_desc *desc)
{
	struct dso *d = xcalloc(1, sizeof(*d));
	pthread_mutexattr_t spins;

	/*
	 * the lock is mostly held for one lookup, which is over before a waiting thread would be
	 * asleep: so spin first
	 */
	pthread_mutexattr_init(&spins);
	pthread_mutexattr_settype(&spins, PTHREAD_MUTEX_ADAPTIVE_NP);
	pthread_mutex_init(&d->lock, &spins);
	pthread_mutexattr_destroy(&spins);
	d->owner = s;
	d->desc = *desc;
	d->texts = dso_desc_own_texts(&d->desc);
	pthread_mutex_lock(&s->lock);
	d->origin = (struct sym_origin){ .letter = '!', .status = DSO_NOT_LOADED };
	symtab_init(&d->tab);
	d->tab.format = s->cfg.format;
	if (desc->jit) {
		d->jit.code = desc->jit;
		d->origin = (struct sym_origin){ .path = xstrdup(d->desc.name),
						 .letter = 'j',
						 .status = DSO_LOADED,
						 .addr_is_ip = true };
		d->loaded = true;
		symtab_finish(&d->tab, false);
	}
	if (desc->kind == DSO_KERNEL)
		kernel_cache_set_kernel(s->cfg.kernel_cache, &d->desc);
	take_number(s, d);
	pthread_mutex_unlock(&s->lock);
	return d;
}

void dso_add_symbol(struct dso *d, u64 start, u64 len, const char *name)
{
	pthread_mutex_lock(&d->lock);
	symtab_add(&d->tab, start, len, name, SYM_GLOBAL, false);
	d->origin.addr_is_ip = true;
	d->origin.status = DSO_LOADED;
	/* `shown` is by index of the symbol, and the next sort changes the indexes. */
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
		/* JIT compilers and the kernel write names that are readable already. */
		return false;
	}
}

static struct name_style name_style_of(const struct dso *d)
{
	const struct symbols_config *cfg = &d->owner->cfg;

	return (struct name_style){ wants_demangling(d), cfg->format, cfg->name_form };
}

static void open_code(struct dso *d, const struct code_opener *opener)
{
	bool no_elf = false;

	d->runtime = d->src = opener->open(opener->ctx, d, &no_elf);
	d->searched = d->runtime || no_elf;
	if (no_elf)
		d->origin.status = DSO_BROKEN;
}

void dso_set_jit(struct dso *d, const struct jit_code *code)
{
	d->desc.jit = d->jit.code = code;
}

void dso_search_files(struct dso *d)
{
	const struct code_opener *opener = d->owner->cfg.opener;
	struct debugfile found;

	if (d->searched || d->desc.kind != DSO_USER)
		return;
	if (opener) {
		open_code(d, opener);
		return;
	}
	d->searched = true;
	debugfile_find(&d->owner->cfg, &d->desc, &found);
	d->origin.status = found.status;
	d->found_letter = found.letter;
	d->src = found.symbols;
	d->runtime = found.runtime;
	d->dwarf = found.dwarf;
	if (d->src)
		symtab_keep_object(&d->tab, d->src);
	if (d->runtime && d->runtime != d->src)
		symtab_keep_object(&d->tab, d->runtime);
	if (d->dwarf && d->dwarf != d->runtime && d->dwarf != d->src)
		symtab_keep_object(&d->tab, d->dwarf);
	if (d->dwarf)
		d->debug = dso_debug_new(
			&(struct dso_debug_config){ .symbols_config = &d->owner->cfg,
						    .dwarf = d->dwarf,
						    .code = d->runtime,
						    .names = d->src ? d->src : d->dwarf,
						    .names_of_inlines = name_style_of(d) });
	found.symbols = found.runtime = found.dwarf = NULL;
	debugfile_fini(&found);
}

static void load_file(struct dso *d)
{
	const char *path = NULL;
	int err = PERR_NOTFOUND;

	dso_search_files(d);
	if (d->src) {
		err = elf_load_symbols(d->src, d->runtime,
				       wants_demangling(d) ? ELF_SYMBOLS_DEMANGLED : 0, &d->tab,
				       NULL);
		path = d->src->path;
	}
	/*
	 * Stripping a Go program leaves the runtime's table of functions: it lacks only C
	 * functions.
	 */
	if (d->runtime && (!d->src || !elf_has_symtab(d->src)) &&
	    go_table_add_symbols(d->runtime, &d->tab)) {
		err = 0;
		path = d->runtime->path;
	}
	if (err) {
		if (d->src)
			d->origin.status = err == PERR_NOTFOUND ? DSO_STRIPPED : DSO_BROKEN;
		return;
	}
	d->origin.status = DSO_LOADED;
	d->origin.letter = d->src ? d->found_letter : 'd';
	d->origin.path = xstrdup(path);
}

/*
 * Allows lookups without the lock from now on, for names that were made before: taking the lock
 * would be most of a lookup's cost. Only for files, since objects of other kinds may still get
 * symbols.
 */
static void settle(struct dso *d)
{
	if (d->desc.kind != DSO_USER || !d->tab.finished || !d->tab.nr)
		return;
	symtab_settle(&d->tab);
	if (!d->shown)
		d->shown = xcalloc(d->tab.nr, sizeof(*d->shown));
	atomic_store_explicit(&d->is_settled, true, memory_order_release);
}

/* What an object takes besides its tables: handles of its files, small allocations. */
#define LOADED_FILE ((u64)16 << 10)

/* libdw keeps a list of all units of debug information, and more of the few that were asked for. */
static void note_loaded(struct dso *d)
{
	const struct obj_section *info = d->dwarf ? object_section(d->dwarf, ".debug_info") : NULL;
	u64 n = LOADED_FILE + d->tab.nr * (sizeof(*d->tab.syms) + sizeof(*d->shown) + sizeof(u32)) +
		d->tab.strings.total + (info ? LOADED_FILE + info->size / 4 : 0);

	if (d->desc.kind == DSO_USER || d->desc.kind == DSO_JIT)
		atomic_fetch_add_explicit(&d->owner->loaded_bytes, n, memory_order_relaxed);
}

u64 symbols_loaded_bytes(const struct symbols *s)
{
	return atomic_load_explicit(&s->loaded_bytes, memory_order_relaxed);
}

static void load_symbols(struct dso *d)
{
	const struct symbols_config *cfg = &d->owner->cfg;
	struct perr e = { 0 };
	bool again = d->loaded;
	int err = 0;

	d->loaded = true;
	/* the recording itself brought symbols; only the kernel has other sources too */
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
	settle(d);
	note_loaded(d);
}

/* Returns a symbol's name as it is printed, malloc'd; NULL: unchanged. */
static char *make_shown(const struct dso *d, const struct sym *s)
{
	const struct name_style style = name_style_of(d);
	char *shown = name_style_apply(&style, s->name), *text;
	const char *name = shown ? shown : s->name;

	if (!s->is_plt)
		return shown;
	text = *name || style.format == TEXT_PERF_6_1
		       ? xasprintf("%s@plt", name)
		       : xasprintf("offset_%#" PRIx64 "@plt", s->start);
	free(shown);
	return text;
}

/*
 * Keeps text, the result of make_shown() for s, and returns it; if another thread has stored the
 * name before, returns that one and frees text. The caller holds d->lock.
 */
static const char *keep_shown(struct dso *d, const struct sym *s, char *text)
{
	size_t i = (size_t)(s - d->tab.syms);
	const char *name = atomic_load_explicit(&d->shown[i], memory_order_relaxed);

	if (!name) {
		name = text ? arena_strdup(&d->tab.strings, text) : s->name;
		atomic_store_explicit(&d->shown[i], name, memory_order_release);
	}
	free(text);
	return name;
}

/* Returns a symbol's name as it is printed. The caller holds d->lock. */
static const char *shown_name(struct dso *d, const struct sym *s)
{
	const char *name;

	if (!d->shown)
		d->shown = xcalloc(d->tab.nr, sizeof(*d->shown));
	name = atomic_load_explicit(&d->shown[s - d->tab.syms], memory_order_relaxed);
	return name ? name : keep_shown(d, s, make_shown(d, s));
}

static void fill_hit(struct sym_hit *hit, const struct sym *s, const char *name, u64 addr)
{
	*hit = (struct sym_hit){ .name = name,
				 .start = s->start - s->cut,
				 .end = s->end,
				 .addr = addr,
				 .is_object = s->is_object,
				 .is_plt = s->is_plt };
}

static u64 addr_of(const struct dso *d, u64 ip, u64 map_start, u64 map_pgoff)
{
	return d->origin.addr_is_ip ? ip : ip - map_start + map_pgoff;
}

/*
 * dso_find() without the lock; only to keep a new name it takes the lock for a moment. Returns
 * false if the lookup needs the lock; otherwise *ret_found says if there is a symbol.
 */
static bool find_settled(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, bool *ret_found,
			 struct sym_hit *ret)
{
	const struct sym *s;
	const char *name;
	char *text;
	u64 addr;

	if (!atomic_load_explicit(&d->is_settled, memory_order_acquire))
		return false;
	addr = addr_of(d, ip, map_start, map_pgoff);
	if (!symtab_find_settled(&d->tab, addr, &s))
		return false;
	*ret_found = s;
	if (!s)
		return !d->origin.names;
	name = atomic_load_explicit(&d->shown[s - d->tab.syms], memory_order_acquire);
	if (!name) {
		text = make_shown(d, s);
		pthread_mutex_lock(&d->lock);
		name = keep_shown(d, s, text);
		pthread_mutex_unlock(&d->lock);
	}
	fill_hit(ret, s, name, addr);
	return true;
}

void dso_ensure_loaded(struct dso *d)
{
	if (!d->loaded || !d->tab.finished)
		load_symbols(d);
}

bool dso_find_locked(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret)
{
	const struct sym *s;
	u64 addr;

	if (d->jit.code)
		return jit_object_find(&d->jit, &d->owner->cfg, ip, map_pgoff, ret) ||
		       (d->desc.jit_map && dso_find(d->desc.jit_map, ip, map_start, 0, ret));
	dso_ensure_loaded(d);
	addr = addr_of(d, ip, map_start, map_pgoff);
	s = symtab_find(&d->tab, addr);
	if (!s)
		return d->origin.names && kernel_names_find(d->origin.names, addr, ret);
	fill_hit(ret, s, shown_name(d, s), addr);
	return true;
}

bool dso_find(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct sym_hit *ret)
{
	bool found;

	if (find_settled(d, ip, map_start, map_pgoff, &found, ret))
		return found;
	pthread_mutex_lock(&d->lock);
	found = dso_find_locked(d, ip, map_start, map_pgoff, ret);
	pthread_mutex_unlock(&d->lock);
	return found;
}

static size_t list_table(struct symtab *t, struct sym_listed *to)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++) {
		struct sym *s = &t->syms[i];
		u64 start;

		if (s->is_rival)
			(void)symtab_find(t, s->start); /* chooses: the others become copies */
		start = s->start - s->cut;
		if (nr && to[nr - 1].start == start && to[nr - 1].end == s->end &&
		    t->syms[to[nr - 1].id].name == s->name)
			continue;
		to[nr++] = (struct sym_listed){ start, s->end, (u32)i, s->binding };
	}
	return nr;
}

size_t dso_list_symbols(struct dso *d, struct sym_listed **ret)
{
	size_t nr;

	pthread_mutex_lock(&d->lock);
	if (!d->jit.code)
		dso_ensure_loaded(d);
	if (d->origin.names) {
		nr = kernel_names_list(d->origin.names, ret);
	} else {
		*ret = xcalloc(d->tab.nr + 1, sizeof(**ret));
		nr = list_table(&d->tab, *ret);
	}
	pthread_mutex_unlock(&d->lock);
	return nr;
}

const char *dso_listed_name(struct dso *d, u32 id)
{
	const char *name;

	pthread_mutex_lock(&d->lock);
	name = d->origin.names ? kernel_names_get(d->origin.names, id)
			       : shown_name(d, &d->tab.syms[id]);
	pthread_mutex_unlock(&d->lock);
	return name;
}
