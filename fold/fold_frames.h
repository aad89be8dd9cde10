/* SPDX-License-Identifier: MIT */
/* The names of a recording's frames, as ids of interned texts. */
#ifndef FOLD_FOLD_FRAMES_H
#define FOLD_FOLD_FRAMES_H

#include "fold/fold_names.h"

struct counts;

/* A frame that stands for several names has the index of a list instead, with this bit. */
#define FOLD_IS_LIST 0x80000000u

struct fold_frames {
	u32 *names; /* by frame id */
	u32 *lists; /* at a list's index its number of names, then the names, outermost first */
	size_t nr_lists, cap_lists;
};

/* Makes the names of all frames of c, which are resolved. */
void fold_frames_init(struct fold_frames *ff, const struct counts *c,
		      const struct fold_name_config *cfg, struct intern *texts);
void fold_frames_fini(struct fold_frames *ff);

#endif
