/* SPDX-License-Identifier: MIT */
#include "fold/fold_names.h"

#include "picture/fold_escape.h"

static bool is_jit(const struct map *m)
{
	return m && dso_get_desc(m->dso)->kind == DSO_JIT;
}

/* Whether code is marked as the kernel's: [vdso] is, too, as flame graph scripts have it. */
static bool is_kernel(const struct map *m)
{
	return m && (m->kernel || m->dso_name[0] == '[');
}

static void put_object(struct out *o, const struct map *m)
{
	const char *name = m ? m->dso_name : "", *base = strrchr(name, '/');

	base = base ? base + 1 : name;
	if (!*name || !strcmp(name, "[unknown]")) {
		out_str(o, "[unknown]");
		return;
	}
	out_char(o, '[');
	fold_escape(o, base, strlen(base));
	out_char(o, ']');
}

void fold_name_function(struct out *o, const char *name, size_t n, enum function_names names)
{
	struct out written;
	size_t prefix;

	if (function_name_prefix(name, n, names, &prefix)) {
		fold_escape(o, name, prefix);
		return;
	}
	out_init_mem(&written);
	function_name_put(&written, name, n, names);
	fold_escape(o, written.buf, written.len);
	out_fini(&written);
}

/* Appends the functions of a JIT map's "outer->inner->innermost", with ';' between them. */
static void put_jit_inlined(struct out *o, const char *s, const struct fold_name_config *cfg)
{
	size_t start = o->len, n;
	bool inner = false;
	const char *end;

	for (;; s = end + 2, inner = true) {
		end = strstr(s, "->");
		n = end ? (size_t)(end - s) : strlen(s);
		if (n) {
			if (o->len > start)
				out_char(o, ';');
			fold_name_function(o, s, n, cfg->names);
			if (inner)
				out_str(o, "_[i]");
			else if (cfg->mark_jit)
				out_str(o, "_[j]");
		}
		if (!end)
			return;
	}
}

void fold_name_frame(struct out *o, const struct frame *fr, const struct fold_name_config *cfg)
{
	size_t start = o->len;

	if (fr->has_sym && is_jit(fr->map) && cfg->names != FUNCTION_NAMES_RAW &&
	    strstr(fr->sym->name, "->")) {
		put_jit_inlined(o, fr->sym->name, cfg);
		if (o->len > start)
			return;
	}
	if (fr->has_sym)
		fold_name_function(o, fr->sym->name, strlen(fr->sym->name), cfg->names);
	else
		put_object(o, fr->map);
	if (cfg->mark_kernel && is_kernel(fr->map))
		out_str(o, "_[k]");
	else if (cfg->mark_jit && is_jit(fr->map))
		out_str(o, "_[j]");
}
