/* SPDX-License-Identifier: MIT */
/* The values of an event in one of its roles. */
#ifndef EVENTS_ROLE_VALUES_H
#define EVENTS_ROLE_VALUES_H

#include "events/roles.h"

struct rows;

/* Fills role->parts of all roles, when their expressions are there. */
void roles_list_parts(struct roles *r);

/* Computes the values of role->parts. */
void role_short_values(const struct role *role, const struct expr_input *in, struct rows *rows,
		       u64 *ret);

/* Computes values of parts i < nr of a sample; texts become their numbers in rows. Parts without
 * expression are left alone. */
void role_values(struct expr *const parts[MAX_PARTS], size_t nr, const struct expr_input *in,
		 struct rows *rows, u64 ret[MAX_PARTS]);

#endif
