/* SPDX-License-Identifier: MIT */
#include "machine/jit_modules.h"

#include <elf.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "unwind/unwind_module.h"

/* One function as a file would have it: its code, behind it .eh_frame and .eh_frame_hdr. */
struct jit_module {
	struct object object;
	struct obj_load load;
	struct obj_section sections[4];
	u8 *image; /* NULL: the code lies in the dump, and there is nothing else */
	struct unwind_module *module;
	const struct dso *owner;
	uintptr_t key; /* in by_code */
	char nameless[8];
};

struct jit_modules {
	struct idmap by_code; /* (address of its code in the dump, 0) -> index in items */
	struct jit_module **items;
	size_t nr, cap;
};

struct jit_modules *jit_modules_new(void)
{
	return xcalloc(1, sizeof(struct jit_modules));
}

static void free_item(struct jit_module *j)
{
	unwind_module_free(j->module);
	free(j->image);
	free(j);
}

void jit_modules_free(struct jit_modules *m)
{
	for (size_t i = 0; i < m->nr; i++)
		free_item(m->items[i]);
	free(m->items);
	idmap_fini(&m->by_code);
	free(m);
}

static struct obj_section *add_section(struct object *o, const char *name, u64 vaddr, u64 off,
				       size_t size)
{
	struct obj_section *s = &o->sections[o->nr_sections++];

	*s = (struct obj_section){ .name = name,
				   .type = SHT_PROGBITS,
				   .flags = SHF_ALLOC,
				   .addr = vaddr + off,
				   .off = off,
				   .size = size };
	return s;
}

/*
 * Who writes frame information takes it to lie behind the code at the next multiple of eight, as in
 * the file that perf inject makes of the function: pointers in it are relative to that.
 */
static void add_frames(struct jit_module *j, const struct jitdump_func *f)
{
	size_t at = (f->code.n + 7) & ~(size_t)7, hdr = at + f->eh_frame.n;
	struct object *o = &j->object;

	j->image = xcalloc(1, hdr + f->eh_frame_hdr.n);
	memcpy(j->image, f->code.p, f->code.n);
	memcpy(j->image + at, f->eh_frame.p, f->eh_frame.n);
	if (f->eh_frame_hdr.n)
		memcpy(j->image + hdr, f->eh_frame_hdr.p, f->eh_frame_hdr.n);
	o->file = span_of(j->image, hdr + f->eh_frame_hdr.n);
	add_section(o, ".eh_frame", f->home, at, f->eh_frame.n);
	if (f->eh_frame_hdr.n) {
		add_section(o, ".eh_frame_hdr", f->home, hdr, f->eh_frame_hdr.n);
		o->eh_frame_hdr.vaddr = f->home + hdr;
		o->eh_frame_hdr.size = f->eh_frame_hdr.n;
	}
}

static struct jit_module *make(const struct jitdump_func *f, const struct jitdump *d)
{
	struct jit_module *j = xcalloc(1, sizeof(*j));
	struct object *o = &j->object;

	memcpy(j->nameless, "jitdump", sizeof(j->nameless));
	o->path = d->path ? d->path : j->nameless;
	o->file = f->code;
	o->is_64 = jitdump_is_64(d);
	o->swap = d->swap;
	o->type = ET_DYN;
	o->machine = (u16)d->machine;
	o->sections = j->sections;
	j->sections[o->nr_sections++].name = "";
	add_section(o, ".text", f->home, 0, f->code.n)->flags |= SHF_EXECINSTR;
	if (f->eh_frame.n)
		add_frames(j, f);
	j->load = (struct obj_load){
		.vaddr = f->home, .filesz = o->file.n, .memsz = o->file.n, .flags = PF_R | PF_X
	};
	o->loads = &j->load;
	o->nr_loads = 1;
	j->module = unwind_module_new(o, NULL);
	unwind_module_set_made(j->module);
	return j;
}

bool jit_modules_find(struct jit_modules *m, const struct dso *owner, u64 ip, u64 moment,
		      struct unwind_place *ret)
{
	const struct jitdump *d;
	const struct jitdump_func *f = jit_code_find(dso_get_desc(owner)->jit, ip, moment, &d);
	u32 i;

	if (!f || ip - f->start >= f->code.n)
		return false;
	/* a function that moved is the same one */
	i = idmap_get(&m->by_code, (uintptr_t)f->code.p, 0);
	if (i == IDMAP_NONE) {
		i = (u32)m->nr;
		idmap_put(&m->by_code, (uintptr_t)f->code.p, 0, i);
		vec_push(m->items, m->nr, m->cap, make(f, d));
		m->items[i]->owner = owner;
		m->items[i]->key = (uintptr_t)f->code.p;
	}
	ret->module = m->items[i]->module;
	ret->bias = f->start - f->home;
	return true;
}

bool jit_modules_forget(struct jit_modules *m, const struct dso *owner)
{
	size_t before = m->nr;

	m->nr = 0;
	for (size_t i = 0; i < before; i++) {
		if (m->items[i]->owner == owner)
			free_item(m->items[i]);
		else
			m->items[m->nr++] = m->items[i];
	}
	if (m->nr == before)
		return false;
	idmap_clear(&m->by_code);
	for (size_t i = 0; i < m->nr; i++)
		idmap_put(&m->by_code, m->items[i]->key, 0, (u32)i);
	return true;
}
