/* SPDX-License-Identifier: MIT */
#include "machine/machine_modules.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "machine/jit_modules.h"
#include "unwind/unwind_module.h"

struct machine_modules {
	enum unwinder_kind kind;
	bool asks_again; /* a file that was not found may be found later */
	pthread_mutex_t lock;
	struct jit_modules *jits;
	struct unwind_module **by_dso; /* by number of the dso, NULL: not asked for yet */
	const struct object **code;    /* likewise: what is mapped */
	bool *tried;
	size_t nr;
	size_t nr_made; /* modules that are there */
};

struct machine_modules *machine_modules_new(enum unwinder_kind kind, bool asks_again)
{
	struct machine_modules *m = xcalloc(1, sizeof(*m));

	m->kind = kind;
	m->asks_again = asks_again;
	m->jits = jit_modules_new();
	pthread_mutex_init(&m->lock, NULL);
	return m;
}

const char *unwinder_kind_name(enum unwinder_kind kind)
{
	static const char *const names[] = { "table", "libdw", "libunwind" };

	return names[kind];
}

enum unwinder_kind machine_modules_kind(const struct machine_modules *m)
{
	return m->kind;
}

void machine_modules_free(struct machine_modules *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->nr; i++)
		unwind_module_free(m->by_dso[i]);
	jit_modules_free(m->jits);
	free(m->by_dso);
	free(m->code);
	free(m->tried);
	pthread_mutex_destroy(&m->lock);
	free(m);
}

static void make_room(struct machine_modules *m, size_t number)
{
	size_t nr = number + number / 2 + 16;

	if (number < m->nr)
		return;
	m->by_dso = xrealloc(m->by_dso, nr * sizeof(*m->by_dso));
	m->code = xrealloc(m->code, nr * sizeof(*m->code));
	m->tried = xrealloc(m->tried, nr * sizeof(*m->tried));
	for (; m->nr < nr; m->nr++) {
		m->by_dso[m->nr] = NULL;
		m->code[m->nr] = NULL;
		m->tried[m->nr] = false;
	}
}

static struct unwind_module *make_module(const struct machine_modules *m, const struct object *code,
					 const struct object *debug)
{
	struct unwind_module *um = unwind_module_new(code, debug);

	if (m->kind == UNWINDER_LIBDW)
		unwind_module_use_libdw(um);
	return um;
}

/* The module of an object and the file that is mapped; NULL when that was not found. */
static struct unwind_module *module_of(struct machine_modules *m, struct dso *d,
				       const struct object **ret_code)
{
	u32 number = dso_get_number(d);
	struct unwind_module *found;
	const struct object *debug;

	pthread_mutex_lock(&m->lock);
	make_room(m, number);
	if (!m->tried[number]) {
		dso_find_files(d, &m->code[number], &debug);
		m->tried[number] = m->code[number] || !m->asks_again;
		if (m->code[number]) {
			m->by_dso[number] = make_module(m, m->code[number], debug);
			m->nr_made++;
		}
	}
	found = m->by_dso[number];
	*ret_code = m->code[number];
	pthread_mutex_unlock(&m->lock);
	return found;
}

size_t machine_modules_nr(const struct machine_modules *m)
{
	return m->nr_made;
}

bool machine_modules_forget(struct machine_modules *m, const struct dso *d)
{
	u32 number = dso_get_number(d);

	if (number >= m->nr || !m->tried[number])
		return false;
	m->nr_made -= m->by_dso[number] != NULL;
	unwind_module_free(m->by_dso[number]);
	m->by_dso[number] = NULL;
	m->code[number] = NULL;
	m->tried[number] = false;
	return true;
}

void machine_modules_give_pages_back(struct machine_modules *m)
{
	pthread_mutex_lock(&m->lock);
	for (size_t i = 0; i < m->nr; i++)
		if (m->code[i])
			object_give_pages_back(m->code[i]);
	pthread_mutex_unlock(&m->lock);
}

static const struct machine_modules_known *known_module(const struct user_space *us, struct dso *d)
{
	struct machine_modules_known *k = &us->known[dso_get_number(d) % MACHINE_MODULES_KNOWN];

	if (k->dso != d || (!k->module && us->modules->asks_again)) {
		k->module = module_of(us->modules, d, &k->code);
		k->dso = d;
	}
	return k;
}

/*
 * The vaddr of a file offset; where segments share a page, code wins. False when the file has no
 * such segment.
 */
static bool vaddr_of(const struct object *o, u64 file_off, u64 *ret)
{
	bool found = false;

	for (size_t i = 0; i < o->nr_loads; i++) {
		const struct obj_load *l = &o->loads[i];

		if (file_off < l->off || file_off - l->off >= l->filesz)
			continue;
		if (found && !(l->flags & 1)) /* PF_X */
			continue;
		*ret = file_off - l->off + l->vaddr;
		found = true;
	}
	return found;
}

/* Code that no ELF file holds: memory of a JIT, or an image of a language's own (SBCL's). */
static bool is_made_code(const struct dso *d)
{
	return !strncmp(dso_get_desc(d)->name, "/memfd:", 7) || dso_get_status(d) == DSO_BROKEN;
}

static void find_jit_module(struct machine_modules *m, const struct map *map, u64 ip,
			    struct unwind_place *ret)
{
	if (!dso_get_desc(map->dso)->jit)
		return;
	pthread_mutex_lock(&m->lock);
	(void)jit_modules_find(m->jits, map->dso, ip, map->pgoff, ret);
	pthread_mutex_unlock(&m->lock);
}

bool machine_modules_forget_jit(struct machine_modules *m, const struct dso *code)
{
	return jit_modules_forget(m->jits, code);
}

bool machine_modules_find(const struct unwind_space *space, u64 ip, struct unwind_place *ret)
{
	const struct user_space *us = space->maps;
	const struct map *map = us->maps ? mapset_find(us->maps, ip) : NULL;
	const struct machine_modules_known *known;
	u64 vaddr = 0;

	if (!map || !map_is_code(map))
		return false;
	*ret = (struct unwind_place){ .start = map->start, .end = map->end };
	switch (dso_get_desc(map->dso)->kind) {
	case DSO_USER:
	case DSO_VDSO:
		known = known_module(us, map->dso);
		ret->module = known->module;
		if (!ret->module) {
			ret->vdso = dso_get_desc(map->dso)->kind == DSO_VDSO;
			ret->may_have_frames = ret->vdso || is_made_code(map->dso);
			return true;
		}
		if (vaddr_of(known->code, map_ip_to_addr(map, ip), &vaddr)) {
			ret->bias = ip - vaddr;
			return true;
		}
		/* the file has changed since */
		ret->module = NULL;
		return true;
	default:
		/* code that was made at run time keeps frame pointers, if anything */
		ret->may_have_frames = true;
		find_jit_module(us->modules, map, ip, ret);
		return true;
	}
}
