/* SPDX-License-Identifier: MIT */
/* The names of a recording's frames in collapsed stacks, as ids of interned texts. */
#ifndef FOLD_FOLD_FRAMES_H
#define FOLD_FOLD_FRAMES_H

#include "fold/fold_names.h"

struct counts;

/* With this bit, a frame's entry in names is an index in lists: the frame has several names. */
#define FOLD_IS_LIST 0x80000000u

struct fold_frames {
	u32 *names; /* by frame id of the counts */
	u32 *lists; /* at a list's index its number of names, then the names, outermost first */
	size_t nr_lists, cap_lists;
};

/* Makes the names of all frames of c, which have been resolved, with up to nr_threads threads. */
void fold_frames_init(struct fold_frames *ff, const struct counts *c,
		      const struct fold_name_config *cfg, struct intern *texts,
		      unsigned int nr_threads);
void fold_frames_fini(struct fold_frames *ff);

#endif
