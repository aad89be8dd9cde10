/* SPDX-License-Identifier: MIT */
#include "base/mem.h"
#include "unwind/join/join_priv.h"

struct join_batch *join_batch_new(void)
{
	return xcalloc(1, sizeof(struct join_batch));
}

void join_batch_free(struct join_batch *b)
{
	if (!b)
		return;
	free(b->stacks);
	free(b->frames);
	free(b);
}

/*
 * Copies the frames of a stack, with their frame addresses (cfa). Returns false if the frame
 * address of a caller is not above its callee's.
 */
static bool copy_frames(struct batch_frame *to, const struct join_stack *s)
{
	const size_t last = s->nr - 1;
	bool up = true;

	for (size_t i = 0; i < last; i++) {
		to[i] = (struct batch_frame){ s->sps[i + 1], s->ips[i],
					      s->tags[s->numbers[i]].function };
		/*
		 * the leaf may be at its first instruction or have no frame, so its stack pointer
		 * is not compared
		 */
		up &= !i || s->sps[i + 1] > s->sps[i];
	}
	/* the first function of a thread has no cfa, but is above all others */
	to[last].cfa = s->at_root ? UINT64_MAX : s->last_cfa;
	to[last].ip = s->ips[last];
	to[last].function = s->tags[s->numbers[last]].function;
	return up && (!last || to[last].cfa > s->sps[last]);
}

u32 join_batch_add(struct join_batch *b, const struct join_stack *s)
{
	struct batch_stack kept = { .task = s->task,
				    .rank = s->rank,
				    .time = s->time,
				    .nr = (u32)s->nr,
				    .question = JOIN_NO_QUESTION,
				    .at_root = s->at_root };
	struct batch_frame *to;

	if (!s->nr)
		return JOIN_NO_QUESTION;
	vec_reserve(b->frames, b->cap_frames, b->nr_frames + s->nr);
	to = b->frames + b->nr_frames;
	if (!copy_frames(to, s)) {
		if (!s->asks)
			return JOIN_NO_QUESTION;
		kept.apart = true;
		to[0] = to[s->nr - 1];
		kept.nr = 1;
	}
	b->nr_frames += kept.nr;
	if (s->asks)
		kept.question = b->nr_questions++;
	vec_push(b->stacks, b->nr, b->cap, kept);
	return kept.question;
}
