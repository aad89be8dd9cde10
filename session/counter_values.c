/* SPDX-License-Identifier: MIT */
#include "session/counter_values.h"

#include "base/mem.h"

void counter_values_fini(struct counter_values *c)
{
	idmap_fini(&c->index);
	free(c->values);
	*c = (struct counter_values){ 0 };
}

u64 counter_values_advance(struct counter_values *c, const struct pd_event *ev, u64 id, u32 tid,
			   u64 value)
{
	bool per_thread =
		ev->attr.sample_type & PD_SAMPLE_TID && pd_attr_has(&ev->attr, PD_ATTR_INHERIT);
	u64 thread = per_thread ? (u64)tid + 1 : 0, grown;
	u32 i = idmap_get(&c->index, id, thread);

	if (i == IDMAP_NONE) {
		i = (u32)c->nr;
		idmap_put(&c->index, id, thread, i);
		vec_push(c->values, c->nr, c->cap, 0);
	}
	grown = value - c->values[i];
	c->values[i] = value;
	return grown;
}
