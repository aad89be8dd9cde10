/* SPDX-License-Identifier: MIT */
/* Pairs of events that allocate and free, by name. */
#ifndef EVENTS_LEAK_LEAK_PRESETS_H
#define EVENTS_LEAK_LEAK_PRESETS_H

#include "base/types.h"

struct leak_preset {
	const char *name;
	const char *alloc, *free;    /* event lists as of --alloc; NULL: calls of malloc() */
	const char *ptr;             /* as --ptr */
	const char *size, *old_size; /* as --size; of older kernels, NULL: the same */
	const char *record;          /* the command that records what is needed */
};

extern const struct leak_preset leak_presets[];
extern const size_t nr_leak_presets;

/* NULL: there is none of this name. */
const struct leak_preset *leak_preset_find(const char *name);

#endif
