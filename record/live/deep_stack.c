/* SPDX-License-Identifier: MIT */
#include "record/live/deep_stack.h"

#include <string.h>
#include <sys/uio.h>

#include "base/mem.h"

#define OVERLAP 1024u        /* bytes that have to be equal */
#define COPY_MAX (64u << 10) /* a copy is smaller */
#define CHUNK (64u << 10)    /* the kernel reads whole ones */
#define MORE_MAX (1u << 20)

static const size_t more[DEEP_STACK_TRIES] = { 64u << 10, MORE_MAX };

static size_t read_process(void *ctx, u32 pid, u64 addr, u8 *to, size_t n)
{
	struct iovec local = { to, n }, remote[MORE_MAX / CHUNK + 1];
	unsigned long nr = 0;
	ssize_t got;

	(void)ctx;
	for (size_t at = 0; at < n; nr++) {
		size_t part = n - at < CHUNK ? n - at : CHUNK;

		/* at the boundary of a page, so that as much as there is is read */
		if (at + part < n)
			part -= (addr + at + part) & 4095;
		remote[nr] = (struct iovec){ (void *)(uintptr_t)(addr + at), part };
		at += part;
		if (nr + 1 == ARRAY_SIZE(remote))
			break;
	}
	got = process_vm_readv((pid_t)pid, &local, 1, remote, nr, 0);
	return got > 0 ? (size_t)got : 0;
}

void deep_stack_init(struct deep_stack *d, deep_stack_read *read, void *ctx)
{
	*d = (struct deep_stack){ .read = read ? read : read_process, .ctx = ctx };
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
