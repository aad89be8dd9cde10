/* SPDX-License-Identifier: MIT */
#include "session/recorded_at.h"

#include "base/mem.h"

struct recorded_process recorded_process(const struct session *s, const struct process *p)
{
	return (struct recorded_process){
		.pid = p->pid, .before = s->pd->mtime, .pid_ns = p->pid_ns, .mount_ns = p->mount_ns
	};
}

char *recorded_beside(const struct session *s, const char *name)
{
	const char *path = s->pd->path, *slash = strrchr(path, '/');

	if (!strcmp(path, "-"))
		return NULL;
	if (!slash)
		return xstrdup(name);
	return xasprintf("%.*s/%s", (int)(slash - path), path, name);
}
