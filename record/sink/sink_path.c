/* SPDX-License-Identifier: MIT */
#include "record/sink/sink_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

/* Parses a text that is a number below 2^32 - 1, which is not an id but means "no change". */
static bool parse_id(const char *text, unsigned int *ret)
{
	char *end;
	unsigned long v;

	if (!text || *text < '0' || *text > '9')
		return false;
	errno = 0;
	v = strtoul(text, &end, 10);
	if (errno || *end || v >= UINT32_MAX)
		return false;
	*ret = (unsigned int)v;
	return true;
}

static void give_to_caller_of_sudo(int fd)
{
	unsigned int uid, gid;

	if (geteuid() || !parse_id(getenv("SUDO_UID"), &uid) || !parse_id(getenv("SUDO_GID"), &gid))
		return;
	/* on a file system without owners the file stays as it is */
	if (fchown(fd, uid, gid))
		return;
}

static int keep_as_old(const char *path, struct perr *e)
{
	char *old = xasprintf("%s.old", path);
	int err = 0;

	if (rename(path, old))
		err = perr_io(e, "cannot rename %s to %s", path, old);
	free(old);
	return err;
}

int sink_path_open(const char *path, int *ret_fd, bool *ret_stream, struct perr *e)
{
	struct stat st;
	bool is_there = !stat(path, &st), stream = false;
	int fd, err;

	if (is_there && (S_ISDIR(st.st_mode) || (S_ISREG(st.st_mode) && st.st_size))) {
		err = keep_as_old(path, e);
		if (err)
			return err;
		is_there = false;
	}
	if (is_there) {
		stream = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	} else {
		/*
		 * if another process has created the file meanwhile, write it but do not change its
		 * owner
		 */
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			give_to_caller_of_sudo(fd);
		else if (errno == EEXIST)
			fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return perr_io(e, "cannot write %s", path);
	*ret_fd = fd;
	*ret_stream = stream;
	return 0;
}

/* Renames only if `to` does not exist, atomically if the kernel supports that. */
static int rename_to_free_name(const char *path, const char *to)
{
	if (!renameat2(AT_FDCWD, path, AT_FDCWD, to, RENAME_NOREPLACE))
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	if (!access(to, F_OK)) {
		errno = EEXIST;
		return -1;
	}
	return rename(path, to);
}

static char *stamped_path(const char *path, u64 centiseconds)
{
	time_t seconds = (time_t)(centiseconds / 100);
	struct tm tm;
	char text[32];

	if (!localtime_r(&seconds, &tm) || !strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm))
		snprintf(text, sizeof(text), "%lld", (long long)seconds);
	return xasprintf("%s.%s%02u", path, text, (unsigned int)(centiseconds % 100));
}

int sink_path_stamp(const char *path, u64 *last, char **ret, struct perr *e)
{
	struct timespec now;
	u64 at;

	clock_gettime(CLOCK_REALTIME, &now);
	at = (u64)now.tv_sec * 100 + (u64)now.tv_nsec / 10000000;
	/* files may follow each other within a hundredth of a second */
	if (at <= *last)
		at = *last + 1;
	for (;; at++) {
		char *to = stamped_path(path, at);
		int err = 0;

		if (!rename_to_free_name(path, to)) {
			*ret = to;
			*last = at;
			return 0;
		}
		if (errno != EEXIST)
			err = perr_io(e, "cannot rename %s to %s", path, to);
		free(to);
		if (err)
			return err;
	}
}
