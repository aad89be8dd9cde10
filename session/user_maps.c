/* SPDX-License-Identifier: MIT */
/* User address spaces: what a process's MMAP records map, by the kernel's names for it. */
#include <stdio.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "session/objects.h"
#include "session/sideband.h"

#define FLAG_HUGETLB 0x40000 /* MAP_HUGETLB on every architecture that has MMAP2 flags */

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* Anonymous memory: executable, it holds JIT code. */
static bool is_anon(const char *name, u32 flags)
{
	return starts(name, "//anon") || starts(name, "/dev/zero") ||
	       starts(name, "/anon_hugepage") || flags & FLAG_HUGETLB;
}

static bool is_no_file(const char *name)
{
	return starts(name, "[stack") || starts(name, "/SYSV") || !strcmp(name, "[heap]");
}

static bool is_vdso(const char *name)
{
	return !strcmp(name, "[vdso]") || !strcmp(name, "[vdso32]") || !strcmp(name, "[vdsox32]");
}

void sideband_user_mmap(struct session *s, const struct pd_mmap *m)
{
	const char *name = intern_text(
		&s->strings, intern_n(&s->strings, (const char *)m->filename.p, m->filename.n));
	struct thread *th = threads_get(&s->threads, m->pid, m->tid);
	struct dso_desc d = { .kind = DSO_USER, .name = name };
	u64 ino_key = 0, pgoff = m->pgoff, end = m->start + m->len;
	bool identity = false;
	struct map *map;
	char jit[40];

	if (is_anon(name, m->flags) || is_no_file(name)) {
		identity = true;
		d.kind = DSO_NONE;
		if (m->prot & PROT_EXEC) {
			d.kind = DSO_JIT;
			d.pid = th->process->pid;
			d.ns_pid = th->process->ns_pid;
			snprintf(jit, sizeof(jit), "/tmp/perf-%d.map", (int)d.ns_pid);
			name = intern_text(&s->strings, intern_str(&s->strings, jit));
			d.name = name;
		}
	} else if (is_vdso(name)) {
		d.kind = DSO_VDSO;
		pgoff = 0;
	} else if (starts(name, "/tmp/perf-") || name[0] != '/') {
		/* recorded as such only by tools that rewrite maps; [uprobes], [vsyscall], ... */
		d.kind = name[0] == '/' ? DSO_USER : DSO_NONE;
	}
	if (m->has_build_id) {
		memcpy(d.build_id, m->build_id.data, sizeof(d.build_id));
		d.build_id_size = m->build_id.size;
	} else if (d.kind == DSO_USER) {
		ino_key = hash_pair((u64)m->maj << 32 | m->min, m->ino ^ m->ino_generation << 32);
	}
	map = session_new_map(s, m->start, end, pgoff, objects_get(s, &d, ino_key), name);
	map->prot = m->prot;
	map->flags = m->flags;
	map->identity = identity;
	mapset_insert(&th->process->maps, &s->maker, map);
}
