/* SPDX-License-Identifier: MIT */
#include "base/files/regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif

#include "base/files/path_walk.h"
#include "base/files/remote_mount.h"
#include "base/mem.h"
#include "base/option.h"

#define READ_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
#define MAX_TRIES 8 /* while others rename folders on the way */

static int handle_of_walk(const char *root, const char *inner)
{
	char *path = path_walk(root, inner, NULL, NULL);
	int fd = path ? open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW) : -1;

	free(path);
	return fd;
}

/* A handle (O_PATH) of the file at `inner` below the folder root. -1 with errno set. */
static int handle_below(const char *root, const char *inner)
{
	int fd = -1;
#if defined(SYS_openat2) && defined(RESOLVE_IN_ROOT)
	struct open_how how = { .flags = O_PATH | O_CLOEXEC,
				.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS };
	int dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return -1;
	errno = EAGAIN;
	for (int i = 0; fd < 0 && errno == EAGAIN && i < MAX_TRIES; i++)
		fd = (int)syscall(SYS_openat2, dir, *inner ? inner : "/", &how, sizeof(how));
	close(dir);
	/* before Linux 5.6, and below filters that predate it */
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
#endif
	return handle_of_walk(root, inner);
}

static enum file_fault fault_of_errno(void)
{
	return errno == ENOENT || errno == ENOTDIR ? FILE_ABSENT : FILE_UNREADABLE;
}

static enum file_fault fault_of_mode(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG: return FILE_FINE;
	case S_IFDIR: return FILE_IS_FOLDER;
	case S_IFIFO: return FILE_IS_FIFO;
	case S_IFSOCK: return FILE_IS_SOCKET;
	default: return FILE_IS_DEVICE;
	}
}

/* The part of path below root; NULL: root is none, or does not apply to the path. */
static const char *path_below(const char *root, const char *path)
{
	size_t n = root ? strlen(root) : 0;

	return n && !strncmp(path, root, n) ? path + n : NULL;
}

/* The fault of a handle that could not be had. inner: the part of path below the root, or NULL. */
static enum file_fault fault_of_handle(const char *path, const char *inner)
{
	enum file_fault fault = fault_of_errno();
	int error = errno;

	if (inner && !remote_mount_is_silent(NULL, path) && !access(path, F_OK))
		fault = FILE_OUTSIDE;
	errno = error;
	return fault;
}

/*
 * Finds the file and sets *ret_fd to a handle of it, which has no effect on the file: the kernel
 * neither opens a device nor waits for the other end of a FIFO.
 */
static enum file_fault find(const char *path, const struct file_rules *rules, int *ret_fd)
{
	const char *root = rules ? rules->root : NULL, *inner = path_below(root, path);
	enum file_fault fault;
	struct stat st;
	int fd;

	if (remote_mount_is_silent(inner ? root : NULL, inner ? inner : path))
		return FILE_SILENT;
	fd = inner ? handle_below(root, inner) : open(path, O_PATH | O_CLOEXEC);
	if (fd < 0)
		return fault_of_handle(path, inner);
	fault = fstat(fd, &st) ? FILE_UNREADABLE : fault_of_mode(st.st_mode);
	if (fault == FILE_FINE && rules && rules->only_trusted && !owner_is_trusted(st.st_uid))
		fault = FILE_FOREIGN;
	if (fault == FILE_FINE)
		*ret_fd = fd;
	else
		close(fd);
	return fault;
}

enum file_fault regular_file_find(const char *path, const struct file_rules *rules)
{
	int fd = -1;
	enum file_fault fault = find(path, rules, &fd);

	if (fault == FILE_FINE)
		close(fd);
	return fault;
}

/* Opens for reading what the handle stands for; by `path` where /proc is not mounted. */
static int open_handle(int handle, const char *path)
{
	char proc[40];
	struct stat a, b;
	int fd;

	snprintf(proc, sizeof(proc), "/proc/self/fd/%d", handle);
	fd = open(proc, READ_FLAGS);
	if (fd >= 0 || errno != ENOENT)
		return fd;
	fd = open(path, READ_FLAGS | O_NOFOLLOW);
	if (fd >= 0 &&
	    (fstat(handle, &a) || fstat(fd, &b) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)) {
		close(fd);
		fd = -1;
		errno = ENOENT;
	}
	return fd;
}

enum file_fault regular_file_open(const char *path, const struct file_rules *rules, int *ret_fd)
{
	int handle = -1, fd, error;
	enum file_fault fault = find(path, rules, &handle);

	if (fault != FILE_FINE)
		return fault;
	fd = open_handle(handle, path);
	error = errno;
	close(handle);
	errno = error;
	if (fd < 0)
		return fault_of_errno();
	*ret_fd = fd;
	return FILE_FINE;
}

enum file_fault recorded_path_check(const char *path)
{
	return path_has_parent(path) ? FILE_PARENT : FILE_FINE;
}

const char *file_fault_text(enum file_fault fault)
{
	switch (fault) {
	case FILE_FINE: return "";
	case FILE_ABSENT: return "no such file";
	case FILE_UNREADABLE: return "it cannot be read";
	case FILE_IS_FOLDER: return "it is a directory, not a regular file";
	case FILE_IS_FIFO: return "it is a FIFO, not a regular file";
	case FILE_IS_SOCKET: return "it is a socket, not a regular file";
	case FILE_IS_DEVICE: return "it is a device, not a regular file";
	case FILE_OUTSIDE: return "a link or '..' in the path leads out of the folder of --symfs";
	case FILE_SILENT: return "its file system does not answer";
	case FILE_PARENT: return "its recorded path has '..', which no recorder writes";
	case FILE_FOREIGN: return "it belongs to another user, neither to root nor to you";
	}
	return "";
}

const char *file_fault_advice(enum file_fault fault)
{
	switch (fault) {
	case FILE_IS_FIFO:
	case FILE_IS_SOCKET:
	case FILE_IS_DEVICE: return "put the recorded file there, or below a folder for --symfs";
	case FILE_OUTSIDE: return "copy the file into that folder";
	case FILE_SILENT: return "mount it again, or copy the file below a folder for --symfs";
	case FILE_FOREIGN: return "-f reads it anyway";
	case FILE_PARENT: return "add the file to the build-id cache if you trust the recording";
	default: return NULL;
	}
}

int file_fault_set(enum file_fault fault, const char *path, struct perr *e)
{
	if (fault == FILE_ABSENT || fault == FILE_UNREADABLE)
		return perr_io(e, "%s", path);
	return perr_set(e, PERR_FORMAT, "%s: %s", path, file_fault_text(fault));
}

bool owner_is_trusted(uid_t owner)
{
	const char *text = geteuid() ? NULL : getenv("SUDO_UID");
	u64 caller;

	if (!owner || owner == geteuid())
		return true;
	return text && !parse_u64(text, 10, 0, UINT32_MAX - 1, &caller) && caller == owner;
}
