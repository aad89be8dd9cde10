/* SPDX-License-Identifier: MIT */
#include "record/probe/elf_functions.h"

#include <elf.h>
#include <string.h>

#include "base/mem.h"
#include "symbols/find/debugfile.h"
#include "symbols/elf/elf_symtab.h"

/*
 * Converts a virtual address to its file offset and the end of its segment in the file. Returns
 * false if the address is not code of the file.
 */
static bool code_off(const struct object *file, u64 vaddr, u64 *ret_off, u64 *ret_end)
{
	const struct obj_load *l = object_load_at(file, vaddr);

	if (!l || !(l->flags & PF_X) || vaddr - l->vaddr >= l->filesz)
		return false;
	*ret_off = obj_load_off(l, vaddr);
	*ret_end = l->off + l->filesz;
	return *ret_off < *ret_end;
}

static void add_symbol(struct elf_functions *l, const struct object *src,
		       const struct elf_syms *syms, struct elf_sym s)
{
	struct elf_function f = { 0 };
	u8 type = s.info & 0xf;

	if (!s.name || s.name >= syms->strings.n || s.section == SHN_UNDEF ||
	    s.section >= src->nr_sections)
		return;
	if (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE)
		return;
	if (!(src->sections[s.section].flags & SHF_EXECINSTR))
		return;
	if (src->machine == EM_ARM && type == STT_FUNC)
		s.value &= ~1ull; /* the lowest bit marks Thumb code */
	if (!code_off(l->file, s.value, &f.off, &f.end))
		return;
	f.name = (const char *)syms->strings.p + s.name;
	f.is_label = type == STT_NOTYPE;
	f.is_ifunc = type == STT_GNU_IFUNC;
	f.no_size = !s.size;
	if (s.size && s.size < f.end - f.off)
		f.end = f.off + s.size;
	vec_push(l->f, l->nr, l->cap, f);
}

static void add_section(struct elf_functions *l, const struct object *src, const char *name)
{
	struct elf_syms syms = elf_syms_of(src, object_section(src, name));

	for (size_t i = 0; i < syms.nr; i++)
		add_symbol(l, src, &syms, elf_syms_get(&syms, i));
}

static int by_off(const void *pa, const void *pb)
{
	const struct elf_function *a = pa, *b = pb;

	if (a->off != b->off)
		return a->off < b->off ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Marks the other names of an IFUNC's code among [first, end), all names of one offset. */
static void mark_ifuncs(struct elf_function *first, const struct elf_function *end)
{
	bool any = false;

	for (const struct elf_function *f = first; f < end; f++)
		any |= f->is_ifunc;
	for (struct elf_function *f = first; f < end; f++)
		f->at_ifunc = any;
}

/*
 * Sorts the functions, removes those that are in both symbol tables, and ends functions without a
 * size at the next function.
 */
static void functions_sort_and_merge(struct elf_functions *l)
{
	size_t nr = 0;
	u64 next = UINT64_MAX;

	if (!l->nr)
		return;
	qsort(l->f, l->nr, sizeof(*l->f), by_off);
	for (size_t i = 0; i < l->nr; i++) {
		struct elf_function *last = nr ? &l->f[nr - 1] : NULL;

		if (last && last->off == l->f[i].off && !strcmp(last->name, l->f[i].name)) {
			last->is_label &= l->f[i].is_label;
			last->is_ifunc |= l->f[i].is_ifunc;
			continue;
		}
		l->f[nr++] = l->f[i];
	}
	l->nr = nr;
	for (size_t i = nr; i-- > 0;) {
		struct elf_function *f = &l->f[i];

		if (i + 1 < nr && l->f[i + 1].off != f->off)
			next = l->f[i + 1].off;
		if (f->no_size && next < f->end)
			f->end = next;
	}
	for (size_t i = 0, run; i < nr; i = run) {
		for (run = i + 1; run < nr && l->f[run].off == l->f[i].off;)
			run++;
		mark_ifuncs(&l->f[i], &l->f[run]);
	}
}

int elf_functions_read(const char *path, struct elf_functions *ret, struct perr *e)
{
	struct elf_functions l = { 0 };
	int rc = object_open(path, &l.file, e);

	if (rc)
		return rc;
	if ((l.file->type != ET_EXEC && l.file->type != ET_DYN) || !l.file->nr_loads) {
		object_close(l.file);
		return perr_set(e, PERR_UNSUPPORTED, "%s is neither a program nor a shared library",
				path);
	}
	memcpy(l.build_id, l.file->build_id, sizeof(l.build_id));
	l.build_id_size = l.file->build_id_size;
	if (elf_has_symtab(l.file)) {
		add_section(&l, l.file, ".symtab");
	} else {
		struct symbols_config cfg = { 0 };
		struct dso_desc desc = { .kind = DSO_USER, .name = path };
		struct debugfile found;

		debugfile_find(&cfg, &desc, &found);
		if (found.symbols && elf_has_symtab(found.symbols)) {
			l.debug = debugfile_take_symbols(&found);
			add_section(&l, l.debug, ".symtab");
		} else {
			l.stripped = true;
		}
		debugfile_fini(&found);
	}
	add_section(&l, l.file, ".dynsym");
	functions_sort_and_merge(&l);
	*ret = l;
	return 0;
}

void elf_functions_fini(struct elf_functions *l)
{
	free(l->f);
	object_close(l->debug);
	object_close(l->file);
	*l = (struct elf_functions){ 0 };
}
