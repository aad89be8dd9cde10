/* SPDX-License-Identifier: MIT */
#include "record/live/live_files.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/object.h"

/* Of short-lived processes, the file of one that is gone may be that of the next one as well. */
#define MAX_FAILURES 16

/*
 * Devices with the major number 0 belong to no disk. Of btrfs and overlayfs, stat() shows another
 * one than the kernel records.
 */
static bool same_device(const struct dso_desc *d, dev_t dev)
{
	if (!d->dev_maj || !major(dev))
		return true;
	return major(dev) == d->dev_maj && minor(dev) == d->dev_min;
}

/* Takes the descriptor. Returns the file if it is the recorded one. */
static struct object *take_fd(int fd, const struct dso_desc *d)
{
	struct object *o = NULL;
	char path[40];
	struct stat st;
	struct perr e;
	bool same;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	same = !fstat(fd, &st) &&
	       (d->build_id_size || (st.st_ino == d->ino && same_device(d, st.st_dev)));
	if (!same || object_open(path, &o, &e))
		o = NULL;
	close(fd);
	if (o && d->build_id_size &&
	    !build_id_equal(d->build_id, d->build_id_size, o->build_id, o->build_id_size)) {
		object_close(o);
		o = NULL;
	}
	return o;
}

static struct object *open_path(const char *path, const char *root, const struct dso_desc *d)
{
	const struct file_rules rules = { .root = root };
	int fd;

	if (regular_file_open(path, root ? &rules : NULL, &fd) != FILE_FINE)
		return NULL;
	return take_fd(fd, d);
}

static struct object *open_mapped(const struct live_files *f, const struct live_process *p,
				  const struct dso *dso)
{
	const struct dso_desc *d = dso_get_desc(dso);
	struct object *o = NULL;
	char *path;

	for (size_t i = 0; !o && i < p->maps->nr; i++) {
		const struct map *m = p->maps->maps[i];

		if (m->dso != dso)
			continue;
		path = xasprintf("%s/%u/map_files/%" PRIx64 "-%" PRIx64, f->procfs, p->pid,
				 m->start, m->end);
		o = open_path(path, NULL, d);
		free(path);
	}
	return o;
}

static struct object *open_in_root(const struct live_files *f, u32 pid, const struct dso_desc *d)
{
	char *root = xasprintf("%s/%u/root", f->procfs, pid);
	char *path = xasprintf("%s%s", root, d->name);
	struct object *o = open_path(path, root, d);

	free(path);
	free(root);
	return o;
}

static struct object *open_anywhere(struct live_files *f, const struct dso *dso)
{
	const struct dso_desc *d = dso_get_desc(dso);
	struct object *o = NULL;

	for (size_t i = 0; !o && i < f->nr; i++)
		if (f->processes[i].maps)
			o = open_mapped(f, &f->processes[i], dso);
	if (d->name[0] != '/' || recorded_path_check(d->name) != FILE_FINE)
		return o;
	for (size_t i = 0; !o && i < f->nr; i++)
		o = open_in_root(f, f->processes[i].pid, d);
	return o ? o : open_path(d->name, NULL, d);
}

static struct object *open_code(void *ctx, const struct dso *dso)
{
	struct live_files *f = ctx;
	u32 number = dso_get_number(dso), failures = idmap_get(&f->failures, number, 0);
	struct object *o;

	if (failures == IDMAP_NONE)
		failures = 0;
	if (failures >= MAX_FAILURES)
		return NULL;
	o = open_anywhere(f, dso);
	if (o)
		f->nr_opened++;
	else
		idmap_put(&f->failures, number, 0, failures + 1);
	f->nr_missing += !o;
	return o;
}

struct code_opener live_files_init(struct live_files *f, const char *procfs)
{
	*f = (struct live_files){ .procfs = procfs };
	return (struct code_opener){ f, open_code };
}

void live_files_fini(struct live_files *f)
{
	idmap_fini(&f->failures);
}
