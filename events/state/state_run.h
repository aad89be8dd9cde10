/* SPDX-License-Identifier: MIT */
/* plat task-state, plat offcpu, plat oncpu. */
#ifndef EVENTS_STATE_STATE_RUN_H
#define EVENTS_STATE_STATE_RUN_H

/* Runs one of them; argv[0] is its name. Returns the exit status. */
int state_main(int argc, char **argv);

#endif
