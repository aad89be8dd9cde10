/* SPDX-License-Identifier: MIT */
#include "record/keep/cache_store.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/build_id.h"

#define COPY_BYTES ((size_t)4 << 20)
#define MAX_PATH_LEN 3000     /* leaves room for the cache's folder and the build-id */
#define MAX_NAME 255          /* NAME_MAX of all common file systems */
#define ODD_NAME "[odd-name]" /* folder of objects whose names cannot be used */
#define LINKS ".build-id"     /* folder of the links */
#define MIN_ID 2              /* bytes; the first one names a folder, the rest a link */
#define LINK_LEN (BUILD_ID_HEX + 16)

int cache_store_open(const char *dir, struct perr *e)
{
	char *path = xstrdup(dir);
	int fd;

	for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(path, 0755);
		*p = '/';
	}
	mkdir(path, 0755);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	free(path);
	return fd < 0 ? perr_io(e, "build-id cache %s", dir) : fd;
}

/* Opens the folder that the link .build-id/xx/rest leads to, inside the cache; -1: none. */
static int open_linked(int cache, const char *link)
{
	struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};

	return (int)syscall(SYS_openat2, cache, link, &how, sizeof(how));
}

static void link_of(const struct pd_build_id *id, char ret[LINK_LEN])
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id->data, id->size, hex);
	snprintf(ret, LINK_LEN, LINKS "/%.2s/%s", hex, hex + 2);
}

static bool folder_has(int folder, const char *name)
{
	struct stat st;

	return !fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISREG(st.st_mode) &&
	       st.st_size;
}

bool cache_store_has(int cache, const struct pd_build_id *id, const char *role)
{
	char link[LINK_LEN];
	bool has;
	int fd;

	if (id->size < MIN_ID)
		return false;
	link_of(id, link);
	fd = open_linked(cache, link);
	if (fd < 0)
		return false;
	has = folder_has(fd, role);
	close(fd);
	return has;
}

/* True for a name that can be a path below the cache as it is. */
static bool is_plain_path(const char *path)
{
	const char *p = path;

	if (*p != '/' || strlen(path) > MAX_PATH_LEN)
		return false;
	while (*p == '/') {
		const char *name = ++p;
		size_t n = strcspn(name, "/");

		if (!n || n > MAX_NAME || (n <= 2 && !memcmp(name, "..", n)) ||
		    (name == path + 1 && n == strlen(LINKS) && !memcmp(name, LINKS, n)))
			return false;
		for (; p < name + n; p++)
			if ((u8)*p < ' ' || *p == 0x7f)
				return false;
	}
	return true;
}

/* Returns the folder of an object in the cache without a leading slash, malloc'd. */
static char *folder_of(const char *path, const struct pd_build_id *id)
{
	char hex[BUILD_ID_HEX];

	build_id_hex(id->data, id->size, hex);
	if (!is_plain_path(path))
		return xasprintf(ODD_NAME "/%s", hex);
	return xasprintf("%s/%s", path + 1, hex);
}

/*
 * Makes the folders of a path below `at` and returns the last one's descriptor. A link is not
 * followed. Returns PERR_IO if a folder cannot be made, or is something else.
 */
static int make_folders(int at, const char *path, struct perr *e)
{
	int fd = fcntl(at, F_DUPFD_CLOEXEC, 0), next;

	while (fd >= 0 && *path) {
		size_t n = strcspn(path, "/");
		char *name = xstrndup(path, n);

		next = -1;
		if (!mkdirat(fd, name, 0755) || errno == EEXIST)
			next = openat(fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		free(name);
		close(fd);
		fd = next;
		path += n;
		path += *path == '/';
	}
	return fd < 0 ? perr_io(e, "build-id cache: folder %s", path) : fd;
}

static int copy_by_reading(int to, int from, u64 n, _Atomic u64 *progress)
{
	char *buf = xmalloc(COPY_BYTES);
	u64 at = 0;

	while (at < n) {
		size_t want = n - at < COPY_BYTES ? (size_t)(n - at) : COPY_BYTES;
		ssize_t got = pread(from, buf, want, (off_t)at), put = 0;

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		while (put < got) {
			ssize_t w = write(to, buf + put, (size_t)(got - put));

			if (w < 0 && errno == EINTR)
				continue;
			if (w <= 0)
				goto out;
			put += w;
		}
		at += (u64)got;
		if (progress)
			++*progress;
	}
out:
	free(buf);
	return at == n ? 0 : -1;
}

static int copy_bytes(int to, int from, u64 n, _Atomic u64 *progress)
{
	loff_t at = 0;
	u64 left = n;

	if (!ioctl(to, FICLONE, from))
		return ftruncate(to, (off_t)n);
	while (left) {
		size_t want = left < COPY_BYTES ? (size_t)left : COPY_BYTES;
		ssize_t got = copy_file_range(from, &at, to, NULL, want, 0);

		if (got <= 0)
			break;
		left -= (u64)got;
		if (progress)
			++*progress;
	}
	if (!left)
		return 0;
	if (left == n)
		return copy_by_reading(to, from, n, progress);
	return -1;
}

/* Writes the copy under a name of its own, then renames it to `role`. */
static int write_copy(int folder, const char *role, int fd, u64 n, _Atomic u64 *progress,
		      struct perr *e)
{
	char temp[64];
	struct stat st;
	int to, rc = 0;

	snprintf(temp, sizeof(temp), ".%s.%d", role, (int)getpid());
	unlinkat(folder, temp, 0);
	to = openat(folder, temp, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (to < 0)
		return perr_io(e, "build-id cache: %s", temp);
	if (fstat(fd, &st) || copy_bytes(to, fd, n, progress) ||
	    fchmod(to, (st.st_mode & 0555) | 0400 | S_IWUSR) ||
	    renameat(folder, temp, folder, role))
		rc = perr_io(e, "build-id cache: copy to %s", role);
	close(to);
	if (rc)
		unlinkat(folder, temp, 0);
	return rc;
}

/* Makes .build-id/xx/rest lead to the folder of an object, in place of a link that leads nowhere.
 */
static int make_link(int cache, const struct pd_build_id *id, const char *folder, struct perr *e)
{
	char link[LINK_LEN];
	char *rest, *target = xasprintf("../../%s", folder);
	int dir, rc = 0;

	link_of(id, link);
	rest = strrchr(link, '/');
	*rest++ = '\0';
	dir = make_folders(cache, link, e);
	if (dir < 0) {
		rc = dir;
		goto out;
	}
	if (symlinkat(target, dir, rest) &&
	    (errno != EEXIST || unlinkat(dir, rest, 0) || symlinkat(target, dir, rest)))
		rc = perr_io(e, "build-id cache: link %s/%s", link, rest);
	close(dir);
out:
	free(target);
	return rc;
}

int cache_store_put(int cache, const char *path, const struct pd_build_id *id, const char *role,
		    int fd, u64 n, _Atomic u64 *progress, struct perr *e)
{
	char link[LINK_LEN], *folder;
	bool linked;
	int dir, rc;

	if (id->size < MIN_ID)
		return perr_set(e, PERR_UNSUPPORTED, "build-id cache: build-id of %u bytes",
				id->size);
	folder = folder_of(path, id);
	link_of(id, link);
	dir = open_linked(cache, link);
	linked = dir >= 0;
	if (!linked)
		dir = make_folders(cache, folder, e);
	if (dir < 0) {
		free(folder);
		return dir;
	}
	rc = write_copy(dir, role, fd, n, progress, e);
	if (!rc && !linked)
		rc = make_link(cache, id, folder, e);
	close(dir);
	free(folder);
	return rc;
}
