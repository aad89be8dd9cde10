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

/*
 * Opens a regular file. Returns its descriptor and, in *ret_size, its size from fstat(), which may
 * be wrong for files in /proc. Returns a negative PERR_* on error.
 */
static int open_regular(const char *path, const struct file_rules *rules, u64 *ret_size,
			struct perr *e)
{
	struct stat st;
	int fd, err;
	enum file_fault fault = regular_file_open(path, rules, &fd);

	if (fault != FILE_FINE)
		return file_fault_set(fault, path, e);
	if (fstat(fd, &st)) {
		err = perr_io(e, "%s", path);
		close(fd);
		return err;
	}
	*ret_size = st.st_size > 0 ? (u64)st.st_size : 0;
	return fd;
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

int read_file_by(const char *path, const struct file_rules *rules, size_t limit, void **ret,
		 size_t *ret_n, struct perr *e)
{
	u64 size;
	int fd = open_regular(path, rules, &size, e), err;

	if (fd < 0)
		return fd;
	err = read_all(fd, path, size, limit, ret, ret_n, e);
	close(fd);
	return err;
}

int read_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e)
{
	return read_file_by(path, NULL, limit, ret, ret_n, e);
}

int read_kernel_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), err;

	if (fd < 0)
		return perr_io(e, "%s", path);
	err = read_all(fd, path, 0, limit, ret, ret_n, e);
	close(fd);
	return err;
}

int file_text_open(const char *path, const struct file_rules *rules, size_t limit,
		   struct file_text *ret, struct perr *e)
{
	void *p = MAP_FAILED;
	u64 size;
	int fd = open_regular(path, rules, &size, e), err = 0;

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

void file_text_give_pages_back(const struct file_text *f)
{
	/* nothing was ever written to them */
	if (f->is_mapped)
		(void)madvise((void *)f->bytes.p, f->bytes.n, MADV_DONTNEED);
}

void file_text_close(struct file_text *f)
{
	if (f->is_mapped)
		munmap((void *)(uintptr_t)f->bytes.p, f->bytes.n);
	else
		free((void *)(uintptr_t)f->bytes.p);
	*f = (struct file_text){ 0 };
}
