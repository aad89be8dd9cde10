/* SPDX-License-Identifier: MIT */
#include "record/keep/process_files.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"

/* Limit of root directories that are held open at once. */
#define MAX_ROOTS 512
#define STATUS_BYTES 8192 /* more than the lines of /proc/PID/status up to NStgid */

static const char *const stable_folders[] = { "/", "/usr", "/opt", "/home", "/var", "/tmp" };

static bool stat_at(int dir, const char *path, u64 *ret_dev, u64 *ret_ino)
{
	struct stat st;

	if (fstatat(dir, path, &st, 0))
		return false;
	*ret_dev = st.st_dev;
	*ret_ino = st.st_ino;
	return true;
}

void process_files_init(struct process_files *f, const char *procfs)
{
	*f = (struct process_files){ .proc_fd = open(procfs, O_PATH | O_DIRECTORY | O_CLOEXEC) };
	stat_at(f->proc_fd, "self/ns/mnt", &f->host_ns_dev, &f->host_ns_ino);
	stat_at(AT_FDCWD, "/", &f->host_root_dev, &f->host_root_ino);
	for (size_t i = 0; i < ARRAY_SIZE(stable_folders); i++) {
		struct stat st;

		if (!stat(stable_folders[i], &st))
			f->stable_devs[f->nr_stable++] = st.st_dev;
	}
}

void process_files_fini(struct process_files *f)
{
	for (size_t i = 0; i < f->nr; i++) {
		if (f->roots[i].fd >= 0)
			close(f->roots[i].fd);
		free(f->roots[i].path);
	}
	free(f->roots);
	if (f->proc_fd >= 0)
		close(f->proc_fd);
	*f = (struct process_files){ .proc_fd = -1 };
}

static char *read_link(int dir, const char *path)
{
	char buf[4096];
	ssize_t n = readlinkat(dir, path, buf, sizeof(buf));

	return n > 0 && (size_t)n < sizeof(buf) ? xstrndup(buf, (size_t)n) : NULL;
}

u32 process_files_root(struct process_files *f, s32 pid)
{
	struct process_root r = { .fd = -1 };
	char ns[32], root[32];

	snprintf(ns, sizeof(ns), "%d/ns/mnt", pid);
	snprintf(root, sizeof(root), "%d/root", pid);
	if (!stat_at(f->proc_fd, ns, &r.ns_dev, &r.ns_ino) ||
	    !stat_at(f->proc_fd, root, &r.root_dev, &r.root_ino))
		return NO_ROOT;
	for (size_t i = 0; i < f->nr; i++) {
		const struct process_root *o = &f->roots[i];

		if (o->ns_ino == r.ns_ino && o->ns_dev == r.ns_dev && o->root_ino == r.root_ino &&
		    o->root_dev == r.root_dev)
			return (u32)i;
	}
	if (f->nr >= MAX_ROOTS)
		return NO_ROOT;
	r.own_ns = r.ns_ino == f->host_ns_ino && r.ns_dev == f->host_ns_dev;
	r.is_host = r.own_ns && r.root_ino == f->host_root_ino && r.root_dev == f->host_root_dev;
	if (!r.own_ns)
		r.fd = openat(f->proc_fd, root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	else
		r.path = read_link(f->proc_fd, root);
	vec_push(f->roots, f->nr, f->cap, r);
	return (u32)f->nr - 1;
}

static int open_in(int dir, const char *path, u64 flags, u64 resolve)
{
	struct open_how how = { .flags = flags, .resolve = resolve };

	return (int)syscall(SYS_openat2, dir, path, &how, sizeof(how));
}

/* Takes the descriptor of a path (O_PATH), and returns one for reading if it is a regular file. */
static int open_if_regular(int path_fd)
{
	char self[40];
	struct stat st;
	int fd = -1;

	if (path_fd < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", path_fd);
	if (!fstat(path_fd, &st) && S_ISREG(st.st_mode))
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	close(path_fd);
	return fd;
}

int process_files_open_map(const struct process_files *f, s32 pid, u64 start, u64 end)
{
	char path[80];

	snprintf(path, sizeof(path), "%d/map_files/%" PRIx64 "-%" PRIx64, pid, start, end);
	return open_if_regular(openat(f->proc_fd, path, O_PATH | O_CLOEXEC));
}

int process_files_open_exe(const struct process_files *f, s32 pid)
{
	char path[32];

	snprintf(path, sizeof(path), "%d/exe", pid);
	return open_if_regular(openat(f->proc_fd, path, O_PATH | O_CLOEXEC));
}

int process_files_open(const struct process_files *f, u32 root, const char *path)
{
	const struct process_root *r = root < f->nr ? &f->roots[root] : NULL;
	int dir, fd;

	if (!r || path[0] != '/')
		return -1;
	if (r->is_host)
		return process_files_open_host(path);
	dir = r->fd >= 0 ? fcntl(r->fd, F_DUPFD_CLOEXEC, 0)
	      : r->path  ? open(r->path, O_PATH | O_DIRECTORY | O_CLOEXEC)
			 : -1;
	if (dir < 0)
		return -1;
	fd = open_in(dir, path, O_PATH | O_CLOEXEC, RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS);
	close(dir);
	return open_if_regular(fd);
}

int process_files_open_host(const char *path)
{
	return open_if_regular(open(path, O_PATH | O_CLOEXEC));
}

bool process_files_may_hold(const struct process_files *f, u32 root, u64 dev)
{
	if (root < f->nr && !f->roots[root].own_ns)
		return true;
	for (size_t i = 0; i < f->nr_stable; i++)
		if (f->stable_devs[i] == dev)
			return true;
	return false;
}

bool process_files_ns_pid(const struct process_files *f, s32 pid, s32 *ret_pid, u32 *ret_uid)
{
	char path[32], text[STATUS_BYTES];
	const char *line;
	struct stat st;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%d/status", pid);
	fd = openat(f->proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	if (n > 0 && !fstat(fd, &st)) {
		text[n] = '\0';
		*ret_uid = st.st_uid;
		*ret_pid = pid;
		line = strstr(text, "\nNStgid:");
		/* the innermost namespace is the last number of the line */
		for (const char *p = line ? line + 8 : ""; *p && *p != '\n'; p++)
			if (p[-1] == '\t' && *p >= '1' && *p <= '9')
				*ret_pid = (s32)strtol(p, NULL, 10);
	}
	close(fd);
	return n > 0;
}
