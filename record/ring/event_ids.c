/* SPDX-License-Identifier: MIT */
#include "record/ring/event_ids.h"

static size_t count_descriptors(const struct rec_evlist *l)
{
	size_t n = 0;

	for (size_t i = 0; i < l->nr; i++)
		n += l->events[i]->nr_fds;
	return n;
}

static void gather(struct event_ids *e)
{
	idmap_clear(&e->by_id);
	for (size_t i = 0; i < e->l->nr; i++) {
		const struct rec_event *ev = e->l->events[i];

		for (size_t k = 0; ev->ids && k < ev->nr_fds; k++)
			if (ev->ids[k])
				idmap_put(&e->by_id, ev->ids[k], 0, (u32)i);
	}
	e->nr = count_descriptors(e->l);
}

void event_ids_init(struct event_ids *e, const struct rec_evlist *l)
{
	*e = (struct event_ids){ .l = l };
	gather(e);
}

void event_ids_fini(struct event_ids *e)
{
	idmap_fini(&e->by_id);
}

u32 event_ids_find(struct event_ids *e, u64 id)
{
	u32 i = idmap_get(&e->by_id, id, 0);

	/* threads found later have added descriptors */
	if (i == IDMAP_NONE && e->nr != count_descriptors(e->l)) {
		gather(e);
		i = idmap_get(&e->by_id, id, 0);
	}
	return i == IDMAP_NONE ? 0 : i;
}
