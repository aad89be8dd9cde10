/* SPDX-License-Identifier: MIT */
/* The clock that timeouts and schedules use. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <time.h>

#include "base/types.h"

/* Nanoseconds of CLOCK_MONOTONIC. */
static inline u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

/* Milliseconds of CLOCK_MONOTONIC. */
static inline u64 now_ms(void)
{
	return now_ns() / 1000000;
}

#endif
