/* SPDX-License-Identifier: MIT */
#include "record/host/proc_threads.h"

#include <dirent.h>
#include <stdio.h>

#include "base/mem.h"
#include "record/model/rec_opts.h"

void tid_list_fini(struct tid_list *l)
{
	free(l->tids);
	*l = (struct tid_list){ 0 };
}

static int compare_tids(const void *a, const void *b)
{
	s32 x = *(const s32 *)a, y = *(const s32 *)b;

	return (x > y) - (x < y);
}

void tid_list_sort(struct tid_list *l)
{
	size_t nr = 0;

	if (!l->nr)
		return;
	qsort(l->tids, l->nr, sizeof(*l->tids), compare_tids);
	for (size_t i = 0; i < l->nr; i++)
		if (!nr || l->tids[nr - 1] != l->tids[i])
			l->tids[nr++] = l->tids[i];
	l->nr = nr;
}

bool tid_list_has(const struct tid_list *l, s32 tid)
{
	return l->nr && bsearch(&tid, l->tids, l->nr, sizeof(tid), compare_tids);
}

/* Returns the number that a folder name consists of, 0 for other names. */
static s32 name_number(const char *name)
{
	s64 v = 0;

	for (; *name >= '0' && *name <= '9' && v <= INT32_MAX; name++)
		v = v * 10 + (*name - '0');
	return *name || v > INT32_MAX ? 0 : (s32)v;
}

static bool numbers_in(const char *path, struct tid_list *ret)
{
	DIR *d = opendir(path);
	struct dirent *entry;
	s32 tid;

	if (!d)
		return false;
	while ((entry = readdir(d))) {
		tid = name_number(entry->d_name);
		if (tid > 0)
			vec_push(ret->tids, ret->nr, ret->cap, tid);
	}
	closedir(d);
	tid_list_sort(ret);
	return true;
}

bool proc_tasks_read(const char *procfs, s32 pid, struct tid_list *ret)
{
	char *path = rec_host_path(procfs, "%d/task", (int)pid);
	bool found = numbers_in(path, ret);

	free(path);
	return found && ret->nr;
}

void proc_pids_read(const char *procfs, struct tid_list *ret)
{
	numbers_in(procfs, ret);
}

bool proc_status_read(const char *procfs, const char *task, struct proc_status *ret)
{
	char *path = rec_host_path(procfs, "%s/status", task);
	FILE *f = fopen(path, "re");
	struct proc_status st = { .ruid = UINT32_MAX, .euid = UINT32_MAX };
	unsigned long long caps;
	unsigned int ruid, euid;
	char line[512];
	int v;

	free(path);
	if (!f)
		return false;
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "Tgid: %d", &v) == 1)
			st.tgid = v;
		else if (sscanf(line, "PPid: %d", &v) == 1)
			st.ppid = v;
		else if (sscanf(line, "Uid: %u %u", &ruid, &euid) == 2) {
			st.ruid = ruid;
			st.euid = euid;
		} else if (sscanf(line, "CapEff: %llx", &caps) == 1)
			st.cap_eff = caps;
		else if (sscanf(line, "NoNewPrivs: %d", &v) == 1)
			st.no_new_privs = v != 0;
		else if (sscanf(line, "Seccomp: %d", &v) == 1)
			st.seccomp = v;
	}
	fclose(f);
	if (st.tgid <= 0)
		return false;
	*ret = st;
	return true;
}

void proc_comm_read(const char *procfs, s32 tid, char ret[16])
{
	/* /proc/TID exists for every thread, though listing /proc shows processes only */
	char *path = rec_host_path(procfs, "%d/comm", (int)tid);
	FILE *f = fopen(path, "re");
	size_t n = 0;

	free(path);
	memset(ret, 0, 16);
	if (!f)
		return;
	n = fread(ret, 1, 15, f);
	fclose(f);
	ret[n] = 0;
	ret[strcspn(ret, "\n")] = 0;
}

s32 proc_newest_tid(const char *procfs)
{
	char *path = rec_host_path(procfs, "loadavg");
	FILE *f = fopen(path, "re");
	int tid = 0;

	free(path);
	if (!f)
		return 0;
	if (fscanf(f, "%*s %*s %*s %*s %d", &tid) != 1)
		tid = 0;
	fclose(f);
	return tid > 0 ? tid : 0;
}

bool tid_is_older(s32 tid, s32 mark, s32 newest, s32 pid_max)
{
	s64 since = ((s64)tid - mark + pid_max) % pid_max;
	s64 span = ((s64)newest - mark + pid_max) % pid_max;

	return since == 0 || since > span;
}
