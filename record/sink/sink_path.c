/* SPDX-License-Identifier: MIT */
#include "record/sink/sink_path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files/regular_file.h"
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

static void add_advice(struct perr *e, const char *advice)
{
	size_t len = e ? strlen(e->text) : 0;

	if (e)
		snprintf(e->text + len, sizeof(e->text) - len, ": %s", advice);
}

/*
 * Refuses what another user has put where the recording is to be written: through a link it would
 * be written to a place of their choice, and a FIFO would give it to them.
 */
static int refuse_trap(const char *path, const struct stat *st, struct perr *e)
{
	const char *what = S_ISLNK(st->st_mode) ? "symbolic link" : "FIFO or device";

	if (S_ISREG(st->st_mode) || S_ISDIR(st->st_mode) || owner_is_trusted(st->st_uid))
		return 0;
	return perr_set(
		e, PERR_IO,
		"cannot write %s: it is a %s of another user (uid %u): remove it, or choose "
		"another file with -o",
		path, what, (unsigned int)st->st_uid);
}

/* Removes the files data and data.N of a recording that is a folder, and the folder if it is empty.
 */
static void remove_folder(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		if (!strcmp(entry->d_name, "data") ||
		    (!strncmp(entry->d_name, "data.", 5) && entry->d_name[5] &&
		     !entry->d_name[5 + strspn(entry->d_name + 5, "0123456789")]))
			(void)!unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
	(void)!rmdir(path);
}

static int keep_as_old(const char *path, struct perr *e)
{
	char *old = xasprintf("%s.old", path);
	struct stat st;
	int err = 0;

	/* neither a file nor a folder can be renamed to a folder with files */
	if (!lstat(old, &st) && S_ISDIR(st.st_mode))
		remove_folder(old);
	else if (!lstat(path, &st) && S_ISDIR(st.st_mode) && !lstat(old, &st) &&
		 S_ISREG(st.st_mode))
		(void)!unlink(old);
	/* a symbolic link is renamed itself, on both sides */
	if (rename(path, old)) {
		err = perr_io(e, "cannot rename %s to %s", path, old);
		add_advice(e, "remove the one that is in the way, or choose another file with -o");
	}
	free(old);
	return err;
}

/* True for what is renamed: a recording, or an empty file that its other owner could read later. */
static bool is_old_recording(const struct stat *st)
{
	return S_ISDIR(st->st_mode) ||
	       (S_ISREG(st->st_mode) && (st->st_size || !owner_is_trusted(st->st_uid)));
}

int sink_path_make_folder(const char *path, struct perr *e)
{
	struct stat st;
	int err = 0, fd;

	if (!lstat(path, &st)) {
		err = refuse_trap(path, &st, e);
		if (!err)
			err = keep_as_old(path, e);
	}
	if (err)
		return err;
	if (mkdir(path, 0700))
		return perr_io(e, "cannot make the folder %s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		give_to_caller_of_sudo(fd);
		close(fd);
	}
	return 0;
}

int sink_path_open(const char *path, int *ret_fd, bool *ret_stream, struct perr *e)
{
	struct stat st, self;
	bool exists = !lstat(path, &self), is_there, stream = false;
	int follow = exists && S_ISLNK(self.st_mode) ? 0 : O_NOFOLLOW, fd, err;

	err = exists ? refuse_trap(path, &self, e) : 0;
	if (err)
		return err;
	is_there = !stat(path, &st);
	if (is_there && is_old_recording(&st)) {
		err = keep_as_old(path, e);
		if (err)
			return err;
		is_there = false;
	}
	if (is_there) {
		stream = !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode);
		fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC | follow);
	} else {
		/*
		 * if another process has created the file meanwhile, write it but do not change its
		 * owner
		 */
		fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
		if (fd >= 0)
			give_to_caller_of_sudo(fd);
		else if (errno == EEXIST)
			fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | follow, 0600);
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
