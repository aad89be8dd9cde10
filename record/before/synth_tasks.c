/* SPDX-License-Identifier: MIT */
#include "record/before/synth_tasks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/before/synth_maps.h"

/* The fields of /proc/PID/status that are needed of one thread. */
struct task_status {
	char comm[16];
	s32 tgid, ppid;
	u32 nr_threads;
	/* it has maps; false for kernel threads and for threads that have ended */
	bool has_memory;
};

/* Copies the name in a status file, where newline and backslash are escaped. */
static void copy_comm(struct span text, char ret[16])
{
	size_t n = 0;

	for (size_t i = 0; i < text.n && n < 15; i++) {
		char c = (char)text.p[i];

		if (c == '\\' && i + 1 < text.n) {
			c = (char)text.p[++i];
			if (c == 'n')
				c = '\n';
		}
		ret[n++] = c;
	}
	ret[n] = 0;
}

static bool field_value(struct span line, const char *field, struct span *ret)
{
	size_t n = strlen(field);

	if (line.n < n || memcmp(line.p, field, n))
		return false;
	while (n < line.n && (line.p[n] == '\t' || line.p[n] == ' '))
		n++;
	*ret = span_of(line.p + n, line.n - n);
	return true;
}

/* Converts a number at the start of v. Reading on past v is safe: s->buf ends in a NUL. */
static s32 field_number(struct span v)
{
	return v.n ? (s32)strtol((const char *)v.p, NULL, 10) : 0;
}

/* Reads the status of a thread. Returns false if the thread has ended. */
static bool read_status(struct synth *s, s32 pid, s32 tid, struct task_status *ret)
{
	struct task_status st = { .tgid = -1 };
	struct span text, line, v;
	char path[64];
	ssize_t n;

	if (pid == tid || pid < 0)
		snprintf(path, sizeof(path), "%d/status", tid);
	else
		snprintf(path, sizeof(path), "%d/task/%d/status", pid, tid);
	n = synth_read_proc(s, path);
	if (n <= 0)
		return false;
	text = span_of(s->buf, (size_t)n);
	while (synth_next_line(&text, &line)) {
		if (field_value(line, "Name:", &v)) {
			copy_comm(v, st.comm);
		} else if (field_value(line, "Tgid:", &v)) {
			st.tgid = field_number(v);
		} else if (field_value(line, "PPid:", &v)) {
			st.ppid = field_number(v);
		} else if (field_value(line, "VmSize:", &v)) {
			st.has_memory = true;
		} else if (field_value(line, "Threads:", &v)) {
			st.nr_threads = (u32)field_number(v);
			break;
		}
	}
	if (st.tgid <= 0)
		return false;
	*ret = st;
	return true;
}

static void put_namespaces(struct synth *s, s32 pid, s32 tid)
{
	/* in the order of the kernel's NAMESPACES record */
	static const char *const names[] = { "net", "uts", "ipc", "pid", "user", "mnt", "cgroup" };
	struct pd_ns_link links[ARRAY_SIZE(names)] = { 0 };

	if (!s->o->namespaces)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		char path[64];
		struct stat st;

		snprintf(path, sizeof(path), "%d/ns/%s", tid, names[i]);
		if (!fstatat(s->proc_fd, path, &st, 0))
			links[i] = (struct pd_ns_link){ st.st_dev, st.st_ino };
	}
	pd_put_namespaces(s->out, (u32)pid, (u32)tid, links, ARRAY_SIZE(names), s->trailer);
}

static void put_fork(struct synth *s, s32 tid, const struct task_status *st)
{
	/*
	 * /proc does not show which thread started another, so use its process, as stock perf does.
	 */
	s32 parent = tid == st->tgid ? st->ppid : st->tgid;
	struct pd_task t = {
		.pid = (u32)st->tgid,
		.tid = (u32)tid,
		.ppid = (u32)parent,
		.ptid = (u32)parent,
	};

	/*
	 * PD_MISC_FORK_EXEC keeps readers from copying the parent's maps: the process's own maps
	 * follow.
	 */
	pd_put_fork(s->out, &t, PD_MISC_FORK_EXEC, s->trailer);
}

static void put_comm(struct synth *s, s32 tid, const struct task_status *st)
{
	pd_put_comm(s->out, (u32)st->tgid, (u32)tid, st->comm, 0, s->trailer);
}

static void put_maps(struct synth *s, s32 pid, s32 tid)
{
	if (!s->o->synth_mmap_off)
		synth_maps(s, pid, tid);
}

/* Returns the number that a folder name below /proc consists of, else -1. */
static s32 id_of_name(const char *name)
{
	s64 v = 0;

	for (; *name; name++) {
		if (*name < '0' || *name > '9' || v > INT32_MAX)
			return -1;
		v = v * 10 + (*name - '0');
	}
	return v > 0 && v <= INT32_MAX ? (s32)v : -1;
}

static DIR *open_folder(struct synth *s, const char *rest)
{
	int fd = s->proc_fd < 0 ? -1 : openat(s->proc_fd, rest, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);

	if (fd >= 0 && !d)
		close(fd);
	return d;
}

static void put_thread(struct synth *s, s32 tid, const struct task_status *st)
{
	put_fork(s, tid, st);
	put_namespaces(s, st->tgid, tid);
	put_comm(s, tid, st);
}

static void put_process(struct synth *s, s32 pid)
{
	struct task_status leader;
	bool has_maps;
	struct dirent *ent;
	char path[64];
	DIR *d;

	if (!read_status(s, pid, pid, &leader) || leader.tgid != pid)
		return;
	put_thread(s, pid, &leader);
	has_maps = leader.has_memory;
	if (has_maps)
		put_maps(s, pid, pid);
	if (leader.nr_threads == 1)
		return;
	snprintf(path, sizeof(path), "%d/task", pid);
	d = open_folder(s, path);
	while (d && (ent = readdir(d))) {
		struct task_status st;
		s32 tid = id_of_name(ent->d_name);

		if (tid < 0 || tid == pid || !read_status(s, pid, tid, &st) || st.tgid != pid)
			continue;
		put_thread(s, tid, &st);
		/*
		 * If the main thread has ended, its maps file is empty; read the maps through
		 * another thread.
		 */
		if (!has_maps && st.has_memory) {
			put_maps(s, pid, tid);
			has_maps = true;
		}
	}
	if (d)
		closedir(d);
}

void synth_all_tasks(struct synth *s)
{
	DIR *d = open_folder(s, ".");
	struct dirent *ent;

	while (d && (ent = readdir(d))) {
		s32 pid = id_of_name(ent->d_name);

		if (pid > 0)
			put_process(s, pid);
	}
	if (d)
		closedir(d);
}

static void put_comm_and_namespaces(struct synth *s, s32 tid, const struct task_status *st)
{
	put_comm(s, tid, st);
	put_namespaces(s, st->tgid, tid);
}

/* Records that have been written for one process while the threads of a target are handled. */
struct process_state {
	s32 pid;
	bool leader_done, maps_done;
};

static struct process_state *process_of(struct process_state **items, size_t *nr, size_t *cap,
					struct idmap *by_pid, s32 pid)
{
	u32 i = idmap_get(by_pid, (u64)pid, 0);

	if (i == IDMAP_NONE) {
		i = (u32)*nr;
		vec_push(*items, *nr, *cap, ((struct process_state){ .pid = pid }));
		idmap_put(by_pid, (u64)pid, 0, i);
	}
	return &(*items)[i];
}

void synth_target_tasks(struct synth *s, const struct rec_target *t)
{
	struct process_state *items = NULL;
	size_t nr = 0, cap = 0;
	struct idmap by_pid = { 0 }, in_target = { 0 };

	for (size_t i = 0; i < t->nr_threads; i++)
		idmap_put(&in_target, (u64)t->threads[i].tid, 0, 0);
	for (size_t i = 0; i < t->nr_threads; i++) {
		const struct rec_thread *th = &t->threads[i];
		struct process_state *p;
		struct task_status st, leader;

		if (th->tid <= 0 || !read_status(s, th->pid > 0 ? th->pid : -1, th->tid, &st))
			continue;
		p = process_of(&items, &nr, &cap, &by_pid, st.tgid);
		put_comm_and_namespaces(s, th->tid, &st);
		if (th->tid != st.tgid && !p->leader_done &&
		    idmap_get(&in_target, (u64)st.tgid, 0) == IDMAP_NONE &&
		    read_status(s, st.tgid, st.tgid, &leader))
			put_comm_and_namespaces(s, st.tgid, &leader);
		/* If the main thread is in the target, it comes first, and its maps with it. */
		p->leader_done = true;
		if (!p->maps_done && st.has_memory) {
			put_maps(s, st.tgid, th->tid);
			p->maps_done = true;
		}
	}
	free(items);
	idmap_fini(&by_pid);
	idmap_fini(&in_target);
}

void synth_workload(struct synth *s, s32 pid)
{
	struct task_status st;

	if (pid > 0 && read_status(s, pid, pid, &st))
		put_comm_and_namespaces(s, pid, &st);
}
