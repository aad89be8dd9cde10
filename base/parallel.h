/* SPDX-License-Identifier: MIT */
/* Work that falls into pieces, done by several threads. */
#ifndef BASE_PARALLEL_H
#define BASE_PARALLEL_H

#include "base/types.h"

/* Number of CPUs that this process may run on. */
unsigned int parallel_nr_cpus(void);

/*
 * Calls fn(ctx, i) once for each i below n, in up to nr_threads threads, of which the caller's is
 * one; pieces are taken in order. Returns when all are done.
 */
void parallel_run(unsigned int nr_threads, size_t n, void (*fn)(void *ctx, size_t i), void *ctx);

#endif
