/* SPDX-License-Identifier: MIT */
/* Recipes as text. Input: one file. Each recipe that is read must read again, as it was written, as
 * itself. */
#include <stdlib.h>

#include "base/mem.h"
#include "events/recipes/recipe_text.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static bool same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static void read_again(const struct recipe *r)
{
	struct recipes all = { 0 };
	const struct recipe *n;
	struct perr e;

	if (recipe_text_parse(&all, "f", span_of(r->text, strlen(r->text)), &e) || all.nr != 1)
		abort();
	n = &all.v[0];
	if (!same(r->name, n->name) || !same(r->about, n->about) || !same(r->begin, n->begin) ||
	    !same(r->by, n->by) || !same(r->value, n->value) || !same(r->record, n->record) ||
	    r->nr_ends != n->nr_ends || r->nest != n->nest || r->cycle != n->cycle)
		abort();
	for (size_t i = 0; i < r->nr_ends; i++)
		if (!same(r->ends[i], n->ends[i]))
			abort();
	recipes_fini(&all);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct recipes all = { 0 };
	struct perr e = { 0 };
	u8 *copy = malloc(size ? size : 1);

	if (!copy)
		abort();
	if (size)
		memcpy(copy, data, size);
	if (recipe_text_parse(&all, "f", span_of(copy, size), &e) && (!e.code || !e.text[0]))
		abort();
	for (size_t i = 0; i < all.nr && i < 100; i++)
		read_again(&all.v[i]);
	recipes_fini(&all);
	free(copy);
	return 0;
}
