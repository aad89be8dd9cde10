/* SPDX-License-Identifier: MIT */
/*
 * An object whose functions are the ways in which a thread can be off the CPU, so that a time off
 * the CPU can have a frame that says how: "[off-CPU S]" of the object "[off-CPU]".
 */
#ifndef MACHINE_MACHINE_WAITS_H
#define MACHINE_MACHINE_WAITS_H

#include "fileformat/events.h"
#include "machine/machine.h"

/* The map of this object, in no address space. Made at the first call; lives as long as mc. */
const struct map *machine_waits_map(struct machine *mc);

/* The address in it that stands for a way. */
static inline u64 machine_waits_ip(const struct map *waits, enum pd_offcpu how)
{
	return waits->start + (u64)how;
}

#endif
