/* SPDX-License-Identifier: MIT */
#include "fileformat/event_desc.h"

#include "base/hash.h"
#include "base/mem.h"

#define ANONYMOUS_GROUP "{anon_group}"

int pd_event_desc_open(struct span payload, bool swap, struct pd_event_descs *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	u32 nr = cur_u32(&c), attr_size = cur_u32(&c);

	if (c.bad)
		return perr_set(e, PERR_FORMAT, "does not fit into its section of %zu bytes",
				payload.n);
	if (nr && attr_size < 64)
		return perr_set(e, PERR_FORMAT,
				"its attrs have %u bytes, less than the 64 of the first version",
				attr_size);
	*ret = (struct pd_event_descs){
		.list = { .c = c, .nr = nr, .left = nr },
		.attr_size = attr_size,
	};
	return 0;
}

int pd_event_desc_next(struct pd_event_descs *d, struct pd_event_desc *ret, struct perr *e)
{
	struct cursor *c = &d->list.c, ac;
	struct pd_event_desc v;
	struct span attr;
	u32 nr_ids;
	int err;

	if (!d->list.left)
		return 0;
	attr = cur_bytes(c, d->attr_size);
	nr_ids = cur_u32(c);
	v.name = pd_cur_string(c);
	v.ids = cur_array(c, nr_ids, 8);
	err = pd_list_item(&d->list, e);
	if (err < 0)
		return err;
	ac = cursor_of(attr, c->swap);
	err = pd_attr_decode(&ac, &v.attr, e);
	if (err) {
		d->list.left = 0;
		return err;
	}
	*ret = v;
	return 1;
}

static struct pd_event *desc_target(struct perfdata *pd, const struct idmap *first_ids,
				    const struct pd_event_desc *d, u64 pos)
{
	struct pd_event *ev;
	u32 idx = IDMAP_NONE;

	if (d->ids.n)
		idx = idmap_get(first_ids, span_u64(d->ids, 0, pd->swap), 0);
	if (idx != IDMAP_NONE)
		return pd->events[idx];
	if (pos >= pd->nr_events)
		return NULL;
	ev = pd->events[pos];
	return ev->attr.type == d->attr.type && ev->attr.config == d->attr.config ? ev : NULL;
}

int event_desc_apply(struct perfdata *pd, struct span payload, struct perr *e)
{
	struct idmap first_ids = { 0 };
	struct pd_event_descs d;
	struct pd_event_desc v;
	u64 pos;
	size_t i;
	int ret;

	ret = pd_event_desc_open(payload, pd->swap, &d, e);
	if (ret)
		return ret;
	for (i = 0; i < pd->nr_events; i++) {
		struct pd_event *ev = pd->events[i];

		if (ev->nr_ids && idmap_get(&first_ids, ev->ids[0], 0) == IDMAP_NONE)
			idmap_put(&first_ids, ev->ids[0], 0, ev->idx);
	}
	for (pos = 0; (ret = pd_event_desc_next(&d, &v, e)) > 0; pos++) {
		struct pd_event *ev = desc_target(pd, &first_ids, &v, pos);

		if (!ev || ev->name_given || !v.name.n)
			continue;
		free(ev->name);
		ev->name = xstrndup((const char *)v.name.p, v.name.n);
		ev->name_given = true;
	}
	idmap_fini(&first_ids);
	return ret;
}

int pd_group_desc_next(struct pd_list *l, struct pd_group_desc *ret, struct perr *e)
{
	struct pd_group_desc v;
	int got;

	if (!l->left)
		return 0;
	v.name = pd_cur_string(&l->c);
	v.leader_idx = cur_u32(&l->c);
	v.nr_members = cur_u32(&l->c);
	got = pd_list_item(l, e);
	if (got > 0)
		*ret = v;
	return got;
}

int group_desc_apply(struct perfdata *pd, struct span payload, struct perr *e)
{
	struct pd_group_desc g;
	struct pd_event *leader;
	struct pd_list l;
	u32 i, next = 0; /* the next event that may lead a group: groups are in the order of their
			  * events */
	int ret;

	ret = pd_list_open(payload, pd->swap, &l, e);
	if (ret)
		return ret;
	while ((ret = pd_group_desc_next(&l, &g, e)) > 0) {
		if (g.leader_idx < next || g.leader_idx >= pd->nr_events || !g.nr_members ||
		    g.nr_members > pd->nr_events - g.leader_idx)
			return perr_set(e, PERR_FORMAT,
					"the group of %u events from event %u on overlaps another "
					"or exceeds the %zu events",
					g.nr_members, g.leader_idx, pd->nr_events);
		leader = pd->events[g.leader_idx];
		leader->leader_idx = g.leader_idx;
		leader->nr_members = g.nr_members;
		free(leader->group_name);
		leader->group_name = NULL;
		if (g.name.n && (g.name.n != strlen(ANONYMOUS_GROUP) ||
				 memcmp(g.name.p, ANONYMOUS_GROUP, g.name.n)))
			leader->group_name = xstrndup((const char *)g.name.p, g.name.n);
		next = g.leader_idx + g.nr_members;
		for (i = g.leader_idx + 1; i < next; i++) {
			pd->events[i]->leader_idx = g.leader_idx;
			pd->events[i]->nr_members = 0;
		}
	}
	return ret;
}
