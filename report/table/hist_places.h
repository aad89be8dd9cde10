/* SPDX-License-Identifier: MIT */
/*
 * Numbers for the key values of a place (a sample, or a caller in its chain): one number for the
 * keys that depend on the row, one for the keys that depend on the frame only. Places with equal
 * pairs of numbers belong to the same entry of the histogram.
 */
#ifndef REPORT_TABLE_HIST_PLACES_H
#define REPORT_TABLE_HIST_PLACES_H

#include "report/table/hist.h"

/* Splits the keys of h->layout into those of rows and those of frames. Call it first. */
void hist_places_init(struct hist *h);
void hist_places_fini(struct hist *h);

/* Returns the number of a place's frame keys (of_frame) or of its row keys, new or known. */
u32 hist_place_ids(struct hist *h, const struct key_place *p, bool of_frame);

/*
 * Fills h->seen for all frames as callers, and for the frames with a bit in `own` (NULL: none) as
 * samples' own places. In one go this is faster than frame by frame, because memory is prefetched.
 * Does nothing when the numbers would depend on the order of rows, or when a key of frames is
 * expensive to compute (source lines).
 */
void hist_places_ask(struct hist *h, const u64 *own);

/*
 * True when hist_places_ask() may be called after row keys have got their numbers, and beside
 * another thread that calls no function of this header.
 */
bool hist_places_can_ask_apart(const struct hist *h);

#endif
