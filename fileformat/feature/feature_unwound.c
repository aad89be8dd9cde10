/* SPDX-License-Identifier: MIT */
#include "fileformat/feature/feature_unwound.h"

#define VERSION 1

int pd_unwound_open(struct span payload, bool swap, struct pd_list *ret, struct perr *e)
{
	struct cursor c = cursor_of(payload, swap);
	u32 version = cur_u32(&c), nr = cur_u32(&c);

	if (c.bad)
		return perr_set(e, PERR_FORMAT, "%zu bytes are too few for version and count",
				payload.n);
	if (version != VERSION)
		return perr_set(e, PERR_UNSUPPORTED, "version %u is not known", version);
	*ret = (struct pd_list){ .c = c, .nr = nr, .left = nr };
	return 0;
}

int pd_unwound_next(struct pd_list *l, struct pd_unwound *ret, struct perr *e)
{
	struct pd_unwound u;

	if (!l->left)
		return 0;
	u.event = cur_u32(&l->c);
	u.copy_size = cur_u32(&l->c);
	u.stacks = cur_u64(&l->c);
	u.frames = cur_u64(&l->c);
	u.guessed = cur_u64(&l->c);
	u.joined = cur_u64(&l->c);
	*ret = u;
	return pd_list_item(l, e);
}
