/* SPDX-License-Identifier: MIT */
/* plat trace, which is plat syscalls --trace, and plat --as=trace: system calls as lines. */
#ifndef EVENTS_CALLS_CALL_RUN_H
#define EVENTS_CALLS_CALL_RUN_H

#include "events/calls/call_options.h"

/* Whether plat's arguments ask for it: the word trace, or the recipe syscalls with --trace. */
bool calls_asked_for(int argc, char **argv);
/* Runs it. argv[0] is the word behind plat. Returns the exit status. */
int calls_main(int argc, char **argv);
/* Reads and prints as opt says. Returns the exit status. */
int calls_run(struct call_options *opt, struct diag *diag);

#endif
