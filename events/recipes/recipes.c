/* SPDX-License-Identifier: MIT */
#include "events/recipes/recipes.h"

#include "base/mem.h"

static void recipe_fini(struct recipe *r)
{
	free(r->name);
	free(r->about);
	free(r->begin);
	for (size_t i = 0; i < r->nr_ends; i++)
		free(r->ends[i]);
	free(r->ends);
	free(r->by);
	free(r->value);
	free(r->record);
	free(r->text);
	free(r->file);
}

void recipes_fini(struct recipes *r)
{
	for (size_t i = 0; i < r->nr; i++)
		recipe_fini(&r->v[i]);
	free(r->v);
	*r = (struct recipes){ 0 };
}

const struct recipe *recipes_find(const struct recipes *r, const char *name)
{
	for (size_t i = r->nr; i--;)
		if (!strcmp(r->v[i].name, name))
			return &r->v[i];
	return NULL;
}

void recipes_list(const struct recipes *r, struct out *o)
{
	for (size_t i = 0; i < r->nr; i++) {
		if (recipes_find(r, r->v[i].name) != &r->v[i])
			continue;
		out_str_width(o, r->v[i].name, -14);
		if (strlen(r->v[i].name) >= 14)
			out_char(o, ' ');
		out_str(o, r->v[i].about);
		if (r->v[i].file) {
			out_str(o, " (");
			out_str(o, r->v[i].file);
			out_char(o, ')');
		}
		out_char(o, '\n');
	}
}
