/* SPDX-License-Identifier: MIT */
#include "record/sink/sink_file.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "fileformat/write/record_encode.h"

#define MAX_RUNS 4

static int sink_file_failed(const struct sink_file *f, int cause, struct perr *e)
{
	errno = cause;
	return perr_io(e, "cannot write %s", f->path);
}

/*
 * Writes to a stream without SIGPIPE, which would end the process before it can report the error.
 * The signal is blocked during the write and then taken from the queue, so that its handling
 * elsewhere does not change.
 */
static ssize_t write_stream(int fd, const struct iovec *iov, int nr)
{
	struct timespec none = { 0 };
	sigset_t pipe_only, old, pending;
	ssize_t n;
	int cause;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &old);
	n = writev(fd, iov, nr);
	cause = errno;
	if (n < 0 && cause == EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_only, NULL, &none) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	errno = cause;
	return n;
}

/* Writes all of iov at offset `at`; changes iov. Returns 0 or an errno. */
static int write_all(struct sink_file *f, struct iovec *iov, int nr, u64 at)
{
	while (nr) {
		ssize_t n = f->is_stream ? write_stream(f->fd, iov, nr)
					 : pwritev(f->fd, iov, nr, (off_t)at);

		f->writes++;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		at += (u64)n;
		while (nr && (size_t)n >= iov->iov_len) {
			n -= (ssize_t)iov->iov_len;
			iov++;
			nr--;
		}
		if (nr) {
			iov->iov_base = (u8 *)iov->iov_base + n;
			iov->iov_len -= (size_t)n;
		}
	}
	return 0;
}

static int write_at(struct sink_file *f, const struct wbuf *b, u64 at)
{
	struct iovec iov = { b->p, b->n };

	return b->n ? write_all(f, &iov, 1, at) : 0;
}

int sink_file_start(struct sink_file *f, int fd, bool is_stream, const char *path,
		    const struct pd_head *head, struct perr *e)
{
	struct wbuf b = { 0 };
	int cause;

	*f = (struct sink_file){ .fd = fd, .is_stream = is_stream, .path = path };
	if (!head)
		return 0;
	f->attr_size = head->attr_size;
	if (is_stream) {
		pd_put_pipe_head(&b, head);
		if (head->nr_events && head->events[0].nr_ids)
			pd_put_stream_mark(&f->end_mark, head->events[0].ids[0], PD_STREAM_ENDED);
	} else {
		pd_put_head(&b, head, &f->layout);
		f->pos = f->end = f->layout.data_off;
	}
	cause = write_at(f, &b, 0);
	wb_fini(&b);
	return cause ? sink_file_failed(f, cause, e) : 0;
}

void sink_file_fini(struct sink_file *f)
{
	wb_fini(&f->held);
	wb_fini(&f->table);
	wb_fini(&f->end_mark);
}

u64 sink_file_data_bytes(const struct sink_file *f)
{
	return f->pos - f->layout.data_off;
}

int sink_file_write(struct sink_file *f, const struct span *parts, int nr, struct perr *e)
{
	struct iovec iov[MAX_RUNS];
	u64 table_end = f->end + f->table_bytes, pos = f->pos, at = 0;
	size_t held_before = f->held.n;
	int i, nr_iov = 0, cause;

	if (nr > MAX_RUNS)
		BUG();
	for (i = 0; i < nr; i++) {
		struct span s = parts[i];

		if (pos < table_end && s.n) {
			size_t n = table_end - pos < s.n ? (size_t)(table_end - pos) : s.n;

			wb_mem(&f->held, s.p, n);
			pos += n;
			s.p += n;
			s.n -= n;
		}
		if (!s.n)
			continue;
		if (!nr_iov)
			at = pos;
		iov[nr_iov++] = (struct iovec){ (void *)s.p, s.n };
		pos += s.n;
	}
	cause = nr_iov ? write_all(f, iov, nr_iov, at) : 0;
	if (cause) {
		f->held.n = held_before;
		return sink_file_failed(f, cause, e);
	}
	f->pos = pos;
	return 0;
}

static int write_header(struct sink_file *f, u64 data_end, const u64 *bits)
{
	struct wbuf b = { 0 };
	int cause;

	pd_put_header(&b, &f->layout, f->attr_size, data_end - f->layout.data_off, bits,
		      f->mark_off);
	cause = write_at(f, &b, 0);
	wb_fini(&b);
	return cause;
}

/*
 * Writes f->table behind the data and makes the header point to it. mark_off: the file offset of
 * the mark in it, 0 without one. Returns 0 or an errno.
 */
static int put_table(struct sink_file *f, const u64 *bits, u64 mark_off)
{
	static const u64 no_features[4];
	/* the new table does not overlap the old one */
	bool apart = f->pos >= f->end + f->table_bytes;
	size_t held = f->held.n;
	int cause = 0;

	if (apart)
		cause = write_at(f, &f->table, f->pos);
	/* until here a failure loses no committed data */
	if (!cause && f->table_bytes)
		cause = write_header(f, f->end, no_features);
	if (cause)
		return cause;
	if (!apart)
		wb_mem(&f->held, f->table.p, f->table.n);
	cause = write_at(f, &f->held, f->end);
	f->held.n = held;
	f->mark_off = mark_off;
	if (!cause)
		cause = write_header(f, f->pos, bits);
	if (cause)
		return cause;
	f->end = f->pos;
	f->table_bytes = f->table.n;
	f->held.n = 0;
	return 0;
}

static int commit(struct sink_file *f, const struct pd_feature_out *late, size_t nr_late,
		  bool finished, struct perr *e)
{
	u64 bits[4], mark_off = 0;
	int cause;

	f->table.n = 0;
	pd_put_feature_table(&f->table, &f->layout, f->pos, late, nr_late, bits);
	if (!finished) {
		mark_off = f->pos + f->table.n;
		pd_put_running_mark(&f->table, wall_ns());
	}
	cause = put_table(f, bits, mark_off);
	return cause ? sink_file_failed(f, cause, e) : 0;
}

int sink_file_commit(struct sink_file *f, struct perr *e)
{
	if (f->is_stream || (f->pos == f->end && f->table_bytes))
		return 0;
	return commit(f, NULL, 0, false, e);
}

int sink_file_end(struct sink_file *f, const struct pd_feature_out *late, size_t nr_late,
		  bool finished, struct perr *e)
{
	if (!f->is_stream)
		return commit(f, late, nr_late, finished, e);
	if (finished) /* a reader that has gone misses nothing */
		(void)!write_at(f, &f->end_mark, 0);
	return 0;
}
