/* SPDX-License-Identifier: MIT */
/*
 * Ids of places: of the keys that depend on the row, and of those that depend on the frame only.
 * Two places with both ids alike are of one entry.
 */
#ifndef REPORT_TABLE_HIST_PLACES_H
#define REPORT_TABLE_HIST_PLACES_H

#include "report/table/hist.h"

/* What h->layout asks for; to be called before anything else. */
void hist_places_init(struct hist *h);
void hist_places_fini(struct hist *h);

/* Ids of a place's keys: of those that depend on the frame only, or of the others. */
u32 hist_place_ids(struct hist *h, const struct key_place *p, bool of_frame);

/*
 * Looks up all frames as callers at once, which takes less time than one by one, and those of which
 * own has a bit as samples' own places (NULL: none); h->seen has the ids then. Nothing happens
 * where it matters which rows ask first, or where a frame costs much.
 */
void hist_places_ask(struct hist *h, const u64 *own);
/*
 * Whether that may be done after rows have been asked for their ids, too, and beside a thread that
 * asks for none.
 */
bool hist_places_can_ask_apart(const struct hist *h);

#endif
