/* SPDX-License-Identifier: MIT */
/*
 * Interned strings: equal text has one id and one address for the life of the table, so strings
 * compare by id. Id 0 is the empty string. Not thread safe.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include "base/mem.h"
#include "base/types.h"

struct intern {
	struct arena arena;
	const char **strs;
	size_t nr, cap;
	u32 *slots;
	size_t mask;
};

void intern_init(struct intern *t);
void intern_fini(struct intern *t);

/* Id of the n bytes at s, up to the first NUL among them. */
u32 intern_n(struct intern *t, const char *s, size_t n);
u32 intern_str(struct intern *t, const char *s);

/* Text of an id; valid until intern_fini. */
static inline const char *intern_text(const struct intern *t, u32 id)
{
	return t->strs[id];
}

#endif
