/* SPDX-License-Identifier: MIT */
#include "picture/fold_order.h"

struct ranked {
	const char *text;
	u32 name;
};

static int by_text(const void *pa, const void *pb)
{
	const struct ranked *a = pa, *b = pb;

	return strcmp(a->text, b->text);
}

void fold_order_init(struct fold_order *fo, const struct intern *names)
{
	struct ranked *list = xmalloc((names->nr + 1) * sizeof(*list));
	size_t i, len;

	*fo = (struct fold_order){ .names = names };
	fo->ranks = xcalloc(names->nr + 1, sizeof(*fo->ranks));
	fo->torn = xcalloc(names->nr + 1, sizeof(*fo->torn));
	for (i = 0; i < names->nr; i++)
		list[i] = (struct ranked){ names->strs[i], (u32)i };
	qsort(list, names->nr, sizeof(*list), by_text);
	for (i = 0; i < names->nr; i++) {
		fo->ranks[list[i].name] = (u32)i;
		if (i + 1 == names->nr)
			break;
		/* names that begin with this one follow it, the lowest next byte first */
		len = strlen(list[i].text);
		fo->torn[list[i].name] = !strncmp(list[i].text, list[i + 1].text, len) &&
					 (u8)list[i + 1].text[len] < ';';
	}
	free(list);
}

void fold_order_fini(struct fold_order *fo)
{
	free(fo->ranks);
	free(fo->torn);
	*fo = (struct fold_order){ 0 };
}

int fold_order_compare(const struct fold_order *fo, u32 a, bool a_ends, u32 b, bool b_ends)
{
	const char *s, *t;
	u8 c, d;

	if (a == b)
		return (int)b_ends - (int)a_ends;
	if (!fo->torn[a] && !fo->torn[b])
		return fo->ranks[a] < fo->ranks[b] ? -1 : 1;
	s = intern_text(fo->names, a);
	t = intern_text(fo->names, b);
	for (; *s && *s == *t; s++, t++)
		;
	c = *s || a_ends ? (u8)*s : ';';
	d = *t || b_ends ? (u8)*t : ';';
	return c < d ? -1 : 1;
}
