/* SPDX-License-Identifier: MIT */
/* One run of plat: a recording is read once, its pairs are counted, and the table is printed. */
#ifndef EVENTS_COMMAND_PLAT_RUN_H
#define EVENTS_COMMAND_PLAT_RUN_H

#include "events/command/plat_options.h"
#include "profile/reader_command.h"

/* Returns the exit status. */
int plat_run(const struct reader_command *rc, struct plat_options *opt);

#endif
