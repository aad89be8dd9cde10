/* SPDX-License-Identifier: MIT */
#include "record/before/synth_map_id.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "symbols/elf/build_id_file.h"

/* Layout of struct procmap_query in the kernel's linux/fs.h, which older kernel headers lack. */
struct map_query {
	u64 size;
	u64 query_flags; /* 0: the mapping that holds query_addr */
	u64 query_addr;
	u64 vma_start, vma_end, vma_flags, vma_page_size, vma_offset;
	u64 inode;
	u32 dev_major, dev_minor;
	u32 vma_name_size, build_id_size;
	u64 vma_name_addr, build_id_addr;
};
static_assert(sizeof(struct map_query) == 104, "layout of struct procmap_query");
#define MAP_QUERY _IOWR('f', 17, struct map_query)

static bool ask_kernel(struct synth *s, int maps_fd, const struct maps_line *m,
		       struct pd_build_id *ret)
{
	u8 id[20] = { 0 };
	struct map_query q = {
		.size = sizeof(q),
		.query_addr = m->start,
		.build_id_size = sizeof(id),
		.build_id_addr = (u64)(uintptr_t)id,
	};

	if (!s->ask_kernel)
		return false;
	if (ioctl(maps_fd, MAP_QUERY, &q) < 0) {
		if (errno == ENOTTY || errno == EINVAL)
			s->ask_kernel = false;
		return false;
	}
	/* The process may have replaced the mapping since its line was read. */
	if (q.inode != m->ino || q.dev_major != m->maj || q.dev_minor != m->min)
		return false;
	if (q.build_id_size)
		pd_build_id_set(ret, id, q.build_id_size);
	return true;
}

/* Returns true if fd is open on the mapped file, false if another file has taken its name. */
static bool is_mapped_file(int fd, const struct maps_line *m)
{
	struct stat st;

	/*
	 * Device numbers are not compared: on btrfs and overlayfs stat and maps show different
	 * ones.
	 */
	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_ino == m->ino;
}

static void read_file_of_map(struct synth *s, s32 pid, const struct maps_line *m, struct span name,
			     struct pd_build_id *ret)
{
	const int how = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	char path[4400];
	u8 id[20];
	size_t n;
	int fd;

	snprintf(path, sizeof(path), "%d/map_files/%llx-%llx", pid, (unsigned long long)m->start,
		 (unsigned long long)m->end);
	fd = openat(s->proc_fd, path, how);
	if (fd < 0) {
		/* Opening a device file can have side effects. */
		if (name.n > 5 && !memcmp(name.p, "/dev/", 5))
			return;
		snprintf(path, sizeof(path), "%d/root%.*s", pid, (int)name.n, name.p);
		fd = openat(s->proc_fd, path, how);
		if (fd < 0)
			return;
	}
	if (is_mapped_file(fd, m)) {
		n = build_id_of_fd(fd, id);
		if (n)
			pd_build_id_set(ret, id, n);
	}
	close(fd);
}

const struct pd_build_id *synth_map_id(struct synth *s, s32 pid, int maps_fd,
				       const struct maps_line *m, struct span name)
{
	u64 dev = (u64)m->maj << 32 | m->min;
	u32 i = idmap_get(&s->id_of_file, dev, m->ino);
	struct pd_build_id id = { 0 };

	if (i != IDMAP_NONE)
		return &s->ids[i];
	if (!ask_kernel(s, maps_fd, m, &id) || !id.size)
		read_file_of_map(s, pid, m, name, &id);
	i = (u32)s->nr_ids;
	vec_push(s->ids, s->nr_ids, s->cap_ids, id);
	idmap_put(&s->id_of_file, dev, m->ino, i);
	return &s->ids[i];
}
