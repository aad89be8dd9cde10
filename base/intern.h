/* SPDX-License-Identifier: MIT */
/*
 * A table of interned strings: each distinct text is stored once and has one id and one address for
 * the life of the table, so two texts are equal if their ids are. Id 0 is the empty string. Not
 * thread safe.
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

/* Returns the id of the text of at most n bytes at s, which ends at its first NUL. The text is
 * copied if the table does not have it yet. */
u32 intern_n(struct intern *t, const char *s, size_t n);
/* Returns the id of the NUL-terminated text s, which is copied if the table does not have it yet.
 */
u32 intern_str(struct intern *t, const char *s);

/* Whether the table has this text, of at most n bytes as for intern_n(). */
bool intern_has(const struct intern *t, const char *s, size_t n);

/* Returns the NUL-terminated text of an id of this table. It is valid until intern_fini(). */
static inline const char *intern_text(const struct intern *t, u32 id)
{
	return t->strs[id];
}

#endif
