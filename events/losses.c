/* SPDX-License-Identifier: MIT */
#include "events/losses.h"

#include "base/mem.h"
#include "fileformat/record_minor.h"

#define MAX_CPUS 65536

void losses_take(struct losses *l, const struct replay_event *ev, bool swap)
{
	struct pd_lost lost;
	struct perr e;
	u32 cpu = ev->sample.cpu;

	if (ev->rec.type != PD_RECORD_LOST || pd_read_lost(&ev->rec, swap, &lost, &e))
		return;
	l->nr++;
	l->events += lost.lost;
	if (lost.lost >= l->largest) {
		l->largest = lost.lost;
		l->largest_time = ev->time;
	}
	if (cpu >= MAX_CPUS) {
		l->anywhere++;
		return;
	}
	while (l->nr_cpus <= cpu)
		vec_push(l->of_cpu, l->nr_cpus, l->cap_cpus, 0);
	l->of_cpu[cpu]++;
}

void losses_fini(struct losses *l)
{
	free(l->of_cpu);
	*l = (struct losses){ 0 };
}
