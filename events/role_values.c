/* SPDX-License-Identifier: MIT */
#include "events/role_values.h"

#include "events/rows.h"

static void add_part(struct role *role, const struct expr *x)
{
	role->parts[role->nr_parts++] =
		(struct role_part){ x, expr_only_field(x), expr_is_text(x) };
}

void roles_list_parts(struct roles *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		struct role *role = &r->all[i];

		for (size_t k = 0; r->has_begins && k < r->nr_key; k++)
			add_part(role, role->key[k]);
		if (!r->has_begins && role->value)
			add_part(role, role->value);
		for (size_t k = 0; k < r->nr_row; k++)
			if (role->row[k])
				add_part(role, role->row[k]);
	}
}

static u64 part_value(const struct expr *x, const struct expr_input *in, struct rows *rows)
{
	struct expr_value v;

	if (!expr_is_text(x))
		return expr_number(x, in);
	expr_eval(x, in, &v);
	return rows_text_id(rows, v.text);
}

void role_short_values(const struct role *role, const struct expr_input *in, struct rows *rows,
		       u64 *ret)
{
	for (u32 i = 0; i < role->nr_parts; i++) {
		const struct role_part *part = &role->parts[i];

		if (!part->field)
			ret[i] = part_value(part->x, in, rows);
		else if (part->is_text)
			ret[i] = rows_text_id(rows,
					      pd_trace_field_text(part->field, in->raw, in->swap));
		else
			ret[i] = pd_trace_field_int(part->field, in->raw, in->swap);
	}
}

void role_values(struct expr *const parts[MAX_PARTS], size_t nr, const struct expr_input *in,
		 struct rows *rows, u64 ret[MAX_PARTS])
{
	for (size_t k = 0; k < nr; k++)
		if (parts[k])
			ret[k] = part_value(parts[k], in, rows);
}
