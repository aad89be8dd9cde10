/* SPDX-License-Identifier: MIT */
/*
 * Processes whose JIT compiler writes a jitdump. Such a process maps the dump executable, so that
 * the recording has an MMAP record of it. From then on, the functions in the dump name the code in
 * memory of the process that no file is mapped to.
 *
 * Maps of that memory are `timed`: their pgoff is the moment (symbols/jit/jit_code.h) for which the
 * code in them is looked up. When code is put over other code, the map around it is replaced by one
 * of a later moment, so that a map and an ip always name the same function.
 */
#ifndef MACHINE_JIT_H
#define MACHINE_JIT_H

#include "machine/machine.h"

struct machine_jits;

/* Forgets the processes. Dumps and code stay, because objects borrow them. j may be NULL. */
void machine_jits_reset(struct machine_jits *j);
/*
 * Frees j with all dumps and code. Call it after symbols_free(), because objects borrow the code. j
 * may be NULL.
 */
void machine_jits_free(struct machine_jits *j);

/*
 * Sets how timestamps of the CPU, which some dumps have, are converted to times: the values of the
 * TIME_CONV record.
 */
void machine_jit_time_conv(struct machine *mc, u64 shift, u64 mult, u64 zero);

/*
 * Tells that process p has mapped the file `name` executable, from its start. If the file is a
 * jitdump, its functions name the code of the process from now on; otherwise nothing happens.
 */
void machine_jit_mark(struct machine *mc, struct process *p, const struct map *m);

/* True if p has a jitdump and a map called `name` may have its code: it is a memfd or named
 * anonymous memory. */
bool machine_jit_is_code(const struct process *p, const char *name);

/* Makes *m, which is in no mapset yet, a map of the process's JIT code. */
void machine_jit_take(struct machine *mc, struct process *p, struct map *m);

/* A jitdump that a process has mapped. */
struct jit_mapping {
	u32 pid, dump_pid; /* of the process, and in the dump's name: in its own namespace */
	u64 start, end;    /* of the mapping */
	const char *name;
	u64 ino;
	u32 dev_maj, dev_min;
};

/* Where jitdumps come from while a recording is made. */
struct jit_source {
	void *ctx;
	/* Begins to read a dump. Returns its number. */
	u32 (*open)(void *ctx, const struct jit_mapping *m);
	/* The dump as it is now, to be freed with jitdump_copy_free(); NULL: as before. */
	struct jitdump *(*take)(void *ctx, u32 number);
	/* What take() returned is not used any more. */
	void (*close)(void *ctx, u32 number);
};

/*
 * With a jit_source: takes from it what was added to the dumps, and forgets those whose processes
 * have ended or run other programs. No stack may be in work, and no maps of samples be kept. time:
 * of the last record applied. Returns true if machine_stacks_rest() is due for each user of the
 * machine.
 */
bool machine_jits_renew(struct machine *mc, u64 time);

/* The number of processes with JIT code, and the maps of one of them. j may be NULL. */
size_t machine_jits_nr(const struct machine_jits *j);
struct mapset *machine_jits_maps(const struct machine_jits *j, size_t i);
/*
 * Adds the objects of JIT code to `used`, with the key (number of the object, 0), and puts the
 * names that j has into `names`, where they are from now on. j may be NULL.
 */
void machine_jits_keep(struct machine_jits *j, struct idmap *used, struct intern *names);

/* Applies the changes of JIT code up to `time`, from mc->next_jit_time on. */
void machine_jit_advance(struct machine *mc, u64 time);

#endif
