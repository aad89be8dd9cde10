/* SPDX-License-Identifier: MIT */
/* With --max-cpu: keeps the CPU time of the recorder within its budget. */
#include "record/recorder_priv.h"

#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/open/event_rate.h"

static u64 own_cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (u64)t.tv_sec * 1000000000 + (u64)t.tv_nsec;
}

static double nr_cpus(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n > 0 ? (double)n : 1;
}

int recorder_budget_start(struct recorder *r, struct perr *e)
{
	double rate = event_rate_lowest(r->l);

	if (r->o->max_cpu_percent <= 0)
		return 0;
	if (rate <= 0)
		return perr_set(e, PERR_USAGE,
				"--max-cpu: no event is sampled at a rate: use -F, or a clock");
	rate_control_start(&r->rate, r->o->max_cpu_percent / 100 * nr_cpus(), rate, now_ns(),
			   own_cpu_ns());
	return 0;
}

void recorder_budget_step(struct recorder *r)
{
	if (r->o->max_cpu_percent <= 0 || !rate_control_step(&r->rate, now_ns(), own_cpu_ns()))
		return;
	event_rate_set(r->l, r->rate.share, r->sys);
	if (r->o->log)
		fprintf(r->o->log, "--max-cpu: %.1f samples per second and CPU\n",
			r->rate.full_rate * r->rate.share);
}

void recorder_budget_tell(const struct recorder *r)
{
	const struct rate_control *c = &r->rate;
	double percent = 100 * rate_control_used(c, now_ns(), own_cpu_ns()) / nr_cpus();

	if (r->o->max_cpu_percent <= 0 || !r->o->talk)
		return;
	fprintf(r->o->talk,
		"[ prec: --max-cpu %g: %.2f %% of all CPUs used; lowest rate %.1f of %.0f samples "
		"per second and CPU, last %.1f ]\n",
		r->o->max_cpu_percent, percent, c->full_rate * c->lowest, c->full_rate,
		c->full_rate * c->share);
}
