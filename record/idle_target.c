/* SPDX-License-Identifier: MIT */
#include "record/idle_target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/out.h"
#include "record/host/proc_threads.h"

#define MAX_NAMED 8

/* A process and its parent. */
struct kin {
	s32 pid, ppid;
};

struct kinship {
	struct kin *all;
	size_t nr, cap;
};

static void read_kinship(const char *procfs, struct kinship *ret)
{
	struct tid_list pids = { 0 };
	struct proc_status st;
	char name[16];

	proc_pids_read(procfs, &pids);
	for (size_t i = 0; i < pids.nr; i++) {
		snprintf(name, sizeof(name), "%d", (int)pids.tids[i]);
		if (proc_status_read(procfs, name, &st))
			vec_push(ret->all, ret->nr, ret->cap,
				 ((struct kin){ pids.tids[i], st.ppid }));
	}
	tid_list_fini(&pids);
}

static bool has(const struct tid_list *l, s32 pid)
{
	for (size_t i = 0; i < l->nr; i++)
		if (l->tids[i] == pid)
			return true;
	return false;
}

/* Adds the children of the processes in l, their children, and so on. */
static void add_descendants(const struct kinship *k, struct tid_list *l)
{
	for (size_t i = 0; i < l->nr; i++)
		for (size_t j = 0; j < k->nr; j++)
			if (k->all[j].ppid == l->tids[i] && !has(l, k->all[j].pid))
				vec_push(l->tids, l->nr, l->cap, k->all[j].pid);
}

static void read_targets(const char *text, struct tid_list *ret)
{
	char *end;

	for (;; text = end + 1) {
		long pid = strtol(text, &end, 10);

		if (end == text || pid <= 0 || pid > INT32_MAX)
			return;
		vec_push(ret->tids, ret->nr, ret->cap, (s32)pid);
		if (*end != ',')
			return;
	}
}

static void tell(const struct rec_opts *o, const struct tid_list *l, size_t nr_targets)
{
	struct out names, pids;
	char comm[16];

	out_init_mem(&names);
	out_init_mem(&pids);
	for (size_t i = 0; i < l->nr; i++) {
		out_printf(&pids, "%s%d", i ? "," : "", (int)l->tids[i]);
		if (i < nr_targets || i - nr_targets >= MAX_NAMED)
			continue;
		proc_comm_read(o->host.procfs, l->tids[i], comm);
		out_printf(&names, "%s%d (%s)", i > nr_targets ? ", " : "", (int)l->tids[i], comm);
	}
	if (l->nr - nr_targets > MAX_NAMED)
		out_printf(&names, " and %zu more", l->nr - nr_targets - MAX_NAMED);
	out_char(&names, 0);
	out_char(&pids, 0);
	diag_warn(o->diag,
		  "-p %s: no samples: the target did not run. Its children, which ran before, are "
		  "not recorded with it: %s: to record them: -p %s",
		  o->pids, names.buf, pids.buf);
	(void)out_fini(&names);
	(void)out_fini(&pids);
}

void idle_target_tell(const struct rec_opts *o)
{
	struct tid_list l = { 0 };
	struct kinship k = { 0 };
	size_t nr_targets;

	if (!o->pids)
		return;
	read_targets(o->pids, &l);
	nr_targets = l.nr;
	read_kinship(o->host.procfs, &k);
	add_descendants(&k, &l);
	if (l.nr > nr_targets)
		tell(o, &l, nr_targets);
	free(k.all);
	tid_list_fini(&l);
}
