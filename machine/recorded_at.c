/* SPDX-License-Identifier: MIT */
#include "machine/recorded_at.h"

#include "base/mem.h"

struct recorded_process recorded_process(const struct machine *mc, const struct process *p)
{
	return (struct recorded_process){
		.pid = p->pid, .before = mc->cfg.mtime, .pid_ns = p->pid_ns, .mount_ns = p->mount_ns
	};
}

char *recorded_beside(const struct machine *mc, const char *name)
{
	const char *path = mc->cfg.path, *slash;

	if (!path || !strcmp(path, "-"))
		return NULL;
	slash = strrchr(path, '/');
	if (!slash)
		return xstrdup(name);
	return xasprintf("%.*s/%s", (int)(slash - path), path, name);
}
