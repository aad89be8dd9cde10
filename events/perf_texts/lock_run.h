/* SPDX-License-Identifier: MIT */
/* plat lock-contention: what perf lock contention prints, of a recording or of now. */
#ifndef EVENTS_PERF_TEXTS_LOCK_RUN_H
#define EVENTS_PERF_TEXTS_LOCK_RUN_H

/* Runs it with the arguments from the word behind plat on, or of plat --as=lock-contention. Returns
 * main's exit status. */
int lock_main(int argc, char **argv);

#endif
