/* SPDX-License-Identifier: MIT */
/*
 * Samples whose stacks end in a file that is still being opened: they are written when it is open.
 * Used by the thread that unwinds.
 */
#ifndef RECORD_LIVE_LATE_SAMPLES_H
#define RECORD_LIVE_LATE_SAMPLES_H

#include "record/live/chainer.h"
#include "record/live/live_opener.h"

struct late_samples {
	struct live_opener *opener; /* borrowed */
	struct chain_job *jobs;     /* their records and maps are held */
	size_t nr, cap;
	u64 bytes, since; /* of the records; since: when the first of them came, ns of now_ns() */
	bool keeps;       /* false: samples are written as they are */
};

/*
 * Takes over a sample whose stack ended in a file that was not found. False: it is to be written as
 * it is, because no file is being opened, or there is no more room. Copies the record and holds the
 * maps.
 */
bool late_samples_keep(struct late_samples *l, const struct chain_job *j);

/* True when the samples are to be unwound again; news: a file is open that was not. */
bool late_samples_are_due(const struct late_samples *l, bool news);

/* Waits for the files of the samples for a short time. */
void late_samples_wait(const struct late_samples *l);

/*
 * The caller has copied *l and does those jobs again; the maps are the caller's. Meanwhile l takes
 * samples whose next file is late, too, if news: until the first of them has waited for a second.
 */
void late_samples_begin(struct late_samples *l, bool news);
/* They are done: frees their records. */
void late_samples_end(struct late_samples *l, struct late_samples *done);
/* Lets go of samples that will not be written. */
void late_samples_fini(struct late_samples *l);

#endif
