/* SPDX-License-Identifier: MIT */
/* One event at its time and place, and, where its fields or its stack are to be printed, the whole
 * sample. */
#ifndef EVENTS_OCCURRENCE_H
#define EVENTS_OCCURRENCE_H

#include "session/sample_sink.h"

struct kept_sample;

struct occurrence {
	u64 time; /* ns */
	u32 pid, tid, cpu;
	u32 stack; /* of pairs_config.stack_of(), else 0 */
	const struct pd_event *ev;
	const char *comm;         /* lives as long as the machine */
	struct kept_sample *kept; /* NULL: the sample is not kept */
};

/* What an occurrence is of a sample. keep: with the whole sample. */
void occurrence_init(struct occurrence *o, const struct sample_view *v, bool keep);
/* NULL allowed. */
void kept_sample_free(struct kept_sample *k);
/* Drops what was kept. */
void occurrence_fini(struct occurrence *o);
/* Bytes that are kept with it. */
size_t occurrence_bytes(const struct occurrence *o);

/*
 * A sample that outlives its record: the record's bytes, copied unless they lie in the mapped file,
 * and the address space of its process as of then.
 */
struct kept_sample {
	struct pd_record rec;
	u8 *copy; /* NULL: rec.data lies in the mapped file */
	struct mapset *user_maps, *kernel_maps;
};

#endif
