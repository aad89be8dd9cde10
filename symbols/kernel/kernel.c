/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kernel.h"

#include <elf.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/mem.h"
#include "symbols/find/build_id_cache.h"
#include "symbols/elf/elf_symtab.h"
#include "symbols/kernel/hostkernel.h"
#include "symbols/kernel/kallsyms_source.h"
#include "symbols/kernel/kernel_names.h"
#include "symbols/kernel/kmod.h"
#include "symbols/elf/object.h"

/* The most sections that become parts: a kernel has about 30 sections with symbols. */
#define MAX_PARTS 256

/* Finds the address of the reference symbol in vmlinux. */
static bool find_ref_sym(const struct object *o, const char *name, u64 *ret)
{
	struct elf_syms syms = elf_syms_of(o, object_section(o, ".symtab"));

	for (size_t i = 0; i < syms.nr; i++) {
		struct elf_sym s = elf_syms_get(&syms, i);
		const char *text = object_string(syms.strings, s.name);

		if (text && s.section && !strcmp(text, name)) {
			*ret = s.value;
			return true;
		}
	}
	return false;
}

/*
 * Adds delta to the addresses of all symbols. They stay in order unless they wrap, which does not
 * happen for kernels.
 */
static void move_symbols(struct symtab *tab, u64 delta)
{
	if (!delta)
		return;
	for (size_t i = 0; i < tab->nr; i++) {
		tab->syms[i].start += delta;
		tab->syms[i].end += delta;
	}
	tab->nr_sorted = 0;
	symtab_sort(tab);
}

/* section: valid as long as the symbols. */
static void add_part(struct kernel_load *l, u64 start, u64 end, const char *section)
{
	l->ret->parts = xrealloc(l->ret->parts, (l->ret->nr_parts + 1) * sizeof(*l->ret->parts));
	l->ret->parts[l->ret->nr_parts++] = (struct dso_part){
		.start = start, .end = end, .section = arena_strdup(&l->tab->strings, section)
	};
}

static bool has_symbol_in(const struct symtab *tab, u64 start, u64 end)
{
	size_t lo = 0, hi = tab->nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (tab->syms[mid].start < start)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < tab->nr && tab->syms[lo].start < end;
}

/* Makes a part of each section with symbols, as perf has one object for each. */
static void add_parts(struct kernel_load *l, const struct object *o, u64 delta)
{
	for (size_t i = 0; i < o->nr_sections; i++) {
		const struct obj_section *s = &o->sections[i];
		u64 start = s->addr + delta, end = start + s->size;

		if (!(s->flags & SHF_ALLOC) || end <= start || !has_symbol_in(l->tab, start, end))
			continue;
		if (l->ret->nr_parts == MAX_PARTS)
			break;
		add_part(l, start, end, strcmp(s->name, ".text") ? s->name : "");
	}
}

/* Loads the symbols of o, converted to run-time addresses, and takes ownership of o. */
static int load_vmlinux(struct kernel_load *l, struct object *o, char letter)
{
	const struct dso_desc *desc = l->desc;
	u64 value, delta = 0;
	int err;

	symtab_keep_object(l->tab, o);
	err = elf_load_symbols(o, o, ELF_SYMBOLS_KERNEL, l->tab, l->e);
	if (err) {
		l->tab->nr = l->tab->nr_sorted = 0;
		l->ret->status = err == PERR_NOTFOUND ? DSO_STRIPPED : DSO_BROKEN;
		return err;
	}
	if (desc->ref_sym && desc->ref_addr && find_ref_sym(o, desc->ref_sym, &value))
		delta = desc->ref_addr - value;
	move_symbols(l->tab, delta);
	add_parts(l, o, delta);
	l->ret->path = xstrdup(o->path);
	l->ret->letter = letter;
	l->ret->status = DSO_LOADED;
	return 0;
}

/*
 * Tries path as the kernel's file. If a build-id was recorded, the file must have the same. If not,
 * any_id says whether the file is accepted.
 */
static int try_vmlinux(struct kernel_load *l, const char *path, char letter, bool any_id)
{
	const struct dso_desc *desc = l->desc;
	const struct file_rules rules = symbols_file_rules(l->cfg);
	struct object *o;
	int err = object_open_by(path, &rules, &o, l->e);

	if (err)
		return err;
	if (desc->build_id_size ? !build_id_equal(desc->build_id, desc->build_id_size, o->build_id,
						  o->build_id_size)
				: !any_id) {
		object_close(o);
		l->ret->status = DSO_BUILD_ID_DIFFERS;
		return perr_set(l->e, PERR_NOTFOUND, "%s: it belongs to another kernel", path);
	}
	return load_vmlinux(l, o, letter);
}

static int try_cached_vmlinux(struct kernel_load *l)
{
	static const char *const names[] = { "elf", "debug", "vmlinux" };
	const struct dso_desc *desc = l->desc;
	int err = PERR_NOTFOUND;

	for (size_t i = 0; err && i < ARRAY_SIZE(names); i++) {
		char *path =
			build_id_cache_path(l->cfg, desc->build_id, desc->build_id_size, names[i]);

		/*
		 * Old caches have kallsyms at the same path: it is not an ELF file and is refused.
		 */
		if (path)
			err = try_vmlinux(l, path, 'B', false);
		free(path);
	}
	return err;
}

/* A place where vmlinux may be. */
struct place {
	const char *before, *after; /* the path before and after the release; after is NULL if the
				     * path does not contain it */
};

static const struct place vmlinux_places[] = {
	{ "vmlinux", NULL },
	{ "/boot/vmlinux", NULL },
	{ "/boot/vmlinux-", "" },
	{ "/usr/lib/debug/boot/vmlinux-", "" },
	{ "/lib/modules/", "/build/vmlinux" },
	{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
	{ "/usr/lib/debug/boot/vmlinux-", ".debug" },
};

static int try_places(struct kernel_load *l)
{
	const char *root = symbols_has_symfs(l->cfg) ? l->cfg->symfs : "";
	const char *release = l->desc->os_release;
	struct utsname uts;
	int err = PERR_NOTFOUND;

	if (!symbols_has_symfs(l->cfg) && l->cfg->hermetic)
		return PERR_NOTFOUND;
	/*
	 * If the release is unknown, try the running kernel's: the build-id proves whether it is
	 * right.
	 */
	if (!release && l->desc->build_id_size && !symbols_has_symfs(l->cfg) && !uname(&uts))
		release = uts.release;
	for (size_t i = 0; err && i < ARRAY_SIZE(vmlinux_places); i++) {
		const struct place *p = &vmlinux_places[i];
		char *path;

		if (p->after && (!release || strchr(release, '/')))
			continue;
		path = xasprintf("%s%s%s%s%s", root, *root && *p->before != '/' ? "/" : "",
				 p->before, p->after ? release : "", p->after ? p->after : "");
		err = try_vmlinux(l, path, 'v', symbols_has_symfs(l->cfg) || p->after);
		free(path);
	}
	return err;
}

static void take_kallsyms(struct kernel_load *l, struct kallsyms_file *f)
{
	struct symtab *t = l->tab;
	u64 start, end;
	bool any;

	/*
	 * a list that outlives the table is searched in place, unless names or ranges must be
	 * changed
	 */
	if (l->cfg->kernel_cache && !l->cfg->demangle_kernel && !l->cfg->name_form && !t->nr) {
		l->ret->names = kernel_names_new(&f->list, f->delta);
		any = kernel_names_range(l->ret->names, &start, &end);
	} else {
		kallsyms_fill(&f->list, NULL, f->delta, t);
		symtab_sort(t);
		any = t->nr;
		start = any ? t->syms[0].start : 0;
		end = any ? t->syms[t->nr - 1].end : 0;
	}
	if (any)
		add_part(l, start, end, "");
}

static int load_kallsyms(struct kernel_load *l)
{
	struct kallsyms_file *f;
	enum dso_status status;
	int err = kallsyms_source_kernel(l->cfg, l->cache, l->desc, &f, &status, l->e);

	if (err) {
		l->ret->status = status;
		return err;
	}
	take_kallsyms(l, f);
	/* perf shows this name for every copy of the list, also with --show-kernel-path. */
	l->ret->path = xstrdup(KERNEL_NAME);
	l->ret->letter = 'k';
	l->ret->status = DSO_LOADED;
	return 0;
}

static int load_kernel(struct kernel_load *l)
{
	char *path;
	int err;

	if (l->cfg->kallsyms)
		return load_kallsyms(l);
	if (l->cfg->vmlinux) {
		path = *l->cfg->vmlinux == '/' || !symbols_has_symfs(l->cfg)
			       ? xstrdup(l->cfg->vmlinux)
			       : xasprintf("%s/%s", l->cfg->symfs, l->cfg->vmlinux);
		err = try_vmlinux(l, path, 'v', true);
		free(path);
		return err;
	}
	err = try_cached_vmlinux(l);
	if (err)
		err = try_places(l);
	if (err)
		err = load_kallsyms(l);
	return err;
}

int kernel_load_symbols(const struct symbols_config *cfg, const struct dso_desc *desc,
			struct symtab *tab, struct sym_origin *ret, struct perr *e)
{
	struct kernel_cache *own = cfg->kernel_cache ? NULL : kernel_cache_new();
	struct kernel_cache *c = own ? own : cfg->kernel_cache;
	struct kernel_load l = {
		.cfg = cfg, .cache = c, .desc = desc, .tab = tab, .ret = ret, .e = e
	};
	int err;

	*ret = (struct sym_origin){ .letter = '!', .status = DSO_FILE_MISSING, .addr_is_ip = true };
	pthread_mutex_lock(&c->lock);
	err = desc->kind == DSO_MODULE ? kmod_load(&l) : load_kernel(&l);
	pthread_mutex_unlock(&c->lock);
	kernel_cache_free(own);
	return err;
}
