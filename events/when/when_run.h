/* SPDX-License-Identifier: MIT */
/* plat when and plat busy. */
#ifndef EVENTS_WHEN_WHEN_RUN_H
#define EVENTS_WHEN_WHEN_RUN_H

/* Runs it; argv[0] is its name. Returns the exit status. */
int when_main(int argc, char **argv);

#endif
