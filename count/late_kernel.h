/* SPDX-License-Identifier: MIT */
/*
 * Reads the kernel's symbols in a thread while samples are counted, as that takes long. Only the
 * symbols say how far the kernel's maps reach, so kernel frames get their maps afterwards.
 */
#ifndef COUNT_LATE_KERNEL_H
#define COUNT_LATE_KERNEL_H

#include <pthread.h>

#include "count/counter.h"

struct late_kernel {
	struct session *session;
	struct mapset **sets; /* the sets of kernel maps of all counted samples; references */
	size_t nr, cap;
	const struct map *loading; /* the thread reads the symbols of its object */
	bool has_thread;
	pthread_t thread;
};

void late_kernel_init(struct late_kernel *k, struct session *s);

void late_kernel_note_new(struct late_kernel *k, struct mapset *kernel_maps, u8 cpumode);

/* Remembers a sample's set of kernel maps. The first sample in kernel mode starts the reading. */
static inline void late_kernel_note(struct late_kernel *k, struct mapset *kernel_maps, u8 cpumode)
{
	if (!k->nr || k->sets[k->nr - 1] != kernel_maps ||
	    (cpumode == PD_CPUMODE_KERNEL && !k->loading))
		late_kernel_note_new(k, kernel_maps, cpumode);
}

/*
 * True when the waiting frames were seen with more than one set of kernel maps: two of them may
 * turn out to be the same frame.
 */
bool late_kernel_is_mixed(const struct late_kernel *k, const struct counter *counters,
			  unsigned int nr);

/* Gives the waiting frames their maps. */
void late_kernel_settle(struct late_kernel *k, struct counter *counters, unsigned int nr);

void late_kernel_fini(struct late_kernel *k);

#endif
