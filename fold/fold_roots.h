/* SPDX-License-Identifier: MIT */
/* The first name of each row's line: the command, with its pid and tid, or the cgroup. */
#ifndef FOLD_FOLD_ROOTS_H
#define FOLD_FOLD_ROOTS_H

#include "base/intern.h"
#include "fold/folded.h"

/*
 * The id in `names` of each row's root, by row; the caller frees them. NULL with FOLD_ROOT_NONE.
 * The number of threads does not change the ids.
 */
u32 *fold_roots_make(enum fold_root root, const struct session *s, const struct counts *c,
		     struct intern *names, unsigned int nr_threads);

#endif
