/* SPDX-License-Identifier: MIT */
#include "record/keep/keep_objects.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/keep/debug_file.h"
#include "record/keep/keep_priv.h"
#include "symbols/elf/build_id_file.h"

#define MAX_TRIES 8 /* processes that are tried to find one object */
#define MAX_OTHER_ROOTS 32

void keep_objects_init(struct keep_objects *o, const char *procfs, size_t max_held)
{
	*o = (struct keep_objects){ .max_held = max_held };
	process_files_init(&o->files, procfs);
}

void keep_objects_fini(struct keep_objects *o)
{
	for (size_t i = 0; i < o->nr; i++) {
		if (o->items[i].fd >= 0)
			close(o->items[i].fd);
		if (o->items[i].debug_fd >= 0)
			close(o->items[i].debug_fd);
	}
	for (size_t i = 0; i < o->nr_entries; i++)
		free(o->entries[i].name);
	free(o->entries);
	free(o->items);
	object_sets_fini(&o->sets);
	idmap_fini(&o->root_of);
	process_files_fini(&o->files);
}

void keep_objects_add(struct keep_objects *o, const struct keep_file *f)
{
	struct kept_object k = {
		.file = *f, .id = f->id, .root = NO_ROOT, .fd = -1, .debug_fd = -1
	};

	vec_push(o->items, o->nr, o->cap, k);
}

/* Returns the root directory of a process, also of one that has ended; NO_ROOT if it is unknown. */
static u32 root_of(struct keep_objects *o, s32 pid)
{
	u32 root = process_files_root(&o->files, pid);

	if (root != NO_ROOT)
		idmap_put(&o->root_of, (u32)pid, 0, root);
	else
		root = idmap_get(&o->root_of, (u32)pid, 0);
	return root == IDMAP_NONE ? NO_ROOT : root;
}

char *keep_path(const struct kept_object *k)
{
	static const char deleted[] = " (deleted)";
	size_t n, cut = sizeof(deleted) - 1;

	if (k->file.kind == KEEP_JIT_MAP)
		return xasprintf("/tmp/perf-%d.map", k->ns_pid);
	n = strlen(k->file.name);
	if (n > cut && !strcmp(k->file.name + n - cut, deleted))
		n -= cut;
	return xstrndup(k->file.name, n);
}

bool keep_is_object(const struct kept_object *k, int fd)
{
	struct pd_build_id id = { 0 };
	u8 bytes[20];
	struct stat st;
	size_t n;

	if (!k->file.id.size)
		return !fstat(fd, &st) && st.st_ino == k->file.ino && k->file.ino;
	n = build_id_of_fd(fd, bytes);
	if (n)
		pd_build_id_set(&id, bytes, n);
	return id.size == k->file.id.size && !memcmp(id.data, k->file.id.data, id.size);
}

/* Returns fd if it is open on the object; else closes it and returns -1. */
static int if_object(const struct kept_object *k, int fd)
{
	if (fd < 0 || keep_is_object(k, fd))
		return fd;
	close(fd);
	return -1;
}

int keep_open_below(const struct keep_objects *o, const struct kept_object *k, u32 root)
{
	char *path = keep_path(k);
	int fd = if_object(k, process_files_open(&o->files, root, path));

	free(path);
	return fd;
}

/* Finds an object that a process has mapped, and the root directory below which it is. */
static int find_file(struct keep_objects *o, struct kept_object *k, s32 pid, u64 start, u64 end)
{
	u32 root = root_of(o, pid);
	int fd = if_object(k, process_files_open_map(&o->files, pid, start, end));

	if (fd < 0 && root != NO_ROOT)
		fd = keep_open_below(o, k, root);
	if (fd < 0)
		fd = if_object(k, process_files_open_exe(&o->files, pid));
	/* The process has ended. Another one with the same files may have been seen. */
	for (u32 i = 0; fd < 0 && root == NO_ROOT && i < o->files.nr && i < MAX_OTHER_ROOTS; i++) {
		fd = keep_open_below(o, k, i);
		if (fd >= 0)
			root = i;
	}
	if (root != NO_ROOT)
		k->root = root;
	return fd;
}

/* Keeps fd open, if that is allowed, else closes it. Returns what is open then: fd or -1. */
static int hold(struct keep_objects *o, const struct kept_object *k, int fd)
{
	struct stat st;

	if (fd >= 0 && o->nr_held < o->max_held && !fstat(fd, &st) &&
	    process_files_may_hold(&o->files, k->root, st.st_dev)) {
		o->nr_held++;
		return fd;
	}
	if (fd >= 0)
		close(fd);
	return -1;
}

static bool is_container(const struct keep_objects *o, u32 root)
{
	return root < o->files.nr && !o->files.roots[root].is_host;
}

static void look_for_file(struct keep_objects *o, struct kept_object *k, s32 pid, u64 start,
			  u64 end)
{
	int fd = find_file(o, k, pid, start, end);
	u8 id[20];
	size_t n;

	if (fd < 0) {
		k->tries++;
		return;
	}
	k->found = true;
	n = k->id.size ? 0 : build_id_of_fd(fd, id);
	if (n)
		pd_build_id_set(&k->id, id, n);
	if (is_container(o, k->root) && k->id.size && o->nr_held < o->max_held) {
		char *path = keep_path(k);

		k->debug_fd = hold(o, k, debug_file_open(&o->files, k->root, path, fd, &k->id));
		free(path);
	}
	k->fd = hold(o, k, fd);
}

int keep_open_jit_map(const struct keep_objects *o, const struct kept_object *k)
{
	char *path = keep_path(k);
	int fd = process_files_open(&o->files, k->root, path);

	free(path);
	return fd;
}

/*
 * The map of a process that sees the host's files is found again by readers, if it is called by the
 * pid that is recorded.
 */
static void look_for_jit_map(struct keep_objects *o, struct kept_object *k)
{
	u32 root = root_of(o, k->file.pid), uid;
	struct stat st;
	int fd;

	if (root == NO_ROOT || !process_files_ns_pid(&o->files, k->file.pid, &k->ns_pid, &uid)) {
		k->tries = MAX_TRIES;
		return;
	}
	k->root = root;
	if (!is_container(o, root) && k->ns_pid == k->file.pid) {
		k->tries = MAX_TRIES;
		return;
	}
	fd = keep_open_jit_map(o, k);
	if (fd >= 0 && !fstat(fd, &st) && (st.st_uid == uid || !st.st_uid)) {
		k->fd = hold(o, k, fd);
		k->found = true;
	} else if (fd >= 0) {
		close(fd);
	}
}

void keep_objects_mapped(struct keep_objects *o, u32 i, s32 pid, u64 start, u64 end)
{
	struct kept_object *k = &o->items[i];

	object_sets_add(&o->sets, pid, i);
	if (k->found || k->tries >= MAX_TRIES)
		return;
	if (k->file.kind == KEEP_FILE) {
		look_for_file(o, k, pid, start, end);
		return;
	}
	look_for_jit_map(o, k);
	if (!k->found && k->tries < MAX_TRIES)
		o->nr_wanted++;
}

void keep_objects_forked(struct keep_objects *o, s32 pid, s32 parent)
{
	u32 root = idmap_get(&o->root_of, (u32)parent, 0);

	if (root != IDMAP_NONE)
		idmap_put(&o->root_of, (u32)pid, 0, root);
	object_sets_fork(&o->sets, pid, parent);
}

void keep_objects_look_again(struct keep_objects *o)
{
	o->nr_wanted = 0;
	for (size_t i = 0; i < o->nr; i++) {
		struct kept_object *k = &o->items[i];

		if (k->file.kind != KEEP_JIT_MAP || k->found || k->tries >= MAX_TRIES)
			continue;
		look_for_jit_map(o, k);
		if (!k->found && k->tries < MAX_TRIES)
			o->nr_wanted++;
	}
}
