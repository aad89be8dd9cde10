/* SPDX-License-Identifier: MIT */
/* plat --as: what a command of perf prints of a recording. */
#ifndef EVENTS_PERF_TEXTS_AS_RUN_H
#define EVENTS_PERF_TEXTS_AS_RUN_H

/* Runs it with plat's own arguments. Returns the exit status. */
int as_main(int argc, char **argv);

#endif
