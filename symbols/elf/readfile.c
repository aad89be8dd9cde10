/* SPDX-License-Identifier: MIT */
#include "symbols/elf/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/pages.h"

#define FIRST_READ ((size_t)64 << 10)

bool file_is_regular(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/*
 * Opens a regular file. Returns its descriptor and, in *ret_size, its size from fstat(), which may
 * be wrong for files in /proc. Returns a negative PERR_* on error.
 */
static int open_regular(const char *path, u64 *ret_size, struct perr *e)
{
	/* O_NONBLOCK: opening a pipe without a writer must not block */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;
	struct stat st;

	if (fd < 0)
		return perr_io(e, "%s", path);
	if (fstat(fd, &st) < 0)
		err = perr_io(e, "%s", path);
	else if (!S_ISREG(st.st_mode))
		err = perr_set(e, PERR_FORMAT, "%s: not a regular file", path);
	else {
		*ret_size = st.st_size > 0 ? (u64)st.st_size : 0;
		return fd;
	}
	close(fd);
	return err;
}

static int read_all(int fd, const char *path, u64 size, size_t limit, void **ret, size_t *ret_n,
		    struct perr *e)
{
	char *buf = NULL;
	size_t n = 0, cap = 0, want = size && size < limit ? (size_t)size + 1 : FIRST_READ;
	int err = 0;

	for (;;) {
		ssize_t got;

		if (cap < n + want) {
			vec_reserve(buf, cap, n + want);
			pages_will_fill(buf + n, cap - n);
		}
		got = read(fd, buf + n, cap - n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0) {
			err = perr_io(e, "%s", path);
			goto out;
		}
		if (!got)
			break;
		n += (size_t)got;
		if (n > limit) {
			err = perr_set(e, PERR_LIMIT,
				       "%s: the file is larger than the limit of %zu bytes", path,
				       limit);
			goto out;
		}
		want = FIRST_READ;
	}
	*ret = buf;
	*ret_n = n;
	buf = NULL;
out:
	free(buf);
	return err;
}

int read_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e)
{
	u64 size;
	int fd = open_regular(path, &size, e), err;

	if (fd < 0)
		return fd;
	err = read_all(fd, path, size, limit, ret, ret_n, e);
	close(fd);
	return err;
}

int file_text_open(const char *path, size_t limit, struct file_text *ret, struct perr *e)
{
	void *p = MAP_FAILED;
	u64 size;
	int fd = open_regular(path, &size, e), err = 0;

	if (fd < 0)
		return fd;
	*ret = (struct file_text){ 0 };
	if (size && size <= limit)
		p = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (p != MAP_FAILED) {
		*ret = (struct file_text){ span_of(p, (size_t)size), true };
	} else {
		err = read_all(fd, path, size, limit, &p, &ret->bytes.n, e);
		if (!err)
			ret->bytes.p = p;
	}
	close(fd);
	return err;
}

void file_text_close(struct file_text *f)
{
	if (f->is_mapped)
		munmap((void *)(uintptr_t)f->bytes.p, f->bytes.n);
	else
		free((void *)(uintptr_t)f->bytes.p);
	*f = (struct file_text){ 0 };
}
