/* SPDX-License-Identifier: MIT */
/* What is known of an object, without looking anything up. */
#include "symbols/symbols_priv.h"

#include "symbols/elf/elf_symtab.h"
#include "symbols/elf/go_table.h"

enum dso_status dso_get_status(const struct dso *d)
{
	return d->origin.status;
}

const struct dso_desc *dso_get_desc(const struct dso *d)
{
	return &d->desc;
}

const char *dso_get_symbols_path(const struct dso *d)
{
	return d->origin.path;
}

u32 dso_get_number(const struct dso *d)
{
	return d->number;
}

const char *dso_get_file_path(const struct dso *d)
{
	return d->runtime ? d->runtime->path : NULL;
}

bool dso_has_exported_only(const struct dso *d)
{
	/* Go's table has the functions of Go programs even if they are stripped */
	return d->desc.kind == DSO_USER && d->src && !elf_has_symtab(d->src) &&
	       !(d->runtime && go_table_section(d->runtime));
}

char dso_get_origin(const struct dso *d)
{
	return d->origin.letter;
}

size_t dso_get_kernel_parts(const struct dso *d, const struct dso_part **ret)
{
	*ret = d->origin.parts;
	return d->origin.nr_parts;
}
