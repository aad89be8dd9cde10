/* SPDX-License-Identifier: MIT */
#include "symbols/dwarf/split_file.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

static struct split_file named_by_fd(int fd)
{
	return (struct split_file){ xasprintf("/proc/self/fd/%d", fd), fd };
}

bool split_file_in_memory(const void *p, size_t n, struct split_file *ret)
{
	int fd = memfd_create("dwo", MFD_CLOEXEC);
	size_t done = 0;
	ssize_t got;

	if (fd < 0)
		return false;
	while (done < n) {
		got = write(fd, (const u8 *)p + done, n - done);
		if (got <= 0) {
			close(fd);
			return false;
		}
		done += (size_t)got;
	}
	*ret = named_by_fd(fd);
	return true;
}

bool split_file_on_disk(const char *path, const struct file_rules *rules, struct split_file *ret)
{
	int fd;

	if (regular_file_open(path, rules, &fd) != FILE_FINE)
		return false;
	*ret = named_by_fd(fd);
	return true;
}

void split_file_close(struct split_file *f)
{
	close(f->fd);
	free(f->path);
}
