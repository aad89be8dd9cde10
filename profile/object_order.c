/* SPDX-License-Identifier: MIT */
#include "profile/object_order.h"

#include "base/hash.h"
#include "base/mem.h"
#include "fileformat/feature_build_id.h"

struct object_order {
	struct idmap ranks; /* (hash of a name, its length) -> place in the list */
};

struct object_order *object_order_new(const struct perfdata *pd)
{
	struct object_order *o = xcalloc(1, sizeof(*o));
	const struct pd_feature *f = pd_feature_get(pd, PD_FEAT_BUILD_ID);
	struct pd_build_id_entry b;
	struct pd_build_ids it;
	struct perr e;
	u32 nr = 0;
	size_t len;
	u64 hash;

	if (!f)
		return o;
	it = pd_build_ids_open(f->data, pd->swap);
	/* a damaged list is used up to the damage, which the session warns about */
	while (pd_build_ids_next(&it, &b, &e) == 1) {
		len = strnlen((const char *)b.filename.p, b.filename.n);
		hash = hash_bytes(b.filename.p, len);
		if (idmap_get(&o->ranks, hash, len) == IDMAP_NONE)
			idmap_put(&o->ranks, hash, len, nr++);
	}
	return o;
}

void object_order_free(struct object_order *o)
{
	if (!o)
		return;
	idmap_fini(&o->ranks);
	free(o);
}

u64 object_order_rank(const struct object_order *o, const struct map *map)
{
	const char *name;
	u32 listed;
	size_t len;

	if (!map)
		return 0;
	name = dso_get_desc(map->dso)->name;
	len = strlen(name);
	listed = o ? idmap_get(&o->ranks, hash_bytes(name, len), len) : IDMAP_NONE;
	return listed != IDMAP_NONE ? 1 + (u64)listed
				    : 1 + (u64)IDMAP_NONE + dso_get_number(map->dso);
}
