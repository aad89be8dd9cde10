/* SPDX-License-Identifier: MIT */
/*
 * Collects the names of samples that a filter left out. When the filter matches no sample, the
 * message shows the names that are most similar to the one the user gave.
 */
#ifndef SESSION_FILTER_MISS_H
#define SESSION_FILTER_MISS_H

#include "session/filter.h"

struct filter_miss; /* opaque */

/* f: borrowed until filter_miss_free(). */
struct filter_miss *filter_miss_new(const struct filter *f);
void filter_miss_free(struct filter_miss *m);

/*
 * Adds a sample's time in ns, and what the filters on threads and places look at: its comm, and the
 * frame that it is in, resolved. The same comm or frame again costs one look into a table. m may be
 * NULL.
 */
void filter_miss_time(struct filter_miss *m, u64 time);
void filter_miss_comm(struct filter_miss *m, u32 comm_id, const char *comm);
void filter_miss_frame(struct filter_miss *m, const struct frame *fr);

/* Warns which filter no sample passes, with the most similar names that there are. Call it when no
 * sample has passed. m may be NULL. */
void filter_miss_tell(const struct filter_miss *m, struct diag *diag);

#endif
