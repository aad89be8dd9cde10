/* SPDX-License-Identifier: MIT */
/* The same bytes as fuzz_file, but coming out of a pipe: streaming, blocks, payloads skipped. */
#include <fcntl.h>
#include <unistd.h>

#include "tests/decode_all.h"

#define PIPE_BYTES (1 << 20)

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

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

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	int in_time_order;

	for (in_time_order = 0; in_time_order < 2; in_time_order++) {
		int fd = filled_pipe(data, size);
		struct perfdata *pd;
		struct decoded d;
		struct diag diag;
		struct perr e;

		if (fd < 0)
			return 0;
		diag_init(&diag);
		if (!pd_open_fd(fd, "fuzz", &diag, &pd, &e)) {
			if (decode_all(pd, in_time_order, &d, &e) > 0)
				BUG();
			pd_close(pd);
		}
		diag_fini(&diag);
		close(fd);
	}
	return 0;
}
