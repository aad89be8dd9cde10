/* SPDX-License-Identifier: MIT */
/* The clock that timeouts and schedules use, and the time of day. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

#include "base/types.h"

static inline u64 clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

/* Returns the time of CLOCK_MONOTONIC in nanoseconds. */
static inline u64 now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Returns the nanoseconds since the epoch. */
static inline u64 wall_ns(void)
{
	return clock_ns(CLOCK_REALTIME);
}

/* Returns the time of CLOCK_MONOTONIC in whole milliseconds. */
static inline u64 now_ms(void)
{
	return now_ns() / 1000000;
}

#endif
