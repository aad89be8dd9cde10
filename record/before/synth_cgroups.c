/* SPDX-License-Identifier: MIT */
#include "record/before/synth_cgroups.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/mem.h"

#define MAX_CGROUPS 1000000

/* Returns word i (from 0) of a line, an empty one if the line has fewer words. */
static struct span word_at(struct span line, int i)
{
	const u8 *p = line.p, *end = p + line.n, *start = p;

	for (; i >= 0; i--) {
		while (p < end && *p == ' ')
			p++;
		start = p;
		while (p < end && *p != ' ')
			p++;
	}
	return span_of(start, (size_t)(p - start));
}

static bool span_equals(struct span s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.p, text, s.n);
}

static bool has_option(struct span options, const char *text)
{
	const u8 *p = options.p, *end = p + options.n;

	while (p < end) {
		const u8 *comma = memchr(p, ',', (size_t)(end - p));
		const u8 *stop = comma ? comma : end;

		if (span_equals(span_of(p, (size_t)(stop - p)), text))
			return true;
		p = stop + (comma != NULL);
	}
	return false;
}

/* Returns the mount point of the cgroup hierarchy, malloc'd, or NULL. */
static char *find_mount(struct synth *s)
{
	ssize_t n = synth_read_proc(s, "mounts");
	struct span text, line, v2 = { 0 };

	if (n <= 0)
		return NULL;
	text = span_of(s->buf, (size_t)n);
	while (synth_next_line(&text, &line)) {
		struct span type = word_at(line, 2);

		if (span_equals(type, "cgroup") && has_option(word_at(line, 3), "perf_event")) {
			line = word_at(line, 1);
			return xstrndup((const char *)line.p, line.n);
		}
		if (span_equals(type, "cgroup2") && !v2.n)
			v2 = word_at(line, 1);
	}
	return v2.n ? xstrndup((const char *)v2.p, v2.n) : NULL;
}

/* Returns the kernel's id of a cgroup, which is its file handle; 0 if it cannot be read. */
static u64 cgroup_id(const char *path)
{
	u64 bytes[(sizeof(struct file_handle) + 8 + 7) / 8] = { 0 };
	struct file_handle *handle = (struct file_handle *)bytes;
	struct stat st;
	int mount_id;
	u64 id;

	handle->handle_bytes = sizeof(id);
	if (!name_to_handle_at(AT_FDCWD, path, handle, &mount_id, 0) &&
	    handle->handle_bytes == sizeof(id)) {
		memcpy(&id, handle->f_handle, sizeof(id));
		return id;
	}
	return stat(path, &st) ? 0 : st.st_ino;
}

struct folder_list {
	char **paths;
	size_t nr, cap;
};

static void add_children(struct folder_list *l, const char *folder)
{
	DIR *d = opendir(folder);
	struct dirent *ent;

	while (d && l->nr < MAX_CGROUPS && (ent = readdir(d))) {
		if (ent->d_type != DT_DIR || !strcmp(ent->d_name, ".") ||
		    !strcmp(ent->d_name, ".."))
			continue;
		vec_push(l->paths, l->nr, l->cap, xasprintf("%s/%s", folder, ent->d_name));
	}
	if (d)
		closedir(d);
}

void synth_cgroups(struct synth *s)
{
	char *root = find_mount(s);
	struct folder_list l = { 0 };
	size_t root_len;

	if (!root) {
		diag_warn(s->o->diag,
			  "--all-cgroups: no cgroup file system is mounted: cgroups that exist "
			  "already "
			  "get no names");
		return;
	}
	root_len = strlen(root);
	vec_push(l.paths, l.nr, l.cap, root);
	for (size_t i = 0; i < l.nr; i++) {
		u64 id = cgroup_id(l.paths[i]);

		if (id)
			pd_put_cgroup(s->out, id, i ? l.paths[i] + root_len : "/", s->trailer);
		add_children(&l, l.paths[i]);
	}
	for (size_t i = 0; i < l.nr; i++)
		free(l.paths[i]);
	free(l.paths);
}
