/* SPDX-License-Identifier: MIT */
/*
 * Makes call chains of samples' stack copies, up to four samples at a time, and writes the samples
 * with them. The one way from a copy to a chain for all of prec: it does not ask whether samples
 * come from a ring or a file. The caller keeps the machine as of each sample and says with which
 * maps to unwind.
 */
#ifndef RECORD_LIVE_CHAINER_H
#define RECORD_LIVE_CHAINER_H

#include "record/live/chained_record.h"
#include "record/live/deep_stack.h"
#include "record/live/lean_tasks.h"
#include "record/live/overload.h"

struct chainer;

/* joins: callers for truncated stacks; NULL: they stay truncated. All is borrowed. */
struct chainer *chainer_new(struct machine *mc, const struct join_table *joins);
/* From now on, truncated stacks are continued from the memory of their processes. Borrowed. */
void chainer_set_deep(struct chainer *c, struct deep_stack *deep);
/* From now on, samples have what they need of these before them. Borrowed. */
void chainer_set_lean(struct chainer *c, struct lean_tasks *lean);
void chainer_free(struct chainer *c);
/* What the machine knew of some objects is gone: forgets it, too. */
void chainer_rest(struct chainer *c);

/* How much is done for the next samples: below OVERLOAD_DROP, at which none are given. */
void chainer_set_level(struct chainer *c, enum overload_level level);

/* A sample of an event for which chained_attr_wanted() is true. */
struct chain_job {
	const struct pd_event *ev;
	struct pd_record rec;
	struct pd_sample sample;   /* of rec, decoded */
	const struct mapset *maps; /* of the sample's process, as of the sample */
	struct wbuf *out;          /* the new record is appended here */
	bool keep_copy;            /* it has registers and copy besides the chain */
};

#define CHAINER_JOBS MACHINE_STACKS_AHEAD

/*
 * keep() is asked about each sample whose stack ended in a file that was not found. If it returns
 * true, the sample is not written: its job is done again later.
 */
void chainer_set_keep(struct chainer *c, bool (*keep)(void *ctx, const struct chain_job *j),
		      void *ctx);

/* Does n jobs, at most CHAINER_JOBS, and writes their samples in this order. */
void chainer_do(struct chainer *c, const struct chain_job *jobs, size_t n);

/* What was done. */
struct chainer_counts {
	u64 stacks;               /* unwound */
	u64 frames, guessed;      /* of them, see struct unwind_frames */
	u64 joined;               /* stacks with callers from other samples or from memory */
	u64 cut;                  /* stacks with more frames than a record holds */
	u64 reused;               /* stacks whose outer frames are those of the last one */
	u64 few;                  /* stacks cut at OVERLOAD_FEW */
	u64 ends[UNWIND_NR_ENDS]; /* stacks by how they ended, joined ones by the end of the join */
};
void chainer_counts_add(struct chainer_counts *to, const struct chainer_counts *n);
/* The counts begin at 0 again. */
void chainer_begin_file(struct chainer *c);
/* Of one event, by pd_event.idx. */
struct chainer_counts chainer_counts_of(const struct chainer *c, u32 idx);

#endif
