/* SPDX-License-Identifier: MIT */
/* What is known of the code of JITs, for the parts of machine/jit. */
#ifndef MACHINE_JIT_PRIV_H
#define MACHINE_JIT_PRIV_H

#include "machine/jit.h"
#include "symbols/jit/jit_code.h"

/* A dump that a jit_source reads. */
struct jit_followed {
	const char *name;
	u32 number;
};

/* The code of one process, as its dumps tell of it. */
struct machine_jit {
	struct process *process; /* a reference */
	struct jitdump **dumps;  /* borrowed from machine_jits */
	size_t nr_dumps, cap_dumps;
	struct dso *dso;
	const char *name; /* of the first dump, as recorded */
	const struct jit_reuse *reuses;
	size_t nr_reuses;
	size_t moment; /* that many of them have happened */
	/* with a jit_source: the dumps are its own, NULL until something was read of them */
	struct jit_followed *followed; /* by dump */
	size_t cap_followed;
	struct jit_code *code; /* of them, as is the next: earliest time to make it again, ns */
	u64 next_make;
};

struct machine_jits {
	struct machine_jit **items;
	size_t nr, cap;
	struct jitdump **dumps;
	size_t nr_dumps, cap_dumps;
	struct jit_code **codes; /* also those that a second dump of a process replaced */
	size_t nr_codes, cap_codes;
	bool has_conv;
	u64 shift, mult, zero;
};

/* The code of a process of which nothing was known so far: it becomes p->jit. Borrowed: name. */
void jit_add_process(struct machine *mc, struct process *p, const char *name);
void jit_free_process(struct machine_jit *j);
/*
 * Brings the dump's times to those of samples; false when that cannot be done. Sets its machine if
 * the dump does not name one.
 */
bool jit_fit_dump(struct machine *mc, struct jitdump *d);
/* Makes the object of the code, as it is with all dumps of j. */
void jit_make_object(struct machine *mc, struct machine_jit *j);
/* Memory of p that was mapped before the dump was becomes code of its JIT. */
void jit_take_older_maps(struct machine *mc, struct process *p);
/* Says when machine_jit_advance() has something to do. */
void jit_set_next_time(struct machine *mc);

/* A jitdump of this process, named in m's name, is followed: see struct jit_source. */
void jit_follow(struct machine *mc, struct process *p, const struct map *m, u32 dump_pid);

#endif
