/* SPDX-License-Identifier: MIT */
#include "fileformat/perfdata_priv.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file is read in pieces of this size, of which several fit into the CPU's cache. */
#define FILE_BLOCK ((size_t)128 << 10)
/*
 * If records that wait for earlier ones hold more blocks than this, the file is mapped instead of
 * read. Without FINISHED_ROUND records, all records of a file wait.
 */
#define BYTES_WAITING ((size_t)64 << 20)
#define KEPT_BEHIND ((u64)14 << 20) /* see pd_keep_behind */

int input_map(struct pd_input *in, int fd)
{
	struct stat st;
	void *p;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0)
		return -1;
	p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -1;
	madvise(p, (size_t)st.st_size, MADV_SEQUENTIAL);
	input_mem(in, span_of(p, (size_t)st.st_size));
	in->owns_map = true;
	return 0;
}

void input_mem(struct pd_input *in, struct span bytes)
{
	*in = (struct pd_input){ .map = bytes.p, .file_len = bytes.n, .end = bytes.n, .fd = -1 };
}

void input_stream(struct pd_input *in, int fd)
{
	*in = (struct pd_input){ .fd = fd, .end = UINT64_MAX };
}

void input_read_blocks(struct pd_input *in, struct pd_block_pool *pool, int fd)
{
	in->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	in->in_blocks = in->fd >= 0;
	if (in->in_blocks)
		pool->cap = FILE_BLOCK;
}

static void leave_blocks(struct pd_input *in)
{
	if (!in->in_blocks)
		return;
	close(in->fd);
	in->fd = -1;
	pd_block_put(in->blk);
	in->blk = NULL;
	in->blk_pos = in->blk_len = 0;
	in->in_blocks = false;
}

void input_read_mapped(struct pd_input *in)
{
	if (in->owns_map)
		leave_blocks(in);
}

void input_fini(struct pd_input *in)
{
	leave_blocks(in);
	if (in->owns_map)
		munmap((void *)in->map, in->file_len);
	pd_block_put(in->blk);
	*in = (struct pd_input){ .fd = -1 };
}

/* True if a read of fd would wait for the program at the other end. */
/* How long a reader that waits leaves its caller alone. */
#define WAIT_MS 100

/* True if there is nothing to read for so long. */
static bool would_wait(int fd, int ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return poll(&p, 1, ms) == 0;
}

/* Reads the bytes that follow those in the block. */
static ssize_t read_more(struct pd_input *in)
{
	u64 at = in->pos + in->blk_len - in->blk_pos, left = in->end > at ? in->end - at : 0;
	size_t room = in->blk->cap - in->blk_len;
	u8 *p = in->blk->bytes + in->blk_len;

	if (!in->in_blocks && in->on_wait && would_wait(in->fd, 0))
		do
			in->on_wait(in->on_wait_ctx);
		while (would_wait(in->fd, WAIT_MS));
	return in->in_blocks ? pread(in->fd, p, room < left ? room : (size_t)left, (off_t)at)
			     : read(in->fd, p, room);
}

/* Reads until the block holds n unconsumed bytes, or the input ends. */
static int stream_fill(struct pd_input *in, struct pd_block_pool *pool, size_t n, struct perr *e)
{
	size_t have = in->blk_len - in->blk_pos;
	ssize_t got;

	if (!in->blk || in->blk->cap - in->blk_pos < n) {
		struct pd_block *b = block_new(pool, n);

		if (have)
			memcpy(b->bytes, in->blk->bytes + in->blk_pos, have);
		pd_block_put(in->blk);
		in->blk = b;
		in->blk_pos = 0;
		in->blk_len = have;
	}
	while (in->blk_len - in->blk_pos < n && !in->eof) {
		got = read_more(in);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return perr_io(e, "cannot read at offset %#llx",
				       (unsigned long long)(in->pos + in->blk_len - in->blk_pos));
		if (!got)
			in->eof = true;
		in->blk_len += (size_t)got;
	}
	return 0;
}

int input_peek(struct pd_input *in, struct pd_block_pool *pool, size_t n, const u8 **ret,
	       size_t *ret_left, struct perr *e)
{
	u64 left;
	int err;

	if (in->blk_len - in->blk_pos < n && pool->nr_used > BYTES_WAITING / FILE_BLOCK)
		leave_blocks(in);
	if (input_is_mapped(in)) {
		left = in->pos < in->end ? in->end - in->pos : 0;
		*ret = in->map + in->pos;
		*ret_left = (size_t)left;
		return left >= n;
	}
	if (in->blk_len - in->blk_pos < n) {
		err = stream_fill(in, pool, n, e);
		if (err)
			return err;
	}
	*ret = in->blk->bytes + in->blk_pos;
	*ret_left = in->blk_len - in->blk_pos;
	return *ret_left >= n;
}

void input_consume(struct pd_input *in, size_t n)
{
	in->pos += n;
	if (!input_is_mapped(in))
		in->blk_pos += n;
}

int input_skip(struct pd_input *in, struct pd_block_pool *pool, u64 n, struct perr *e)
{
	const u8 *p;
	size_t left, step;
	int ret;

	if (in->map) {
		if (in->pos > in->end || n > in->end - in->pos) {
			in->pos = in->end;
			in->blk_pos = in->blk_len;
			return 0;
		}
		in->pos += n;
		in->blk_pos +=
			n < in->blk_len - in->blk_pos ? (size_t)n : in->blk_len - in->blk_pos;
		return 1;
	}
	while (n) {
		ret = input_peek(in, pool, 1, &p, &left, e);
		if (ret <= 0)
			return ret;
		step = left < n ? left : (size_t)n;
		input_consume(in, step);
		n -= step;
	}
	return 1;
}

u64 pd_data_bytes(const struct perfdata *pd)
{
	u64 bytes = 0;

	for (size_t i = 0; i < pd->priv->nr_inputs; i++) {
		const struct pd_input *in = &pd->priv->inputs[i];
		u64 first = i ? 0 : pd->data_off;

		if (in->map && in->end > first)
			bytes += in->end - first;
	}
	return bytes;
}

bool pd_read_from_memory(struct perfdata *pd)
{
	for (size_t i = 0; i < pd->priv->nr_inputs; i++) {
		struct pd_input *in = &pd->priv->inputs[i];

		if (!in->map)
			return false;
		leave_blocks(in);
	}
	return true;
}

void pd_keep_behind(struct perfdata *pd, u64 bytes)
{
	pd->priv->kept_behind = bytes > KEPT_BEHIND ? bytes : KEPT_BEHIND;
}

void pd_on_wait(struct perfdata *pd, void (*on_wait)(void *ctx), void *ctx)
{
	if (!pd->priv->nr_inputs || pd->priv->inputs[0].map)
		return;
	pd->priv->inputs[0].on_wait = on_wait;
	pd->priv->inputs[0].on_wait_ctx = ctx;
}

/* least: bytes that are worth a call; madvise() is a system call and stops all threads. */
static void forget(struct perfdata *pd, u32 file_idx, u64 off, u64 least)
{
	const u64 page = 4096;
	struct pd_input *in;

	if (file_idx >= pd->priv->nr_inputs)
		return;
	in = &pd->priv->inputs[file_idx];
	off &= ~(page - 1);
	if (!in->owns_map || in->in_blocks || off < in->forgotten + least || off > in->file_len)
		return;
	/* from the start: records that were read late have brought earlier pages back */
	madvise((void *)in->map, off, MADV_DONTNEED);
	in->forgotten = off;
}

void pd_forget_before(struct perfdata *pd, u32 file_idx, u64 off)
{
	const u64 lag = pd->priv->kept_behind;

	forget(pd, file_idx, off > lag ? off - lag : 0, 8 << 20);
}

void pd_forget_used(struct perfdata *pd, u32 file_idx, u64 off)
{
	forget(pd, file_idx, off, 2 << 20);
}

void pd_fault_in(const struct perfdata *pd, u32 file_idx, u64 off, u64 n)
{
	const u64 page = 4096;
	const struct pd_input *in;

	if (file_idx >= pd->priv->nr_inputs)
		return;
	in = &pd->priv->inputs[file_idx];
	n += off & (page - 1);
	off &= ~(page - 1);
	if (!in->owns_map || in->in_blocks || off >= in->file_len)
		return;
	if (n > in->file_len - off)
		n = in->file_len - off;
#ifdef MADV_POPULATE_READ
	/* older kernels refuse: the pages then come with the faults */
	madvise((void *)(in->map + off), n, MADV_POPULATE_READ);
#endif
}

void pd_forget_all(struct perfdata *pd)
{
	for (size_t i = 0; i < pd->priv->nr_inputs; i++) {
		struct pd_input *in = &pd->priv->inputs[i];

		if (in->owns_map && !in->in_blocks)
			madvise((void *)in->map, in->file_len, MADV_DONTNEED);
	}
	block_pool_clear(&pd->priv->pool);
}
