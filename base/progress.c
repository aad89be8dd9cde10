/* SPDX-License-Identifier: MIT */
#include "base/progress.h"

#include <time.h>
#include <unistd.h>

#define CALLS_PER_LOOK 4096 /* the clock is read this seldom */
#define FIRST_AFTER 2.0     /* seconds */
#define EVERY 0.25

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

void progress_init_ahead(struct progress *p, const char *prog, u64 total, FILE *f)
{
	*p = (struct progress){ .prog = prog, .f = f, .total = total };
	p->active = isatty(fileno(f));
	if (p->active)
		p->start = p->last = now();
}

void progress_init(struct progress *p, const char *prog, u64 total, FILE *f)
{
	progress_init_ahead(p, prog, total, f);
	p->active &= !isatty(STDOUT_FILENO);
}

static void show(struct progress *p, u64 done, double t)
{
	double rate = (double)done / (t - p->start);

	if (p->total && done <= p->total && rate > 0)
		fprintf(p->f, "\r%s: %3.0f %% of %.0f MB, %.0f MB/s, %.0f s left \033[K", p->prog,
			100.0 * (double)done / (double)p->total, (double)p->total / 1e6, rate / 1e6,
			(double)(p->total - done) / rate);
	else
		fprintf(p->f, "\r%s: %.0f MB, %.0f MB/s \033[K", p->prog, (double)done / 1e6,
			rate / 1e6);
	p->shown = true;
}

void progress_update(struct progress *p, u64 done)
{
	double t;

	if (!p->active || ++p->calls % CALLS_PER_LOOK)
		return;
	t = now();
	if (t - p->start < FIRST_AFTER || t - p->last < EVERY)
		return;
	p->last = t;
	show(p, done, t);
}

void progress_say(struct progress *p, const char *what, u64 bytes)
{
	double t;

	if (!p->active)
		return;
	t = now();
	if (t - p->start < FIRST_AFTER || t - p->last < EVERY)
		return;
	p->last = t;
	if (bytes)
		fprintf(p->f, "\r%s: %s: %.1f MB \033[K", p->prog, what, (double)bytes / 1e6);
	else
		fprintf(p->f, "\r%s: %s \033[K", p->prog, what);
	p->shown = true;
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(p->f, "\r\033[K");
	p->active = p->shown = false;
}
