/* SPDX-License-Identifier: MIT */
#include "count/kept_maps.h"

#include "base/mem.h"

/* A set is compared with this many that were kept last, to keep each once. */
#define NR_LAST 16

void kept_maps_add(struct kept_maps *k, struct mapset *set)
{
	for (size_t i = k->nr; i-- && k->nr - i <= NR_LAST;) {
		if (k->sets[i] == set) {
			mapset_put(set);
			return;
		}
	}
	vec_push(k->sets, k->nr, k->cap, set);
}

void kept_maps_move(struct kept_maps *k, struct kept_maps *from)
{
	vec_reserve(k->sets, k->cap, k->nr + from->nr);
	if (from->nr)
		memcpy(k->sets + k->nr, from->sets, from->nr * sizeof(*k->sets));
	k->nr += from->nr;
	from->nr = 0;
	kept_maps_fini(from);
}

void kept_maps_fini(struct kept_maps *k)
{
	for (size_t i = 0; i < k->nr; i++)
		mapset_put(k->sets[i]);
	free(k->sets);
	*k = (struct kept_maps){ 0 };
}
