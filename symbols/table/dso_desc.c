/* SPDX-License-Identifier: MIT */
#include "symbols/table/dso_desc.h"

#include <string.h>

#include "base/mem.h"

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

/* Moves *text to where there is room for it. Returns the place behind. */
static char *take_text(const char **text, char *to)
{
	size_t n = text_size(*text);

	if (!n)
		return to;
	memcpy(to, *text, n);
	*text = to;
	return to + n;
}

char *dso_desc_own_texts(struct dso_desc *d)
{
	char *all, *to;

	if (!d->name)
		d->name = "";
	all = xmalloc(text_size(d->name) + text_size(d->beside) + text_size(d->os_release) +
		      text_size(d->ref_sym) + text_size(d->module_name));
	to = take_text(&d->name, all);
	to = take_text(&d->beside, to);
	to = take_text(&d->os_release, to);
	to = take_text(&d->ref_sym, to);
	(void)take_text(&d->module_name, to);
	return all;
}
