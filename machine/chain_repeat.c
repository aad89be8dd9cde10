/* SPDX-License-Identifier: MIT */
#include "machine/chain_repeat.h"

#include <string.h>

#include "fileformat/sample.h"

#define WORTH_IT 8 /* frames that are there again */

/* Words of a file need not be aligned, nor of this machine's byte order: they are only compared. */
static inline u64 word(const u8 *words, size_t i)
{
	u64 v;

	memcpy(&v, words + i * sizeof(v), sizeof(v));
	return v;
}

static inline u64 difference(const u8 *words, size_t i, size_t turn)
{
	return word(words, i) ^ word(words, i - turn);
}

/* How many words at the end are the same as those `turn` before them. */
static size_t nr_same(const u8 *words, size_t n, size_t turn)
{
	size_t k = n;

	/* several at once, as most are */
	while (k >= turn + 4 && !(difference(words, k - 1, turn) | difference(words, k - 2, turn) |
				  difference(words, k - 3, turn) | difference(words, k - 4, turn)))
		k -= 4;
	while (k > turn && !difference(words, k - 1, turn))
		k--;
	return n - k;
}

static u32 find_circle(const u8 *words, size_t n)
{
	u64 last = n ? word(words, n - 1) : 0;
	size_t turn, same;

	for (turn = 1; turn <= CHAIN_TURN_MAX && turn + WORTH_IT <= n; turn++) {
		if (word(words, n - 1 - turn) != last)
			continue;
		same = nr_same(words, n, turn);
		same -= same % turn;
		if (same >= WORTH_IT)
			return chain_repeat_entry((u32)turn,
						  (u32)(same < CHAIN_REPEAT_MAX ? same : turn));
	}
	return 0;
}

u32 chain_repeat_of(const u64 *ips, size_t n)
{
	return find_circle((const u8 *)ips, n);
}

u32 chain_repeat_of_recorded(struct span ips, bool swap)
{
	size_t n = ips.n / 8;
	u32 circle = find_circle(ips.p, n);

	for (size_t i = 1; circle && i <= chain_repeat_turn(circle); i++)
		if (span_u64(ips, n - i, swap) >= PD_CONTEXT_MAX)
			return 0;
	return circle;
}
