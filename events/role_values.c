/* SPDX-License-Identifier: MIT */
#include "events/role_values.h"

#include "events/rows.h"

static enum role_part_kind kind_of(const struct pd_trace_field *f, bool is_text)
{
	if (!f || f->place != PD_FIELD_FIXED || f->offset > UINT32_MAX - f->size)
		return PART_OTHER;
	if (is_text)
		return f->size == 16 ? PART_TEXT16 : PART_OTHER;
	if (f->size == 4)
		return f->is_signed ? PART_S32 : PART_U32;
	return f->size == 8 ? PART_U64 : PART_OTHER;
}

static void add_part(struct role *role, const struct expr *x)
{
	const struct pd_trace_field *f = expr_only_field(x);
	struct role_part part = { .kind = kind_of(f, expr_is_text(x)), .x = x };

	if (part.kind != PART_OTHER) {
		part.offset = f->offset;
		part.end = f->offset + f->size;
	}
	role->parts[role->nr_parts++] = part;
}

void roles_list_parts(struct roles *r)
{
	for (size_t i = 0; i < r->nr; i++) {
		struct role *role = &r->all[i];

		role->tests = role->condition ? expr_tests(role->condition) : NULL;
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

u64 role_part_other(const struct role_part *part, const struct expr_input *in, struct rows *rows)
{
	return part_value(part->x, in, rows);
}

void role_values(struct expr *const parts[MAX_PARTS], size_t nr, const struct expr_input *in,
		 struct rows *rows, u64 ret[MAX_PARTS])
{
	for (size_t k = 0; k < nr; k++)
		if (parts[k])
			ret[k] = part_value(parts[k], in, rows);
}
