/* SPDX-License-Identifier: MIT */
/* The same bytes as fuzz_file, but coming out of a pipe: streaming, blocks, payloads skipped. */
#include <fcntl.h>
#include <unistd.h>

#include "tests/frame/use_all.h"

#define PIPE_BYTES (1 << 20)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

struct stream {
	const u8 *data;
	size_t size;
	int fd; /* of the pipe opened last */
};

/* The read end of a pipe that already holds all the bytes (what does not fit is cut off). */
static int filled_pipe(const u8 *data, size_t size)
{
	int fds[2];
	ssize_t n;

	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return -1;
	(void)fcntl(fds[1], F_SETPIPE_SZ, PIPE_BYTES);
	while (size) {
		n = write(fds[1], data, size);
		if (n <= 0)
			break;
		data += n;
		size -= (size_t)n;
	}
	close(fds[1]);
	fcntl(fds[0], F_SETFL, 0);
	return fds[0];
}

static int open_pipe(void *ctx, struct diag *diag, struct perfdata **ret, struct perr *e)
{
	struct stream *s = ctx;

	/* the one before was closed with its reader; none reads two at once */
	if (s->fd >= 0)
		close(s->fd);
	s->fd = filled_pipe(s->data, s->size);
	if (s->fd < 0)
		return perr_io(e, "cannot make a pipe");
	return pd_open_fd(s->fd, "fuzz", diag, ret, e);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct stream s = { .data = data, .size = size, .fd = -1 };
	struct use_all u = { .open = open_pipe, .ctx = &s, .turn = size };

	use_all(&u);
	if (s.fd >= 0)
		close(s.fd);
	return 0;
}
