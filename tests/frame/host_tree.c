/* SPDX-License-Identifier: MIT */
#include "tests/frame/host_tree.h"

#include "base/mem.h"

void host_tree_init(struct host_tree *t)
{
	t->tree = fake_tree_new();
	fake_folder(&t->tree, "sys");
	fake_folder(&t->tree, "proc");
	fake_folder(&t->tree, "tracing");
	t->sysfs = xasprintf("%s/sys", t->tree.root);
	t->procfs = xasprintf("%s/proc", t->tree.root);
	t->tracefs = xasprintf("%s/tracing", t->tree.root);
	t->host = (struct rec_host){
		.sysfs = t->sysfs,
		.procfs = t->procfs,
		.tracefs = t->tracefs,
	};
}

void host_tree_fini(struct host_tree *t)
{
	fake_tree_free(&t->tree);
	free(t->sysfs);
	free(t->procfs);
	free(t->tracefs);
}

void host_tree_pmu(struct host_tree *t, const char *pmu, const char *rest, const char *text)
{
	char *path = xasprintf("sys/bus/event_source/devices/%s/%s", pmu, rest);

	fake_file(&t->tree, path, "%s\n", text);
	free(path);
}

void host_tree_tracepoint(struct host_tree *t, const char *system, const char *name, u32 id)
{
	char *path = xasprintf("tracing/events/%s/%s/id", system, name);

	fake_file(&t->tree, path, "%u\n", id);
	free(path);
}
