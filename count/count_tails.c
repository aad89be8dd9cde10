/* SPDX-License-Identifier: MIT */
#include "count/count_tails.h"

#include "base/mem.h"

void count_tails_fini(struct count_tails *t)
{
	free(t->items);
	idmap_fini(&t->numbers);
	*t = (struct count_tails){ 0 };
}

static u32 put(struct count_tails *t, const struct count_tail *tail)
{
	u32 n = idmap_get(&t->numbers, tail->frame, tail->outer);

	if (n != IDMAP_NONE)
		return n;
	if (!t->nr)
		vec_push(t->items, t->nr, t->cap, (struct count_tail){ 0 });
	n = (u32)t->nr;
	vec_push(t->items, t->nr, t->cap, *tail);
	idmap_put(&t->numbers, tail->frame, tail->outer, n);
	return n;
}

u32 count_tails_put(struct count_tails *t, u32 frame, u32 outer, u32 mark)
{
	u32 hash = outer ? t->items[outer].hash : 0;
	struct count_tail tail = { .frame = frame,
				   .outer = outer,
				   .depth = count_tails_depth(t, outer) + 1,
				   .hash = (u32)hash_pair(hash, mark) };

	return put(t, &tail);
}

u32 *count_tails_merge(struct count_tails *t, const struct count_tails *from, const u32 *frames)
{
	u32 *numbers = xcalloc(from->nr + 1, sizeof(*numbers));

	for (size_t i = 1; i < from->nr; i++) {
		struct count_tail tail = from->items[i];

		tail.frame = frames[tail.frame];
		tail.outer = numbers[tail.outer];
		numbers[i] = put(t, &tail);
	}
	return numbers;
}

size_t count_tails_bytes(const struct count_tails *t)
{
	return t->cap * sizeof(*t->items) + idmap_bytes(&t->numbers);
}
