/* SPDX-License-Identifier: MIT */
/* plat leak. */
#ifndef EVENTS_LEAK_LEAK_RUN_H
#define EVENTS_LEAK_LEAK_RUN_H

/* Runs it; argv[0] is its name. Returns the exit status. */
int leak_main(int argc, char **argv);

#endif
