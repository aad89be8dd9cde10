/* SPDX-License-Identifier: MIT */
#include "symbols/kernel/kernel_names.h"

#include <string.h>

#include "base/hash.h"

/* A slot remembers the symbol that was found last for an address of these 256 bytes. */
#define NR_RECENT 4096
#define RECENT_SHIFT 8

struct kernel_names {
	struct kallsyms *list;
	u64 delta;
	struct idmap by_symbol; /* (offset of the name in the text, 0) -> index in names */
	const char **names;
	size_t nr, cap;
	struct arena arena;
	struct sym_hit recent[NR_RECENT]; /* without a name: free */
};

/*
 * Converts the end of a symbol or range from the addresses of the text to run-time addresses; a
 * result that wraps becomes the largest address.
 */
static u64 moved_end(const struct kernel_names *n, u64 start, u64 end)
{
	u64 ret;

	return __builtin_add_overflow(start + n->delta, end - start, &ret) ? UINT64_MAX : ret;
}

struct kernel_names *kernel_names_new(struct kallsyms *list, u64 delta)
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
	u64 start, end;

	if (!kallsyms_range(n->list, &start, &end))
		return false;
	*ret_start = start + n->delta;
	*ret_end = moved_end(n, start, end);
	return true;
}

static const char *name_of(struct kernel_names *n, const struct kallsyms_sym *s)
{
	u32 i = idmap_get(&n->by_symbol, s->name, 0);
	char *name;

	if (i == IDMAP_NONE) {
		name = arena_alloc(&n->arena, (size_t)s->name_len + 1);
		memcpy(name, n->list->text.p + s->name, s->name_len);
		i = (u32)n->nr;
		vec_push(n->names, n->nr, n->cap, name);
		idmap_put(&n->by_symbol, s->name, 0, i);
	}
	return n->names[i];
}

bool kernel_names_find(struct kernel_names *n, u64 addr, struct sym_hit *ret)
{
	struct sym_hit *recent = &n->recent[hash_u64(addr >> RECENT_SHIFT) % NR_RECENT];
	struct kallsyms_sym s;

	if (recent->name && addr >= recent->start && addr < recent->end) {
		*ret = *recent;
		ret->addr = addr;
		return true;
	}
	if (!kallsyms_find(n->list, addr - n->delta, &s))
		return false;
	*ret = (struct sym_hit){ .name = name_of(n, &s),
				 .start = s.start + n->delta,
				 .end = moved_end(n, s.start, s.end),
				 .addr = addr,
				 .is_object = kallsyms_is_data(&s) };
	if (kallsyms_is_alone(&s))
		*recent = *ret;
	return true;
}

size_t kernel_names_list(struct kernel_names *n, struct sym_listed **ret)
{
	size_t nr = 0;

	kallsyms_read(n->list);
	*ret = xcalloc(n->list->nr + 1, sizeof(**ret));
	for (size_t i = 0; i < n->list->nr; i++) {
		const struct kallsyms_sym *s = &n->list->syms[i];

		if (s->module_len)
			continue;
		(*ret)[nr++] = (struct sym_listed){
			.start = s->start + n->delta,
			.end = moved_end(n, s->start, s->end),
			.id = (u32)i,
			.binding = kallsyms_binding(s->type),
		};
	}
	return nr;
}

const char *kernel_names_get(struct kernel_names *n, u32 id)
{
	return name_of(n, &n->list->syms[id]);
}
