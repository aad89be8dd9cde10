/* SPDX-License-Identifier: MIT */
/* The clock that timeouts and schedules use. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

#include "base/types.h"

/* Returns the time of CLOCK_MONOTONIC in nanoseconds. */
static inline u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

/* Returns the time of CLOCK_MONOTONIC in whole milliseconds. */
static inline u64 now_ms(void)
{
	return now_ns() / 1000000;
}

#endif
