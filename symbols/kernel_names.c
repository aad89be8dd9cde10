/* SPDX-License-Identifier: MIT */
#include "symbols/kernel_names.h"

#include <string.h>

#include "base/hash.h"

struct kernel_names {
	const struct kallsyms *list;
	u64 delta;
	struct idmap by_symbol; /* (number in the list, 0) -> index in names */
	const char **names;
	size_t nr, cap;
	struct arena arena;
};

static u64 end_of(const struct kernel_names *n, const struct kallsyms_sym *s)
{
	u64 end;

	return __builtin_add_overflow(s->start + n->delta, s->end - s->start, &end) ? UINT64_MAX
										    : end;
}

struct kernel_names *kernel_names_new(const struct kallsyms *list, u64 delta)
{
	struct kernel_names *n = xcalloc(1, sizeof(*n));

	n->list = list;
	n->delta = delta;
	return n;
}

void kernel_names_free(struct kernel_names *n)
{
	if (!n)
		return;
	idmap_fini(&n->by_symbol);
	free(n->names);
	arena_fini(&n->arena);
	free(n);
}

bool kernel_names_range(const struct kernel_names *n, u64 *ret_start, u64 *ret_end)
{
	const struct kallsyms *k = n->list;
	size_t first = 0, last = k->nr;

	while (first < last && k->syms[first].module_len)
		first++;
	while (last > first && k->syms[last - 1].module_len)
		last--;
	if (first == last)
		return false;
	*ret_start = k->syms[first].start + n->delta;
	*ret_end = end_of(n, &k->syms[last - 1]);
	return true;
}

static const char *name_of(struct kernel_names *n, const struct kallsyms_sym *s)
{
	u64 number = (u64)(s - n->list->syms);
	u32 i = idmap_get(&n->by_symbol, number, 0);
	char *name;

	if (i == IDMAP_NONE) {
		name = arena_alloc(&n->arena, (size_t)s->name_len + 1);
		memcpy(name, n->list->text.p + s->name, s->name_len);
		i = (u32)n->nr;
		vec_push(n->names, n->nr, n->cap, name);
		idmap_put(&n->by_symbol, number, 0, i);
	}
	return n->names[i];
}

bool kernel_names_find(struct kernel_names *n, u64 addr, struct sym_hit *ret)
{
	const struct kallsyms_sym *s = kallsyms_find(n->list, addr - n->delta);

	if (!s)
		return false;
	*ret = (struct sym_hit){ .name = name_of(n, s),
				 .start = s->start + n->delta,
				 .end = end_of(n, s),
				 .addr = addr,
				 .is_object = kallsyms_is_data(s) };
	return true;
}
