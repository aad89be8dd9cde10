/* SPDX-License-Identifier: MIT */
#include "report/prep/prep_comments.h"

#include "base/screen/fit.h"
#include "report/prep/prep_report.h"

void prep_print_hint(struct out *o)
{
	if (o->columns && o->columns < strlen(PREP_HEADER_HINT))
		out_str(o,
			"# To display the header, please use --header/--header-only options.\n#\n");
	else
		out_str(o, PREP_HEADER_HINT);
}

/* Prints the columns that a filter with one name leaves one value in, in their order. */
void prep_print_elided(struct out *to, const struct filter *f, const struct hist_layout *l)
{
	const struct {
		const char *key;
		const struct name_list *names;
	} filters[] = { { "dso", &f->dsos }, { "comm", &f->comms }, { "symbol", &f->symbols } };
	struct out o;

	out_init_mem(&o);
	out_escape_like(&o, to);
	for (size_t i = 0; i < l->nr_out; i++) {
		const struct hist_field *field = &l->out[i];

		for (size_t j = 0; j < ARRAY_SIZE(filters); j++)
			if (field->is_key && name_list_is_single(filters[j].names) &&
			    !strcmp(hist_field_key(l, field)->key->name, filters[j].key))
				out_printf(&o, "# %s: %s\n", filters[j].key,
					   filters[j].names->names[0]);
	}
	if (o.len)
		fit_comments(to, o.buf, o.len);
	out_fini(&o);
}
