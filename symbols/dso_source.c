/* SPDX-License-Identifier: MIT */
/* Lookups of symbols.h in an object's files: source lines, inlined functions, bytes of code; the
 * memory of these files. */
#include <string.h>

#include "symbols/kernel/kernel.h"
#include "symbols/symbols_priv.h"

#define MAX_OPENED_EARLY 4 /* each costs a thread and memory for its expanded sections */

/* Returns the segment that contains file_off, NULL if none does. */
static const struct obj_load *load_at_off(const struct object *o, u64 file_off)
{
	size_t i;

	for (i = 0; i < o->nr_loads; i++)
		if (file_off >= o->loads[i].off && file_off - o->loads[i].off < o->loads[i].filesz)
			return &o->loads[i];
	return NULL;
}

/*
 * Converts file offset file_off of a mapped file to a vaddr of its debug information. Returns false
 * if there is no debug information; *ret_vaddr is set even then, to the address that perf prints.
 */
static bool find_debug_place(struct dso *d, u64 file_off, struct dso_debug **ret, u64 *ret_vaddr,
			     u64 *ret_shown)
{
	const struct obj_section *text;
	const struct obj_load *load_seg;

	dso_ensure_loaded(d);
	*ret_shown = file_off;
	if (d->desc.kind != DSO_USER || !d->runtime)
		return false;
	/* if it has symbols, perf converts addresses of all segments by the offset of .text */
	text = object_section(d->runtime, ".text");
	if (text && d->tab.nr)
		*ret_shown = file_off - text->off + text->addr;
	load_seg = load_at_off(d->runtime, file_off);
	if (!load_seg || !d->debug)
		return false;
	*ret_vaddr = file_off - load_seg->off + load_seg->vaddr;
	*ret = d->debug;
	return true;
}

/* As find_debug_place(), which needs the lock; d->lock is free before and after it. */
static bool lock_and_find_place(struct dso *d, u64 off, struct dso_debug **ret_debug,
				u64 *ret_vaddr, u64 *ret_shown)
{
	bool found;

	pthread_mutex_lock(&d->lock);
	found = find_debug_place(d, off, ret_debug, ret_vaddr, ret_shown);
	pthread_mutex_unlock(&d->lock);
	return found;
}

bool dso_find_line(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, struct line_hit *ret)
{
	struct dso_debug *debug;
	u64 vaddr;
	bool found;

	if (d->jit.code)
		return jit_object_find_line(&d->jit, ip, map_pgoff, ret);
	*ret = (struct line_hit){ 0 };
	found = lock_and_find_place(d, ip - map_start + map_pgoff, &debug, &vaddr, &ret->vaddr);
	return found && dso_debug_line(debug, vaddr, &ret->file, &ret->line);
}

bool dso_find_data_type(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			const struct data_place *place, struct out *o)
{
	struct dso_debug *debug;
	u64 vaddr, shown;
	bool found = lock_and_find_place(d, ip - map_start + map_pgoff, &debug, &vaddr, &shown);

	return found && dso_debug_data_type(debug, vaddr, place, o);
}

static size_t find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, unsigned int flags,
			   const struct inline_frame **ret)
{
	struct dso_debug *debug;
	struct sym_hit sym;
	u64 vaddr, shown;
	bool found;

	pthread_mutex_lock(&d->lock);
	found = find_debug_place(d, ip - map_start + map_pgoff, &debug, &vaddr, &shown) &&
		dso_find_locked(d, ip, map_start, map_pgoff, &sym);
	pthread_mutex_unlock(&d->lock);
	/*
	 * no search for addresses outside functions: an address in no unit makes libdw read all
	 * units
	 */
	return found && !sym.is_plt ? dso_debug_inlines(debug, vaddr, sym.name, flags, ret) : 0;
}

void dso_will_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			   const struct sym_hit *sym)
{
	struct dso_debug *debug;
	u64 vaddr, shown;
	bool found = lock_and_find_place(d, ip - map_start + map_pgoff, &debug, &vaddr, &shown);

	if (found && !sym->is_plt)
		dso_debug_will_ask(debug, vaddr, sym->name);
}

size_t dso_find_inlines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
			const struct inline_frame **ret)
{
	return find_inlines(d, ip, map_start, map_pgoff, 0, ret);
}

size_t dso_find_inlines_with_lines(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff,
				   const struct inline_frame **ret)
{
	return find_inlines(d, ip, map_start, map_pgoff, INLINES_LINES, ret);
}

size_t dso_read_code(struct dso *d, u64 ip, u64 map_start, u64 map_pgoff, void *buf, size_t n,
		     bool *ret_is_64)
{
	u64 file_off = ip - map_start + map_pgoff;
	const struct object *o;
	struct span file = { 0 };

	if (d->jit.code)
		return jit_object_read_code(&d->jit, ip, map_pgoff, buf, n, ret_is_64);
	pthread_mutex_lock(&d->lock);
	dso_ensure_loaded(d);
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

bool dso_has_debuginfo(struct dso *d)
{
	bool has;

	pthread_mutex_lock(&d->lock);
	dso_search_files(d);
	has = d->debug;
	pthread_mutex_unlock(&d->lock);
	return has;
}

bool dso_expect_inlines(struct dso *d)
{
	int known = atomic_load_explicit(&d->inlines, memory_order_acquire);
	bool has;

	if (known != INLINES_UNKNOWN)
		return known == INLINES_EXPECTED;
	pthread_mutex_lock(&d->lock);
	dso_search_files(d);
	has = d->debug;
	known = atomic_exchange(&d->inlines, has ? INLINES_EXPECTED : INLINES_NONE);
	if (has && known == INLINES_UNKNOWN) {
		if (atomic_fetch_add(&d->owner->nr_expected, 1) < MAX_OPENED_EARLY)
			dso_debug_open_early(d->debug);
	}
	pthread_mutex_unlock(&d->lock);
	return has;
}

void dso_find_files(struct dso *d, const struct object **ret_code, const struct object **ret_debug)
{
	pthread_mutex_lock(&d->lock);
	if (d->desc.kind == DSO_USER)
		dso_search_files(d);
	else
		dso_ensure_loaded(d);
	*ret_code = d->desc.kind == DSO_VDSO ? d->origin.code : d->runtime;
	*ret_debug = d->dwarf;
	pthread_mutex_unlock(&d->lock);
}

void symbols_give_pages_back(struct symbols *s)
{
	for (size_t i = 0; i < s->nr_dsos; i++) {
		const struct dso *d = s->dsos[i];
		const struct object *files[] = { d ? d->runtime : NULL, d ? d->src : NULL,
						 d ? d->dwarf : NULL };

		for (size_t k = 0; k < ARRAY_SIZE(files); k++)
			if (files[k])
				object_give_pages_back(files[k]);
	}
	kernel_cache_give_pages_back(s->cfg.kernel_cache);
}
