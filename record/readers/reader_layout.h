/* SPDX-License-Identifier: MIT */
/* Divides CPUs among the threads that read their rings, by the value of --threads. */
#ifndef RECORD_READERS_READER_LAYOUT_H
#define RECORD_READERS_READER_LAYOUT_H

#include "record/model/rec_opts.h"

/* One thread: the CPUs whose rings it reads, and the CPUs on which it runs. */
struct reader_place {
	struct cpu_list reads, runs_on;
};

/* All zero is valid: no threads. Free it with reader_layout_fini. */
struct reader_layout {
	struct reader_place *places;
	size_t nr, cap;
};

/*
 * Makes the layout of spec: "cpu" (also NULL and ""), "core", "package", "numa", or masks as in
 * "0,2-4/2-4:1,5-7/5-7", each with the CPUs that are read and, behind the slash, those that the
 * thread runs on. cpus: the recorded CPUs; each is in at most one place, CPUs that are not recorded
 * in none. Topology comes from sysfs; CPUs that it has in no group have a thread together. On an
 * error *ret is empty: PERR_USAGE for a wrong spec, for masks that overlap, and for a mask without
 * a recorded or online CPU.
 */
int reader_layout_make(struct reader_layout *ret, const char *spec, const struct cpu_list *cpus,
		       const struct rec_host *host, struct perr *e) MUST_CHECK;
void reader_layout_fini(struct reader_layout *l);

/* Moves the CPUs of all places to the first one, which then may run anywhere. */
void reader_layout_join(struct reader_layout *l);

/* Returns the CPUs that the places read, in ascending order; the caller's, as any cpu_list. */
struct cpu_list reader_layout_cpus(const struct reader_layout *l);

/* Returns the index of the place that reads a CPU; 0 for a CPU in no place. */
size_t reader_layout_place_of(const struct reader_layout *l, u32 cpu);

#endif
