/* SPDX-License-Identifier: MIT */
/* How records change the address spaces of a machine; see FORMAT.md 2.12 for the rules. */
#ifndef MACHINE_MACHINE_MAPS_H
#define MACHINE_MACHINE_MAPS_H

#include "machine/machine.h"

/* Prepares mc->maker, which makes the machine's maps and sets of maps. */
void machine_maps_init(struct machine *mc);

/* A new map, to be put into a mapset. dso_name is borrowed; the map lives as long as the machine.
 */
struct map *machine_new_map(struct machine *mc, u64 start, u64 end, u64 pgoff, struct dso *dso,
			    const char *dso_name);

/* The machine's own copy of the name of a user's map, valid as long as a map has it. */
static inline const char *machine_file_name(struct machine *mc, const char *name)
{
	return intern_text(&mc->file_names, intern_str(&mc->file_names, name));
}

/* The object of a process's executable memory without a file: /tmp/perf-PID.map names its code. */
struct dso *machine_jit_map(struct machine *mc, struct process *p);

/* Applies MMAP and MMAP2 of a process (cpumode user). In user_maps.c. */
void machine_user_mmap(struct machine *mc, const struct pd_mmap *rec);
/* Applies MMAP and MMAP2 of the kernel and its modules (cpumode kernel). In kernel_maps.c. */
void machine_kernel_mmap(struct machine *mc, const struct pd_mmap *m);
/* Applies KSYMBOL: code that the kernel made, such as a BPF program. In kernel_maps.c. */
void machine_ksymbol(struct machine *mc, const struct pd_ksymbol *k);

#endif
