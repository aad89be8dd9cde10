/* SPDX-License-Identifier: MIT */
/* The values of an event in one of its roles. */
#ifndef EVENTS_ROLE_VALUES_H
#define EVENTS_ROLE_VALUES_H

#include "events/roles.h"
#include "events/rows.h"

/* Fills parts and tests of all roles, when their expressions are there. */
void roles_list_parts(struct roles *r);

/* As role_part_value(), of values that are not frequent. */
u64 role_part_other(const struct role_part *part, const struct expr_input *in, struct rows *rows);

/* The value of a part that is no PART_OTHER, in a payload of at least part->end bytes in this
 * machine's byte order. */
static inline u64 role_part_field(const struct role_part *part, const u8 *raw, struct rows *rows)
{
	const u8 *p = raw + part->offset;

	switch (part->kind) {
	case PART_S32: return (u64)(s32)get_u32(p, false);
	case PART_U32: return get_u32(p, false);
	case PART_U64: return get_u64(p, false);
	default: return rows_text16_id(rows, p);
	}
}

/* The value of a part of a role; texts become their numbers in rows. */
static inline u64 role_part_value(const struct role_part *part, const struct expr_input *in,
				  struct rows *rows)
{
	if (part->end > in->raw.n || in->swap || part->kind == PART_OTHER)
		return role_part_other(part, in, rows);
	return role_part_field(part, in->raw.p, rows);
}

/* True if the role counts for this sample. */
static inline bool role_counts(const struct role *role, const struct expr_input *in)
{
	if (role->tests && !in->swap && in->raw.n >= role->tests->need)
		return expr_passes_tests(role->tests, in->raw.p);
	return !role->condition || expr_is_true(role->condition, in);
}

/* Computes values of parts i < nr of a sample; texts become their numbers in rows. Parts without
 * expression are left alone. */
void role_values(struct expr *const parts[MAX_PARTS], size_t nr, const struct expr_input *in,
		 struct rows *rows, u64 ret[MAX_PARTS]);

#endif
