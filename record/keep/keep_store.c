/* SPDX-License-Identifier: MIT */
/* Chooses the objects that are copied into the build-id cache, and copies them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/keep/cache_store.h"
#include "record/keep/content_id.h"
#include "record/keep/keep_priv.h"
#include "symbols/elf/build_id_file.h"

enum role { ROLE_ELF, ROLE_DEBUG };

/* A file to be copied. */
struct candidate {
	struct kept_object *object;
	enum role role;
	int fd;
	bool owned; /* fd was opened for this and is closed afterwards */
	u64 size, weight;
};

struct candidates {
	struct candidate *items;
	size_t nr, cap;
};

/*
 * Returns true if fd is open on an object without a build-id: an inode of another namespace is
 * compared with its device, which the records of some file systems do not have.
 */
static bool is_same_file(const struct keep_objects *o, const struct kept_object *k, int fd)
{
	struct stat here, there;

	if (k->fd >= 0)
		return !fstat(fd, &here) && !fstat(k->fd, &there) && here.st_dev == there.st_dev &&
		       here.st_ino == there.st_ino;
	return k->root < o->files.nr && o->files.roots[k->root].own_ns && keep_is_object(k, fd);
}

/* Returns true if `path` names the file that is held open: its build-id need not be read again. */
static bool is_held_file(const struct kept_object *k, const char *path)
{
	struct stat here, there;

	return k->fd >= 0 && !stat(path, &here) && !fstat(k->fd, &there) &&
	       here.st_dev == there.st_dev && here.st_ino == there.st_ino;
}

/* Returns true if this host has the object at its recorded path. */
static bool host_has(const struct keep_objects *o, const struct kept_object *k)
{
	char *path;
	bool has;
	int fd;

	if (k->file.kind == KEEP_JIT_MAP)
		return false;
	path = keep_path(k);
	if (is_held_file(k, path)) {
		free(path);
		return true;
	}
	fd = process_files_open_host(path);
	has = fd >= 0 && (k->file.id.size ? keep_is_object(k, fd) : is_same_file(o, k, fd));
	if (fd >= 0)
		close(fd);
	free(path);
	return has;
}

static void add_candidate(struct candidates *c, struct candidate d)
{
	struct stat st;

	if (fstat(d.fd, &st) || st.st_size <= 0) {
		if (d.owned)
			close(d.fd);
		return;
	}
	d.size = (u64)st.st_size;
	vec_push(c->items, c->nr, c->cap, d);
}

static void add_object(struct keep_objects *o, struct kept_object *k, u64 weight,
		       struct candidates *c)
{
	struct candidate d = { .object = k, .role = ROLE_ELF, .fd = k->fd, .weight = weight };
	u8 id[20];
	size_t n;

	/* A JIT's map may have been replaced since it was opened. */
	if (k->root != NO_ROOT && (d.fd < 0 || k->file.kind == KEEP_JIT_MAP)) {
		int again = k->file.kind == KEEP_FILE ? keep_open_below(o, k, k->root)
			    : k->found                ? keep_open_jit_map(o, k)
						      : -1;

		d.owned = again >= 0;
		d.fd = d.owned ? again : d.fd;
	}
	if (d.fd >= 0) {
		n = k->id.size || k->file.kind == KEEP_JIT_MAP ? 0 : build_id_of_fd(d.fd, id);
		if (n)
			pd_build_id_set(&k->id, id, n);
		add_candidate(c, d);
	}
	if (k->debug_fd >= 0)
		add_candidate(c, (struct candidate){ .object = k,
						     .role = ROLE_DEBUG,
						     .fd = k->debug_fd,
						     .weight = weight });
}

/* Objects before debug files, then those of the most samples, then small ones. */
static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->role != y->role)
		return x->role < y->role ? -1 : 1;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->size < y->size ? -1 : x->size > y->size;
}

/* Returns the name by which readers find an object that has no build-id, malloc'd. */
static char *entry_name(const struct kept_object *k)
{
	char *path = keep_path(k), *name;

	if (k->file.kind == KEEP_JIT_MAP)
		name = xasprintf("/proc/%d/root%s", k->file.pid, path);
	else
		name = xasprintf("/inode/%x:%x:%" PRIu64 ":%" PRIu64 "%s", k->file.maj, k->file.min,
				 k->file.ino, k->file.generation, path);
	free(path);
	return name;
}

/* Sets the id under which the cache has an object without a build-id in the recording's entries. */
static void set_entry(struct keep_objects *o, const struct kept_object *k,
		      const struct pd_build_id *id)
{
	struct keep_entry e = { entry_name(k), *id };

	for (size_t i = 0; i < o->nr_entries; i++)
		if (!strcmp(o->entries[i].name, e.name)) {
			o->entries[i].id = *id;
			free(e.name);
			return;
		}
	vec_push(o->entries, o->nr_entries, o->cap_entries, e);
}

/* Finds the id under which the cache is to have a candidate. Returns false if it cannot be read. */
static bool id_of(const struct candidate *c, struct pd_build_id *ret)
{
	u8 id[CONTENT_ID_LEN];

	*ret = c->object->id;
	if (ret->size)
		return true;
	if (!content_id_of_fd(c->fd, c->size, id))
		return false;
	pd_build_id_set(ret, id, sizeof(id));
	return true;
}

static int copy_candidate(struct keep_objects *o, int cache, const struct candidate *c,
			  const struct pd_build_id *id, struct perr *e)
{
	const char *role = c->role == ROLE_ELF ? "elf" : "debug";
	char *path = keep_path(c->object);
	int rc = cache_store_put(cache, path, id, role, c->fd, c->size, &o->progress, e);

	free(path);
	if (!rc)
		o->stored += c->size;
	return rc;
}

static void store_one(struct keep_objects *o, int cache, const struct candidate *c, u64 limit,
		      struct keep_report *ret)
{
	struct perr e = { 0 };
	struct pd_build_id id;
	int rc = 0;

	if (c->size > limit || !id_of(c, &id)) {
		ret->nr_over++;
		ret->bytes_over += c->size;
		return;
	}
	if (!cache_store_has(cache, &id, c->role == ROLE_ELF ? "elf" : "debug")) {
		if (c->size > limit - o->stored) {
			ret->nr_over++;
			ret->bytes_over += c->size;
			return;
		}
		rc = copy_candidate(o, cache, c, &id, &e);
	}
	if (rc) {
		if (!ret->nr_failed++)
			ret->why = e;
		return;
	}
	ret->nr_kept++;
	if (!c->object->file.id.size && c->role == ROLE_ELF)
		set_entry(o, c->object, &id);
}

static void store_all(struct keep_objects *o, struct candidates *c,
		      const struct keep_limits *limits, struct keep_report *ret)
{
	struct perr e = { 0 };
	int cache = cache_store_open(limits->cache, &e);

	if (cache < 0) {
		ret->nr_failed = c->nr;
		ret->why = e;
		return;
	}
	qsort(c->items, c->nr, sizeof(*c->items), compare_candidates);
	for (size_t i = 0; i < c->nr; i++)
		store_one(o, cache, &c->items[i], limits->bytes, ret);
	close(cache);
}

void keep_objects_store(struct keep_objects *o, const struct task_hits *hits,
			const struct keep_limits *limits, struct keep_report *ret)
{
	u64 *weights = xcalloc(o->nr + 1, sizeof(*weights));
	struct candidates c = { 0 };

	*ret = (struct keep_report){ 0 };
	for (size_t i = 0; i < hits->nr; i++)
		object_sets_weigh(&o->sets, hits->items[i].pid, hits->items[i].samples, weights);
	for (size_t i = 0; i < o->nr && limits->cache; i++) {
		struct kept_object *k = &o->items[i];

		o->progress++;
		if ((weights[i] || limits->all || !hits->nr) && k->found && !host_has(o, k))
			add_object(o, k, weights[i], &c);
	}
	if (c.nr)
		store_all(o, &c, limits, ret);
	for (size_t i = 0; i < c.nr; i++)
		if (c.items[i].owned)
			close(c.items[i].fd);
	free(c.items);
	free(weights);
}
