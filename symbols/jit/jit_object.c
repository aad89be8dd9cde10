/* SPDX-License-Identifier: MIT */
#include "symbols/jit/jit_object.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/table/demangle.h"

void jit_object_fini(struct jit_object *o)
{
	idmap_fini(&o->by_func);
	free(o->names);
	arena_fini(&o->strings);
	*o = (struct jit_object){ 0 };
}

static const char *shown_name(struct jit_object *o, const struct symbols_config *cfg,
			      const struct jitdump_func *f)
{
	u32 i = idmap_get(&o->by_func, (u64)(uintptr_t)f, 0);
	const struct name_style style = { !cfg->no_demangle, cfg->format, cfg->name_form };
	char *shown;

	if (i != IDMAP_NONE)
		return o->names[i];
	i = (u32)o->nr;
	idmap_put(&o->by_func, (u64)(uintptr_t)f, 0, i);
	/* perf converts these functions to ELF files and demangles their names, too */
	shown = name_style_apply(&style, f->name);
	vec_push(o->names, o->nr, o->cap, arena_strdup(&o->strings, shown ? shown : f->name));
	free(shown);
	return o->names[i];
}

bool jit_object_find(struct jit_object *o, const struct symbols_config *cfg, u64 ip, u64 moment,
		     struct sym_hit *ret)
{
	const struct jitdump *dump;
	const struct jitdump_func *f = jit_code_find(o->code, ip, moment, &dump);

	if (!f || !*f->name)
		return false;
	/* a function that was moved keeps its first address (home) as its identity */
	*ret = (struct sym_hit){ .name = shown_name(o, cfg, f),
				 .start = f->home,
				 .end = f->home + f->size,
				 .addr = ip - f->start + f->home };
	return true;
}

bool jit_object_find_line(const struct jit_object *o, u64 ip, u64 moment, struct line_hit *ret)
{
	const struct jitdump *dump;
	const struct jitdump_func *f = jit_code_find(o->code, ip, moment, &dump);

	*ret = (struct line_hit){ .vaddr = ip };
	return f && jitdump_find_line(dump, f, ip, &ret->file, &ret->line);
}

size_t jit_object_read_code(const struct jit_object *o, u64 ip, u64 moment, void *buf, size_t n,
			    bool *ret_is_64)
{
	const struct jitdump *dump;
	const struct jitdump_func *f = jit_code_find(o->code, ip, moment, &dump);
	u64 off;

	if (!f)
		return 0;
	*ret_is_64 = jitdump_is_64(dump);
	off = ip - f->start;
	if (off >= f->code.n)
		return 0;
	if (n > f->code.n - off)
		n = (size_t)(f->code.n - off);
	memcpy(buf, f->code.p + off, n);
	return n;
}
