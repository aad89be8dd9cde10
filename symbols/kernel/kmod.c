/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kmod.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/kernel/hostkernel.h"
#include "symbols/kernel/kallsyms_source.h"
#include "symbols/elf/object.h"
#include "symbols/elf/readfile.h"
#include "symbols/elf/unpack.h"

#define MAX_PACKED ((size_t)64 << 20)
#define MAX_UNPACKED ((size_t)256 << 20)

static int open_packed(const char *path, const struct file_rules *rules, struct object **ret,
		       struct perr *e)
{
	void *packed, *buf = NULL;
	size_t n_packed, n = 0;
	int err = read_file_by(path, rules, MAX_PACKED, &packed, &n_packed, e);

	if (err)
		return err;
	err = unpack(span_of(packed, n_packed), MAX_UNPACKED, &buf, &n, e);
	free(packed);
	if (err) {
		perr_prefix(e, path);
		return err;
	}
	return object_open_take(path, buf, n, ret, e);
}

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n >= m && !strcmp(s + n - m, end);
}

static bool is_packed_name(const char *path)
{
	return ends_with(path, ".gz") || ends_with(path, ".xz") || ends_with(path, ".zst");
}

/* A section of a loaded module. `place` is its offset from the module's start in memory. */
struct placed {
	u64 off, size; /* its position in the file */
	u64 place;
};

static bool is_core_text(const struct obj_section *s)
{
	u64 want = SHF_ALLOC | SHF_EXECINSTR;

	return (s->flags & want) == want && s->type != SHT_NOBITS && strncmp(s->name, ".init", 5);
}

static int by_file_offset(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->off > y->off) - (x->off < y->off);
}

/*
 * Computes where the kernel loads a module's code sections: one after the other, in the order of
 * the file, each aligned (kernel/module/main.c, layout_sections). Sections .init* are left out,
 * because the kernel moves and later frees them.
 */
static struct placed *place_sections(const struct object *o, size_t *ret_nr)
{
	struct placed *v = xcalloc(o->nr_sections, sizeof(*v));
	size_t nr = 0;
	u64 at = 0;

	for (size_t i = 0; i < o->nr_sections; i++) {
		const struct obj_section *s = &o->sections[i];
		u64 align = s->align && !(s->align & (s->align - 1)) ? s->align : 1;

		if (!is_core_text(s) || !s->size)
			continue;
		at = (at + align - 1) & -align;
		v[nr++] = (struct placed){ .off = s->off, .size = s->size, .place = at };
		at += s->size;
	}
	qsort(v, nr, sizeof(*v), by_file_offset);
	*ret_nr = nr;
	return v;
}

/* Returns the section that contains a file offset, NULL if none does. */
static const struct placed *find_placed(const struct placed *v, size_t nr, u64 off)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && off - v[lo - 1].off < v[lo - 1].size ? &v[lo - 1] : NULL;
}

/*
 * Converts symbols from file offsets to run-time addresses, and drops those in sections without a
 * place.
 */
static void place_symbols(const struct object *o, u64 base, struct symtab *tab)
{
	size_t nr_placed, kept = 0;
	struct placed *v = place_sections(o, &nr_placed);

	for (size_t i = 0; i < tab->nr; i++) {
		struct sym s = tab->syms[i];
		const struct placed *p = find_placed(v, nr_placed, s.start);
		u64 size = s.end - s.start;

		if (!p)
			continue;
		if (size > p->size - (s.start - p->off))
			size = p->size - (s.start - p->off);
		s.start = s.start - p->off + p->place + base;
		s.end = s.start + size;
		tab->syms[kept++] = s;
	}
	tab->nr = kept;
	tab->nr_sorted = 0;
	free(v);
	symtab_sort(tab);
}

/* Loads the symbols of o, converted to run-time addresses, and takes ownership of o. */
static int load_object(struct kernel_load *l, struct object *o, char letter)
{
	int err;

	symtab_keep_object(l->tab, o);
	err = elf_load_symbols(o, o, ELF_SYMBOLS_MODULE, l->tab, l->e);
	if (!err) {
		place_symbols(o, l->desc->map_start, l->tab);
		if (!l->tab->nr)
			err = perr_set(l->e, PERR_NOTFOUND, "%s: it has no usable symbols",
				       o->path);
	}
	if (err) {
		l->tab->nr = l->tab->nr_sorted = 0;
		l->ret->status = err == PERR_NOTFOUND ? DSO_STRIPPED : DSO_BROKEN;
		return err;
	}
	l->ret->path = xstrdup(o->path);
	l->ret->letter = letter;
	l->ret->status = DSO_LOADED;
	return 0;
}

/*
 * Tries the module's file at path. Frees path, which is malloc'd or NULL. any_id: the file is
 * accepted if no build-id was recorded.
 */
static int try_file(struct kernel_load *l, char *path, char letter, bool any_id)
{
	const struct file_rules rules = symbols_file_rules(l->cfg);
	const struct dso_desc *desc = l->desc;
	bool packed = path && is_packed_name(path);
	struct object *o;
	int err;

	if (!path)
		return PERR_NOTFOUND;
	err = packed ? open_packed(path, &rules, &o, l->e) : object_open_by(path, &rules, &o, l->e);
	if (err)
		goto out;
	if (o->type != ET_REL) {
		/* Only relocatable files have a module's addresses. */
		object_close(o);
		err = perr_set(l->e, PERR_FORMAT, "%s: it is not a kernel module", path);
		goto out;
	}
	if (desc->build_id_size ? !build_id_equal(desc->build_id, desc->build_id_size, o->build_id,
						  o->build_id_size)
				: !any_id) {
		object_close(o);
		l->ret->status = DSO_BUILD_ID_DIFFERS;
		err = perr_set(l->e, PERR_NOTFOUND, "%s: another build of this module", path);
		goto out;
	}
	err = load_object(l, o, packed ? 'm' : letter);
out:
	free(path);
	return err;
}

/*
 * The recorded path names the release, so a file there is right even where no id was recorded;
 * that of a foreign kernel is as a rule not there at all.
 */
static int try_recorded_path(struct kernel_load *l)
{
	static const char *const packings[] = { "", ".xz", ".zst", ".gz" };
	const char *name = l->desc->name;
	int err = PERR_NOTFOUND;

	symbols_warn_refused(l->cfg, name, recorded_path_check(name));
	if (*name != '/' || recorded_path_check(name) != FILE_FINE ||
	    (l->cfg->hermetic && !symbols_has_symfs(l->cfg)))
		return PERR_NOTFOUND;
	for (size_t i = 0; err && i < ARRAY_SIZE(packings); i++) {
		/* Distributions began to pack what was recorded unpacked. */
		if (i && !ends_with(name, ".ko"))
			break;
		err = try_file(l,
			       xasprintf("%s%s%s", symbols_has_symfs(l->cfg) ? l->cfg->symfs : "",
					 name, packings[i]),
			       'K', true);
	}
	return err;
}

static bool is_in(const struct dso_desc *desc, const struct symtab *tab)
{
	return tab->nr && tab->syms[0].start >= desc->map_start &&
	       (desc->map_end <= desc->map_start || tab->syms[0].start < desc->map_end);
}

/* Loads the module's symbols from the list (kallsyms) that is used for the kernel. */
static int try_kallsyms(struct kernel_load *l)
{
	struct kallsyms_file *f;
	struct dso_desc kernel = l->cache->kernel;
	enum dso_status status;
	int err;

	if (!l->desc->module_name)
		return PERR_NOTFOUND;
	if (!l->cache->has_kernel) {
		/*
		 * The host's list is right for this module only if the host has loaded the same
		 * module.
		 */
		if (!l->cfg->kallsyms && hostkernel_match_module(l->desc) == HOST_DIFFERS)
			return PERR_NOTFOUND;
		kernel = *l->desc;
		kernel.build_id_size = 0;
		kernel.map_start = kernel.map_end = 0;
	}
	err = kallsyms_source(l->cfg, l->cache, &kernel, &f, &status, l->e);
	if (err) {
		l->ret->status = status;
		return err;
	}
	kallsyms_fill(&f->list, l->desc->module_name, 0, l->tab);
	symtab_sort(l->tab);
	/* After another boot, the same kernel has its modules at other addresses. */
	if (!is_in(l->desc, l->tab)) {
		l->ret->status = l->tab->nr ? DSO_KERNEL_FOREIGN : DSO_FILE_MISSING;
		l->tab->nr = l->tab->nr_sorted = 0;
		return perr_set(l->e, PERR_NOTFOUND, "%s: it has no symbols of %s", f->path,
				l->desc->module_name);
	}
	/* perf shows the module's name instead of the list's path. */
	l->ret->path = xstrdup(l->desc->name);
	l->ret->letter = 'k';
	l->ret->status = DSO_LOADED;
	return 0;
}

int kmod_load(struct kernel_load *l)
{
	const struct dso_desc *desc = l->desc;
	int err;

	err = try_file(l, build_id_cache_path(l->cfg, desc->build_id, desc->build_id_size, "elf"),
		       'B', false);
	if (err)
		err = try_recorded_path(l);
	if (err)
		err = try_kallsyms(l);
	return err;
}
