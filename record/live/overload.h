/* SPDX-License-Identifier: MIT */
/*
 * How much is done for a sample when the recorder cannot keep up: less, before samples are lost. A
 * reader that is mostly idle is not overloaded, however full a ring is after it has slept.
 */
#ifndef RECORD_LIVE_OVERLOAD_H
#define RECORD_LIVE_OVERLOAD_H

#include "base/types.h"

enum overload_level {
	OVERLOAD_NONE,  /* everything is done */
	OVERLOAD_REUSE, /* outer frames are those of the thread's last stack, unchecked */
	OVERLOAD_FEW,   /* 16 frames */
	OVERLOAD_DROP,  /* samples are dropped and counted */
	OVERLOAD_LEVELS
};

struct overload {
	u64 begin, end;    /* of the last sweep, ns */
	unsigned int busy; /* share of the time in sweeps, of the last few, per cent */
};

/* A sweep begins or ends; now in ns. */
void overload_begin(struct overload *o, u64 now);
void overload_end(struct overload *o, u64 now);

/* Returns the level for the next samples. load: share of the fullest ring in per cent. */
enum overload_level overload_level(const struct overload *o, unsigned int load, u64 now);

#endif
