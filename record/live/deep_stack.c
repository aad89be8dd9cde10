/* SPDX-License-Identifier: MIT */
#include "record/live/deep_stack.h"

#include <string.h>

#include "base/mem.h"
#include "record/host/process_memory.h"

#define OVERLAP 1024u        /* bytes that have to be equal */
#define COPY_MAX (64u << 10) /* a copy is smaller */
#define MORE_MAX PROCESS_MEMORY_MAX

static const size_t more[DEEP_STACK_TRIES] = { 64u << 10, MORE_MAX };

void deep_stack_init(struct deep_stack *d, deep_stack_read *read, void *ctx)
{
	*d = (struct deep_stack){ .read = read ? read : process_memory_read, .ctx = ctx };
}

void deep_stack_fini(struct deep_stack *d)
{
	free(d->buf);
	*d = (struct deep_stack){ 0 };
}

struct span deep_stack_extend(struct deep_stack *d, u32 pid, u64 sp, struct span copy,
			      unsigned int try)
{
	const struct span nothing = { 0 };
	u64 end = sp + copy.n;
	size_t got;
	u8 *behind;

	if (copy.n < OVERLAP || copy.n > COPY_MAX || end < sp || try >= DEEP_STACK_TRIES)
		return nothing;
	if (!d->buf)
		d->buf = xmalloc(COPY_MAX + MORE_MAX);
	/* what is read lies where it belongs: behind the part of the copy that is not read again */
	behind = d->buf + copy.n - OVERLAP;
	got = d->read(d->ctx, pid, end - OVERLAP, behind, OVERLAP + more[try]);
	d->nr_read++;
	if (got <= OVERLAP)
		return nothing;
	if (memcmp(behind, copy.p + copy.n - OVERLAP, OVERLAP) != 0) {
		d->nr_changed++;
		return nothing;
	}
	memcpy(d->buf, copy.p, copy.n - OVERLAP);
	return span_of(d->buf, copy.n - OVERLAP + got);
}
