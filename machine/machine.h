/* SPDX-License-Identifier: MIT */
/*
 * A machine as of a moment: its threads, address spaces and the objects mapped in them. It is given
 * side-band records, oldest first: by session/ from a recording, by record/live/ from rings. It
 * opens no recording and reads no clock.
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/text_format.h"
#include "fileformat/sample.h"
#include "machine/process.h"
#include "machine/machine_modules.h"

/* All texts are borrowed until machine_free(), but arch and os_release, which are copied. */
struct machine_config {
	struct symbols_config symbols;
	const char *path; /* of the recording: for messages and files beside it; NULL: live */
	s64 mtime;        /* seconds; processes started later are others; 0: live */
	bool swap;        /* records are of the other byte order */
	enum text_format format; /* TEXT_PERF_6_1 keeps the names of threads that exited */
	const char *arch;        /* as uname -m prints it; NULL: this host's */
	const char *os_release;  /* of the recorded kernel; NULL: not known */
	bool clock_is_monotonic; /* sample times are those of CLOCK_MONOTONIC, as in jitdumps */
	bool keep_exited;        /* threads that exited are still found by their ids */
	bool no_jitdumps;        /* maps stay as recorded, jitdumps are not opened */
	/* jitdumps are read from here while they are written, see machine_jits_renew(); or NULL */
	const struct jit_source *jit_source;
	bool no_user_maps; /* no address of a process is looked up: its maps are left out */
	/* machine_forget_maps() is called now and then; only one thread uses the machine */
	bool forgets_maps;
	/*
	 * only for unwinding: tasks have no names, all code without a file is one object, and
	 * machine_forget() is called now and then
	 */
	bool only_unwinds;
	enum unwinder_kind unwinder;
	u32 nr_cpus;       /* that the recorded system may have; 0: not known */
	struct diag *diag; /* NULL: warnings are dropped */
};

struct machine {
	struct machine_config cfg;
	struct symbols *symbols;
	struct intern strings;
	struct intern file_names; /* of objects, and of maps of processes */
	struct arena arena;       /* of the maps */
	size_t forget_at; /* bytes of the arena from which on machine_forget() is worth it */
	size_t objects_left, modules_left; /* that the last machine_forget() has left */
	u64 loaded_left;                   /* symbols_loaded_bytes() by then */
	u32 nr_forgotten; /* how often machine_forget_maps() has replaced maps and objects */
	struct map_maker maker;
	struct threads threads;
	struct mapset *kernel_maps;
	struct dso *kernel_dso;       /* [kernel.kallsyms], NULL before its map */
	const struct map *kernel_map; /* NULL before its map */
	bool kernel_settled;          /* its range is that of its symbols, see below */
	struct mapset *settled;       /* the kernel's maps once it is settled, NULL before */
	struct mapset *unsettled; /* kernel_maps before that: views of samples may still use it */
	struct dso *settled_dso;
	struct machine_objects *objects;
	const struct map *waits; /* of machine_waits_map(), NULL before */
	struct idmap cgroups;    /* id -> interned path */
	u32 next_map_id;
	struct machine_jits *jits;       /* machine/jit.h, NULL: none yet */
	u64 next_jit_time;               /* when code of a JIT is next put over other code */
	char *os_release;                /* NULL: not known */
	char *arch;                      /* as uname -m prints it */
	struct machine_modules *modules; /* unwind information of its objects */
	s64 nr_running; /* recorded threads on CPUs, as SWITCH records count them; may be below 1 */
};

/* A machine without threads and maps, but for the idle thread. Never fails. */
struct machine *machine_new(const struct machine_config *cfg);
/* NULL allowed. */
void machine_free(struct machine *mc);
/*
 * Forgets threads, maps and cgroups, as if no record had been applied, for another pass over the
 * same records. Objects, their symbols, strings and maps that were handed out stay valid; ids of
 * maps and mapsets are not used again.
 */
void machine_reset(struct machine *mc);

/*
 * Remembers the build-id that the recorder noted for objects of this name, for maps that carry
 * none. The first one of a name counts. name is copied.
 */
void machine_note_build_id(struct machine *mc, bool kernel, const char *name,
			   const struct pd_build_id *id);

/*
 * Applies one side-band record (MMAP, COMM, FORK, EXIT, KSYMBOL, CGROUP, NAMESPACES, BUILD_ID,
 * ...); records of other types are left alone. A broken record is reported to diag and skipped.
 */
void machine_apply(struct machine *mc, const struct pd_record *r);

/*
 * Of a machine that only unwinds, when much is new: frees the maps that no process has any more,
 * and the objects that are not mapped and have not been mapped since the last time. Of programs
 * that have ended are left: two times 512 objects at most, of which two times 128 have their files
 * open, and as many maps as are needed, or 1 MiB of them. Maps, mapsets, objects, and names of maps
 * that were handed out are not valid afterwards. Returns true if machine_stacks_rest() is due for
 * each user of the machine, before anything is unwound.
 */
bool machine_forget(struct machine *mc);

/*
 * With cfg.forgets_maps, to be called between records: frees the maps of which no mapset is left
 * and, as machine_forget() does, objects that are not mapped any more with their symbols, when
 * there is much of it, and threads as threads_forget() does. What is left of programs that have
 * ended is some 100 KB of maps and two times 4 MB of symbols at most. The other maps get new ids
 * and addresses: when nr_forgotten has changed, pointers to maps outside of mapsets, objects, their
 * names and symbols are void, and machine_stacks_rest() is due. Mapsets stay as they are. Returns
 * true if it has.
 */
bool machine_forget_maps(struct machine *mc);

/* The thread of a sample; made when unknown. Valid until its EXIT is applied. */
struct thread *machine_thread(struct machine *mc, u32 pid, u32 tid);

/*
 * The number of recorded threads that run now, as perf counts them: from 1, one more or less with
 * each SWITCH record, one less with each EXIT; at least 1 and at most cfg.nr_cpus.
 */
u32 machine_parallelism(const struct machine *mc);

static inline const char *machine_comm(const struct machine *mc, const struct thread *th)
{
	return intern_text(&mc->strings, th->comm);
}

/*
 * What a sample's frames and columns need of its task, as of that sample. The mapsets are borrowed;
 * with references of one's own (mapset_get) a view outlives later records.
 */
struct task_view {
	const char *comm; /* lives as long as the machine */
	struct mapset *user_maps, *kernel_maps;
};

static inline struct task_view machine_task(const struct machine *mc, const struct thread *th)
{
	return (struct task_view){ machine_comm(mc, th), th->process->maps, mc->kernel_maps };
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
const struct map *machine_find_map(const struct machine *mc, const struct thread *th, u8 cpumode,
				   u64 ip);

/*
 * To be called before a sample is resolved. With the first ip in the kernel's map it loads the
 * kernel's symbols and lets the kernel's maps cover what these cover, as stock perf does:
 * start_kernel and others lie beyond the recorded range. Does nothing later.
 */
void machine_settle_kernel(struct machine *mc, const struct pd_sample *sample);

/* As machine_settle_kernel(), when an ip in the kernel has been seen already. */
void machine_settle_kernel_now(struct machine *mc);
/*
 * A set of kernel maps as it is once the kernel is settled: a new one, with its reference the
 * caller's. NULL when that changes nothing. Loads the kernel's symbols.
 */
struct mapset *machine_settled_maps(struct machine *mc, const struct mapset *old);

/* Path of a cgroup id; NULL when the recording does not name it. */
const char *machine_cgroup(const struct machine *mc, u64 id);

#endif
