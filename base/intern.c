/* SPDX-License-Identifier: MIT */
#include "base/intern.h"

#include "base/hash.h"

void intern_init(struct intern *t)
{
	*t = (struct intern){ 0 };
	t->mask = 255;
	t->slots = xcalloc(t->mask + 1, sizeof(*t->slots));
	vec_push(t->strs, t->nr, t->cap, "");
}

void intern_fini(struct intern *t)
{
	arena_fini(&t->arena);
	free(t->strs);
	free(t->slots);
	*t = (struct intern){ 0 };
}

static void intern_grow(struct intern *t)
{
	size_t i, j;

	free(t->slots);
	t->mask = t->mask * 2 + 1;
	t->slots = xcalloc(t->mask + 1, sizeof(*t->slots));
	for (i = 1; i < t->nr; i++) {
		j = hash_bytes(t->strs[i], strlen(t->strs[i])) & t->mask;
		while (t->slots[j])
			j = (j + 1) & t->mask;
		t->slots[j] = (u32)i;
	}
}

/* The slot of a text, or the free one where it would be. */
static size_t find_slot(const struct intern *t, const char *s, size_t len)
{
	size_t i = hash_bytes(s, len) & t->mask;
	u32 id;

	while ((id = t->slots[i])) {
		if (!strncmp(t->strs[id], s, len) && !t->strs[id][len])
			break;
		i = (i + 1) & t->mask;
	}
	return i;
}

u32 intern_n(struct intern *t, const char *s, size_t n)
{
	size_t len = n ? strnlen(s, n) : 0, i;

	if (!len)
		return 0;
	if (t->nr * 2 > t->mask)
		intern_grow(t);
	i = find_slot(t, s, len);
	if (!t->slots[i]) {
		t->slots[i] = (u32)t->nr;
		vec_push(t->strs, t->nr, t->cap, arena_strndup(&t->arena, s, len));
	}
	return t->slots[i];
}

bool intern_has(const struct intern *t, const char *s, size_t n)
{
	size_t len = n ? strnlen(s, n) : 0;

	return !len || t->slots[find_slot(t, s, len)];
}

u32 intern_str(struct intern *t, const char *s)
{
	return intern_n(t, s, strlen(s));
}
