/* SPDX-License-Identifier: MIT */
/*
 * The order of objects in perf report when all else is equal. perf compares the addresses of its
 * own structures, which mostly rise in the order in which it makes them: first the objects in the
 * file's build-id list, then the others as their maps appear.
 */
#ifndef PROFILE_OBJECT_ORDER_H
#define PROFILE_OBJECT_ORDER_H

#include "session/session.h"

struct object_order;

struct object_order *object_order_new(const struct perfdata *pd);
void object_order_free(struct object_order *o);

/* The rank of a map's object: a lower one comes first. 0 for no map. o may be NULL. */
u64 object_order_rank(const struct object_order *o, const struct map *map);

#endif
