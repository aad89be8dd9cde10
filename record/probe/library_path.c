/* SPDX-License-Identifier: MIT */
#include "record/probe/library_path.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "symbols/elf/object.h"
#include "symbols/elf/readfile.h"

#define CACHE "/etc/ld.so.cache"
#define CACHE_MAX ((size_t)64 << 20)

/*
 * Layout of ld.so.cache since glibc 2.2. Older versions put it behind a table of another layout;
 * offsets count from the start of this part in both cases.
 *
 *	char magic[20]; u32 nr, strings_len; u8 flags, pad[3]; u32 extension, unused[3];
 *	{ s32 flags; u32 name, path; u32 os_version; u64 hwcap; } [nr]
 */
#define CACHE_MAGIC "glibc-ld.so.cache1.1"
#define CACHE_HEAD 48
#define CACHE_ENTRY 24

static const char *cache_string(struct span c, u32 off)
{
	if (off >= c.n || !memchr(c.p + off, 0, c.n - off))
		return NULL;
	return (const char *)c.p + off;
}

static bool is_named(const char *library, const char *name)
{
	size_t n = strlen(name);

	return !strncmp(library, name, n) && (!library[n] || !strncmp(library + n, ".so", 3));
}

const char *library_cache_next(struct span cache, const char *name, size_t *i)
{
	const u8 *start =
		cache.n ? memmem(cache.p, cache.n, CACHE_MAGIC, strlen(CACHE_MAGIC)) : NULL;
	struct span c;
	size_t nr;

	if (!start)
		return NULL;
	c = span_of(start, cache.n - (size_t)(start - cache.p));
	if (c.n < CACHE_HEAD)
		return NULL;
	nr = get_u32(c.p + 20, false);
	if (nr > (c.n - CACHE_HEAD) / CACHE_ENTRY)
		nr = (c.n - CACHE_HEAD) / CACHE_ENTRY;
	while (*i < nr) {
		const u8 *entry = c.p + CACHE_HEAD + (*i)++ * CACHE_ENTRY;
		const char *library = cache_string(c, get_u32(entry + 4, false));
		const char *path = cache_string(c, get_u32(entry + 8, false));

		if (library && path && is_named(library, name))
			return path;
	}
	return NULL;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

/*
 * Returns true for a library of this program's word size; the cache lists libraries of others too.
 */
static bool is_native(const char *path)
{
	struct object *o;
	bool ret;

	if (!is_file(path) || object_open(path, &o, NULL))
		return false;
	ret = o->is_64 == (sizeof(void *) == 8) && !o->swap;
	object_close(o);
	return ret;
}

static char *find_in_cache(const char *name)
{
	char *ret = NULL;
	const char *path;
	size_t n, i = 0;
	void *bytes;

	if (read_file(CACHE, CACHE_MAX, &bytes, &n, NULL))
		return NULL;
	while (!ret && (path = library_cache_next(span_of(bytes, n), name, &i)))
		if (is_native(path))
			ret = xstrdup(path);
	free(bytes);
	return ret;
}

/* Searches the folders of a list that ':' separates. */
static char *find_in_folders(const char *folders, const char *name)
{
	while (*folders) {
		size_t n = strcspn(folders, ":");
		char *path = xasprintf("%.*s/%s", (int)n, folders, name);

		if (n && is_native(path))
			return path;
		free(path);
		folders += n;
		folders += *folders == ':';
	}
	return NULL;
}

int library_path_find(const char *name, char **ret, struct perr *e)
{
	char *found = NULL;
	const char *path_env = getenv("PATH");

	if (!strchr(name, '/') && !is_file(name)) {
		found = find_in_cache(name);
		if (!found)
			found = find_in_folders("/lib64:/usr/lib64:/lib:/usr/lib:/usr/local/lib",
						name);
		if (!found && path_env)
			found = find_in_folders(path_env, name);
		if (!found)
			return perr_set(
				e, PERR_NOTFOUND,
				"%s: not found in the current folder, the dynamic linker's cache "
				"or PATH: specify its path",
				name);
	}
	*ret = realpath(found ? found : name, NULL);
	free(found);
	if (*ret)
		return 0;
	if (errno == ENOENT || errno == ENOTDIR)
		return perr_set(e, PERR_NOTFOUND, "%s: no such file", name);
	return perr_io(e, "%s", name);
}
