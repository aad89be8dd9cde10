/* SPDX-License-Identifier: MIT */
#include "session/chain.h"

#include "base/mem.h"

void chain_fini(struct chain *c)
{
	free(c->ids);
	join_path_fini(&c->path);
	chain_ips_fini(&c->list);
	*c = (struct chain){ 0 };
}

static void join(struct chain *c, const struct pd_sample *s)
{
	chain_find_callers(&c->list, s, c->joins, &c->path);
	chain_list_join(&c->list, &c->path, machine_stacks_max_frames(c->list.user));
}

void chain_resolve(struct chain *c, struct frames *f, const struct pd_event *ev,
		   const struct pd_sample *s, const struct task_view *task, u32 max_stack)
{
	size_t i;

	c->list.leaf_of_branches = c->leaf_of_branches;
	c->list.user_maps = task->user_maps;
	chain_list(&c->list, ev, s, max_stack);
	if (chain_is_joinable(&c->list, s)) {
		if (c->joins)
			join(c, s);
		else if (c->left_truncated)
			__atomic_store_n(c->left_truncated, true, __ATOMIC_RELAXED);
	}
	vec_reserve(c->ids, c->cap, c->list.nr);
	for (i = 0; i < c->list.nr; i++)
		c->ids[i] = frames_get(f, task, c->list.modes[i], c->list.ips[i]);
	c->nr = c->list.nr;
}
