/* SPDX-License-Identifier: MIT */
/*
 * A session: the state of the recorded machine (threads, processes, maps, objects, cgroups) that a
 * perf.data's side-band records build up in time order, and the way from a sample to its resolved
 * call chain.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/diag.h"
#include "base/intern.h"
#include "fileformat/sample.h"
#include "session/process.h"
#include "session/user_modules.h"

struct session_config {
	struct symbols_config symbols;
	bool no_jitdumps; /* maps as they were recorded, without what jitdumps tell of them */
	const char *arch; /* NULL: as the file says, else this host's */
	enum unwinder_kind unwinder;
};

struct session {
	struct perfdata *pd;
	struct diag *diag;
	struct symbols *symbols;
	struct intern strings;
	struct arena arena;
	struct map_maker maker;
	struct threads threads;
	struct mapset *kernel_maps;
	struct dso *kernel_dso;       /* [kernel.kallsyms], NULL before its map */
	const struct map *kernel_map; /* NULL before its map */
	bool kernel_settled;          /* its range is that of its symbols, see below */
	struct mapset *settled;       /* what the kernel then covers, NULL before */
	struct dso *settled_dso;
	struct session_objects *objects;
	struct idmap cgroups; /* id -> interned path */
	u32 next_map_id;
	struct session_jits *jits;         /* session/jit.h, NULL: none yet */
	bool no_jitdumps;                  /* as configured */
	u64 next_jit_time;                 /* when code of a JIT is next put over other code */
	char *os_release;                  /* from the file, NULL when it has none */
	char *arch;                        /* as uname -m has it: the file's, else this host's */
	struct user_modules *user_modules; /* what its objects are unwound by */
};

/* pd and diag stay the caller's and must outlive the session. */
struct session *session_new(struct perfdata *pd, const struct session_config *cfg,
			    struct diag *diag);
void session_free(struct session *s);

/*
 * Applies one side-band record (MMAP, COMM, FORK, EXIT, KSYMBOL, CGROUP, NAMESPACES, BUILD_ID,
 * ...); records of other types are left alone. A broken record is reported to diag and skipped.
 */
void session_apply(struct session *s, const struct pd_record *r);

/* The thread of a sample; made when unknown. Valid until its EXIT is applied. */
struct thread *session_thread(struct session *s, u32 pid, u32 tid);

static inline const char *session_comm(const struct session *s, const struct thread *th)
{
	return intern_text(&s->strings, th->comm);
}

/*
 * What a sample's frames and columns need of its task, as of that sample. The mapsets are borrowed;
 * with references of one's own (mapset_get) a view outlives later records.
 */
struct task_view {
	const char *comm; /* lives as long as the session */
	struct mapset *user_maps, *kernel_maps;
};

static inline struct task_view session_task(const struct session *s, const struct thread *th)
{
	return (struct task_view){ session_comm(s, th), th->process->maps, s->kernel_maps };
}

/* The maps that a cpumode looks in; NULL for hypervisor and guest modes. */
static inline struct mapset *task_space(const struct task_view *t, u8 cpumode)
{
	if (cpumode == PD_CPUMODE_KERNEL)
		return t->kernel_maps;
	return cpumode == PD_CPUMODE_USER ? t->user_maps : NULL;
}

/*
 * The map that holds ip for a thread in a cpumode; NULL when none does (hypervisor and guest modes
 * never have one: guests are kept apart).
 */
const struct map *session_find_map(const struct session *s, const struct thread *th, u8 cpumode,
				   u64 ip);

/*
 * To be called before a sample is resolved. With the first ip in the kernel's map it loads the
 * kernel's symbols and lets the kernel's maps cover what these cover, as stock perf does:
 * start_kernel and others lie beyond the recorded range. Does nothing later.
 */
void session_settle_kernel(struct session *s, const struct pd_sample *sample);

/* As session_settle_kernel, for those who know that there are ips in the kernel. */
void session_settle_kernel_now(struct session *s);
/*
 * A set of kernel maps as it is once the kernel is settled: a new one, with its reference the
 * caller's. NULL when that changes nothing. Loads the kernel's symbols.
 */
struct mapset *session_settled_maps(struct session *s, const struct mapset *old);

/* Path of a cgroup id; NULL when the recording does not name it. */
const char *session_cgroup(const struct session *s, u64 id);

#endif
