/* SPDX-License-Identifier: MIT */
/* Side-band records that wait until the samples before them are unwound. */
#ifndef RECORD_LIVE_LIVE_NOTES_H
#define RECORD_LIVE_LIVE_NOTES_H

#include "base/wbuf.h"
#include "fileformat/record.h"

struct live_note;

struct live_notes {
	struct live_note *notes; /* from first on, by time once live_notes_sort() was called */
	size_t first, nr, cap;
	u64 next_nr;
	struct wbuf bytes; /* of the records */
};

void live_notes_fini(struct live_notes *n);

/* Copies a record; time: ns. */
void live_notes_add(struct live_notes *n, const u8 *record, u32 size, u64 time);
/* Puts the records that wait in the order of time. */
void live_notes_sort(struct live_notes *n);
/*
 * Takes the next record that is not younger than `time` (ns): true, with its time in *ret_time. It
 * lies in *n until live_notes_drop().
 */
bool live_notes_next(struct live_notes *n, u64 time, struct pd_record *ret, u64 *ret_time);
/* Frees the records that were taken. */
void live_notes_drop(struct live_notes *n);

/* The record `back` before the youngest one, taken ones included. False: there are not so many. */
bool live_notes_newest(const struct live_notes *n, size_t back, struct pd_record *ret);

#endif
