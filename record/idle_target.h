/* SPDX-License-Identifier: MIT */
#ifndef RECORD_IDLE_TARGET_H
#define RECORD_IDLE_TARGET_H

#include "record/model/rec_opts.h"

/*
 * Call it when a recording has no samples. If -p named processes that have children, such as a
 * shell that waits for its commands, warns in o->diag that these are not recorded, and how to.
 */
void idle_target_tell(const struct rec_opts *o);

#endif
