/* SPDX-License-Identifier: MIT */
/* User address spaces: what a process's MMAP records map, by the kernel's names for it. */
#include <stdio.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "machine/jit.h"
#include "machine/objects.h"
#include "machine/machine_maps.h"
#include "machine/recorded_at.h"

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

/*
 * A 64-bit kernel has another for its 32-bit processes, and calls both by one name. perf looks at
 * the files of a process to tell them apart; below 4 GiB lies none but the 32-bit one.
 */
static bool is_vdso32(const struct machine *mc, const struct map *m, const char *name)
{
	return !strcmp(name, "[vdso]") && m->end <= 1ull << 32 && !strcmp(mc->arch, "x86_64");
}

/*
 * The file whose code was put into [start, end) again, which is memory without a file now: programs
 * do so to have their code on huge pages. The kernel does not tell what was unmapped, so a JIT that
 * took the place of a closed library would be taken for it: that is the price.
 */
static const struct map *moved_text(const struct process *p, u64 start, u64 end)
{
	const struct map *m = mapset_find(p->maps, start);

	if (!m || m->end < end || !(m->prot & PROT_EXEC) || m->identity)
		return NULL;
	return dso_get_desc(m->dso)->kind == DSO_USER && m->dso_name[0] == '/' ? m : NULL;
}

/* What is mapped. *m has its addresses and bits, and the kernel's name. */
static void fill_map(struct machine *mc, struct process *p, const struct pd_mmap *rec,
		     struct map *m)
{
	struct dso_desc d = { .kind = DSO_USER, .name = m->dso_name };
	const struct map *text = NULL;
	u64 ino_key = 0;

	if (is_anon(d.name, rec->flags) || is_no_file(d.name)) {
		if (m->prot & PROT_EXEC)
			text = moved_text(p, m->start, m->end);
		if (text) {
			m->dso = text->dso;
			m->dso_name = text->dso_name;
			m->pgoff = text->pgoff + (m->start - text->start);
			return;
		}
		m->identity = true;
		d.kind = DSO_NONE;
		if (m->prot & PROT_EXEC) {
			if (p->jit) {
				machine_jit_take(mc, p, m);
				return;
			}
			m->dso = machine_jit_map(mc, p);
			m->dso_name = machine_file_name(mc, dso_get_desc(m->dso)->name);
			return;
		}
	} else if (m->prot & PROT_EXEC && machine_jit_is_code(p, d.name)) {
		machine_jit_take(mc, p, m);
		return;
	} else if (is_vdso(d.name)) {
		d.kind = DSO_VDSO;
		m->pgoff = 0;
		if (is_vdso32(mc, m, d.name))
			d.name = m->dso_name = machine_file_name(mc, "[vdso32]");
	} else if (d.name[0] != '/') {
		/* [uprobes], [vsyscall], ... */
		d.kind = DSO_NONE;
	}
	if (rec->has_build_id) {
		memcpy(d.build_id, rec->build_id.data, sizeof(d.build_id));
		d.build_id_size = rec->build_id.size;
	} else if (d.kind == DSO_USER) {
		ino_key = hash_pair((u64)rec->maj << 32 | rec->min,
				    rec->ino ^ rec->ino_generation << 32);
		d.ino = rec->ino;
		d.dev_maj = rec->maj;
		d.dev_min = rec->min;
		objects_kept_file(mc, rec, d.name, &d);
	}
	if (d.kind == DSO_USER)
		d.recorded = recorded_process(mc, p);
	m->dso = objects_get(mc, &d, ino_key);
}

void machine_user_mmap(struct machine *mc, const struct pd_mmap *rec)
{
	const char *name = intern_text(
		&mc->file_names,
		intern_n(&mc->file_names, (const char *)rec->filename.p, rec->filename.n));
	struct process *p = threads_get(&mc->threads, rec->pid, rec->tid)->process;
	struct map *m =
		machine_new_map(mc, rec->start, rec->start + rec->len, rec->pgoff, NULL, name);

	m->prot = rec->prot;
	m->flags = rec->flags;
	fill_map(mc, p, rec, m);
	mapset_insert(&p->maps, &mc->maker, m);
	if (m->prot & PROT_EXEC && !rec->pgoff)
		machine_jit_mark(mc, p, m);
}
