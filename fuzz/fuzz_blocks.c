/* SPDX-License-Identifier: MIT */
/* A file read in blocks: the same records as of one in memory, and the same end. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fileformat/perfdata.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void must(bool holds)
{
	if (!holds)
		abort();
}

static int file_of(const u8 *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	for (size_t done = 0; done < size;) {
		ssize_t n = write(fd, data + done, size - done);

		must(n > 0);
		done += (size_t)n;
	}
	return fd;
}

static void compare(struct perfdata *blocks, struct perfdata *memory)
{
	struct pd_record b, m;
	struct perr eb, em;
	int got;

	do {
		got = pd_next(memory, &m, &em);
		must(pd_next(blocks, &b, &eb) == got);
		if (got == 1)
			must(b.off == m.off && b.size == m.size && b.payload_len == m.payload_len &&
			     !memcmp(b.data, m.data, m.size));
	} while (got == 1);
	must(blocks->truncated == memory->truncated);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct perfdata *blocks, *memory;
	int fd = file_of(data, size), err;
	struct perr e;

	err = pd_open_mem(span_of(data, size), "fuzz", NULL, &memory, &e);
	must(pd_open_fd(fd, "fuzz", NULL, &blocks, &e) == err || !size);
	if (!err) {
		compare(blocks, memory);
		pd_close(blocks);
		pd_close(memory);
	}
	close(fd);
	return 0;
}
