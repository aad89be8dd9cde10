/* SPDX-License-Identifier: MIT */
#include "session/count_repeat.h"

#define WORTH_IT 8 /* frames that are there again */

/* How many addresses at the end are the same as those `turn` before them. */
static size_t nr_same(const u64 *ips, const u8 *modes, size_t n, size_t turn)
{
	size_t k = n;

	while (k > turn && ips[k - 1] == ips[k - 1 - turn] && modes[k - 1] == modes[k - 1 - turn])
		k--;
	return n - k;
}

u32 count_find_circle(const u64 *ips, const u8 *modes, size_t n)
{
	size_t turn, same;

	for (turn = 1; turn <= COUNT_TURN_MAX && turn + WORTH_IT <= n; turn++) {
		if (ips[n - 1] != ips[n - 1 - turn])
			continue;
		same = nr_same(ips, modes, n, turn);
		same -= same % turn;
		if (same >= WORTH_IT)
			return count_repeat((u32)turn,
					    (u32)(same < COUNT_REPEAT_MAX ? same : turn));
	}
	return 0;
}

size_t count_stack_depth(const u32 *ids, size_t n)
{
	size_t depth = 0;

	for (size_t i = 0; i < n; i++)
		depth += ids[i] & COUNT_REPEAT ? count_repeat_frames(ids[i]) : 1;
	return depth;
}

void count_stack_expand(const u32 *ids, size_t n, u32 *ret)
{
	for (size_t i = 0; i < n; i++) {
		u32 turn, frames;

		if (!(ids[i] & COUNT_REPEAT)) {
			*ret++ = ids[i];
			continue;
		}
		turn = count_repeat_turn(ids[i]);
		for (frames = count_repeat_frames(ids[i]); frames; frames--, ret++)
			*ret = ret[-(ptrdiff_t)turn];
	}
}
