/* SPDX-License-Identifier: MIT */
/* plat --as=ftrace-latency: how long calls of a function take, or what lies between two events of a
 * thread, in the layout of perf ftrace latency. */
#ifndef EVENTS_PERF_TEXTS_FTRACE_RUN_H
#define EVENTS_PERF_TEXTS_FTRACE_RUN_H

/* Runs it with plat's own arguments. Returns the exit status. */
int ftrace_main(int argc, char **argv);

#endif
