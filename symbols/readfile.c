/* SPDX-License-Identifier: MIT */
#include "symbols/readfile.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

#define FIRST_READ ((size_t)64 << 10)

int read_file(const char *path, size_t limit, void **ret, size_t *ret_n, struct perr *e)
{
	struct stat st;
	char *buf = NULL;
	size_t n = 0, cap = 0, want = FIRST_READ;
	int fd, err = 0;

	/* A pipe with nobody at its other end must not stop us. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return perr_io(e, "%s", path);
	if (fstat(fd, &st) < 0) {
		err = perr_io(e, "%s", path);
		goto out;
	}
	if (!S_ISREG(st.st_mode)) {
		err = perr_set(e, PERR_FORMAT, "%s: not a regular file", path);
		goto out;
	}
	if (st.st_size > 0 && (u64)st.st_size < limit)
		want = (size_t)st.st_size + 1;
	for (;;) {
		ssize_t got;

		if (cap < n + want) {
			vec_reserve(buf, cap, n + want);
			mem_will_fill(buf + n, cap - n);
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
			err = perr_set(e, PERR_LIMIT, "%s: larger than %zu bytes", path, limit);
			goto out;
		}
		want = FIRST_READ;
	}
	*ret = buf;
	*ret_n = n;
	buf = NULL;
out:
	free(buf);
	close(fd);
	return err;
}
