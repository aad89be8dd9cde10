/* SPDX-License-Identifier: MIT */
/* One run of pfold: its inputs folded, then printed or drawn. */
#ifndef FOLD_FOLD_RUN_H
#define FOLD_FOLD_RUN_H

#include "fold/pfold_options.h"
#include "profile/reader_command.h"

/* Prints messages and verdicts as well. Returns the exit status. */
int fold_run(const struct reader_command *rc, struct pfold_options *opt);

#endif
