/* SPDX-License-Identifier: MIT */
/* plat func. */
#ifndef EVENTS_FUNC_FUNC_RUN_H
#define EVENTS_FUNC_FUNC_RUN_H

/* Runs it; argv[0] is its name. Returns the exit status. */
int func_main(int argc, char **argv);

#endif
