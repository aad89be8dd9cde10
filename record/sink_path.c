/* SPDX-License-Identifier: MIT */
#include "record/sink_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

/* Whole text a number below 2^32 - 1, which is no id but "leave as it is". */
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
	/* a file system without owners keeps the file as it is */
	if (fchown(fd, uid, gid))
		return;
}

static int keep_as_old(const char *path, struct perr *e)
{
	char *old = xasprintf("%s.old", path);
	int err = 0;

	if (rename(path, old))
		err = perr_io(e, "%s: cannot be renamed to %s", path, old);
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
		/* what others put in its place meanwhile is written, but not given away */
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			give_to_caller_of_sudo(fd);
		else if (errno == EEXIST)
			fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	}
	if (fd < 0)
		return perr_io(e, "%s: cannot be written", path);
	*ret_fd = fd;
	*ret_stream = stream;
	return 0;
}

char *sink_path_stamped(const char *path)
{
	struct timespec now;
	struct tm tm;
	char text[32];

	clock_gettime(CLOCK_REALTIME, &now);
	if (!localtime_r(&now.tv_sec, &tm) || !strftime(text, sizeof(text), "%Y%m%d%H%M%S", &tm))
		return xasprintf("%s.%lld", path, (long long)now.tv_sec);
	return xasprintf("%s.%s%02ld", path, text, now.tv_nsec / 10000000);
}
