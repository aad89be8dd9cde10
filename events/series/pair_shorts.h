/* SPDX-License-Identifier: MIT */
/*
 * Pairs of samples that come short (session/sample_sink.h), where all that is done with pairs is to
 * count them, and to hand each to pairs_config.each(): the fields that roles need are read as soon
 * as a sample is, and little else of it.
 */
#ifndef EVENTS_SERIES_PAIR_SHORTS_H
#define EVENTS_SERIES_PAIR_SHORTS_H

#include "events/pairs.h"

struct short_event;

/* All zero: no sample comes short. */
struct pair_shorts {
	struct pairs *p;
	struct short_event *events; /* by pd_event.idx, of the events that have roles; or NULL */
};

/* After pairs_start(). p is borrowed; where p->can_shorten is not set, no sample comes short. */
void pair_shorts_init(struct pair_shorts *ps, struct pairs *p);
void pair_shorts_fini(struct pair_shorts *ps);

/* As sample_sink.shorten(): the words of a sample. */
int pair_shorts_words(struct pair_shorts *ps, const struct pd_event *ev, const struct pd_sample *s,
		      u64 *words);
/* As sample_sink.short_samples(): does with samples what pairs_take() does. */
void pair_shorts_take(struct pair_shorts *ps, const struct pd_short *s, size_t nr);

#endif
