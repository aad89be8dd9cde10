/* SPDX-License-Identifier: MIT */
/*
 * References to sets of maps that are kept until counting ends: samples that wait for their callers
 * (count_pending.h) are named with the maps of their time.
 */
#ifndef COUNT_KEPT_MAPS_H
#define COUNT_KEPT_MAPS_H

#include "machine/mapset.h"

/* All zero: none. */
struct kept_maps {
	struct mapset **sets;
	size_t nr, cap;
};

/* Takes over a reference; drops it where the set was one of the last that were kept. */
void kept_maps_add(struct kept_maps *k, struct mapset *set);
/* Moves the references of `from`, which is empty then. */
void kept_maps_move(struct kept_maps *k, struct kept_maps *from);
/* Drops all references. */
void kept_maps_fini(struct kept_maps *k);

#endif
