/* SPDX-License-Identifier: MIT */
#include "events/losses.h"

#include <inttypes.h>

#include "base/mem.h"
#include "fileformat/record_minor.h"

#define MAX_CPUS 65536

void losses_take(struct losses *l, const struct replay_event *ev, bool swap)
{
	struct pd_lost_samples samples;
	struct pd_lost lost;
	struct perr e;
	u32 cpu = ev->sample.cpu;

	/* what a BPF program leaves out is not lost */
	if (ev->rec.type == PD_RECORD_LOST_SAMPLES && !(ev->rec.misc & PD_MISC_LOST_SAMPLES_BPF) &&
	    !pd_read_lost_samples(&ev->rec, swap, &samples, &e))
		l->samples += samples.lost;
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

void losses_put_without_time(const struct losses *l, struct out *o)
{
	if (losses_without_time(l))
		out_printf(o,
			   "# lost without a record that says when, as at the end: %" PRIu64
			   " records\n",
			   losses_without_time(l));
}

void losses_fini(struct losses *l)
{
	free(l->of_cpu);
	*l = (struct losses){ 0 };
}
