/* SPDX-License-Identifier: MIT */
#include "record/live/overload.h"

#define BUSY 60u                 /* per cent of the time; above it the ladder begins */
#define LONG_SWEEP_NS 100000000u /* a sweep that lasts so long does not end soon */

void overload_begin(struct overload *o, u64 now)
{
	u64 period = now - o->begin;

	if (o->begin && period && o->end >= o->begin)
		o->busy = (3 * o->busy + (unsigned int)((o->end - o->begin) * 100 / period)) / 4;
	o->begin = now;
}

void overload_end(struct overload *o, u64 now)
{
	o->end = now;
}

enum overload_level overload_level(const struct overload *o, unsigned int load, u64 now)
{
	if (load < 25 || (o->busy < BUSY && now - o->begin < LONG_SWEEP_NS))
		return OVERLOAD_NONE;
	if (load < 50)
		return OVERLOAD_REUSE;
	return load < 75 ? OVERLOAD_FEW : OVERLOAD_DROP;
}
