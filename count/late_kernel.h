/* SPDX-License-Identifier: MIT */
/*
 * The kernel's symbols take long to read, and until they are there nobody knows how far the
 * kernel's maps reach. So they are read beside the counting, and kernel ips wait for their maps.
 */
#ifndef COUNT_LATE_KERNEL_H
#define COUNT_LATE_KERNEL_H

#include <pthread.h>

#include "count/counter.h"

struct late_kernel {
	struct session *session;
	struct mapset **sets; /* all sets of kernel maps that counted samples had; referenced */
	size_t nr, cap;
	const struct map *loading; /* whose symbols the thread reads */
	bool has_thread;
	pthread_t thread;
};

void late_kernel_init(struct late_kernel *k, struct session *s);

void late_kernel_note_new(struct late_kernel *k, struct mapset *kernel_maps, u8 cpumode);

/* Remembers the set of maps of a sample; one in kernel mode sets off the reading of symbols. */
static inline void late_kernel_note(struct late_kernel *k, struct mapset *kernel_maps, u8 cpumode)
{
	if (!k->nr || k->sets[k->nr - 1] != kernel_maps ||
	    (cpumode == PD_CPUMODE_KERNEL && !k->loading))
		late_kernel_note_new(k, kernel_maps, cpumode);
}

/* True when frames of the counters wait in more than one set: equal ones may then not look so. */
bool late_kernel_is_mixed(const struct late_kernel *k, const struct counter *counters,
			  unsigned int nr);

/* Gives the waiting frames their maps. */
void late_kernel_settle(struct late_kernel *k, struct counter *counters, unsigned int nr);

void late_kernel_fini(struct late_kernel *k);

#endif
