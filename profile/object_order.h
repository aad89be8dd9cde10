/* SPDX-License-Identifier: MIT */
/*
 * The order of objects where perf report has no better one. perf goes by their addresses in its
 * memory, and these mostly rise as objects are made: first those of the file's build-id list, then
 * the others as their maps come.
 */
#ifndef PROFILE_OBJECT_ORDER_H
#define PROFILE_OBJECT_ORDER_H

#include "session/session.h"

struct object_order;

struct object_order *object_order_new(const struct perfdata *pd);
void object_order_free(struct object_order *o);

/* Rank of a map's object: lower ones were made earlier; 0 for no map. o may be NULL. */
u64 object_order_rank(const struct object_order *o, const struct map *map);

#endif
