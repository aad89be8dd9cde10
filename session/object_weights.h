/* SPDX-License-Identifier: MIT */
/* How much of a recording lies in each object: in samples' own places and anywhere in their stacks.
 */
#ifndef SESSION_OBJECT_WEIGHTS_H
#define SESSION_OBJECT_WEIGHTS_H

#include "machine/chain_ips.h"
#include "session/sample_sink.h"

struct object_weight {
	u64 samples; /* whose own ip is in it */
	u64 entries; /* of call chains, unwound ones as well */
	u64 period;  /* sum of those samples that have it anywhere */
	u64 last;    /* number of the last such sample */
};

struct object_weights {
	struct session *s;
	struct object_weight *items; /* by the number of an object */
	size_t nr;
	u64 period, samples; /* of all */
	struct chain_ips chain;
	struct sample_sink sink;
};

void object_weights_init(struct object_weights *w, struct session *s);
void object_weights_fini(struct object_weights *w);

/*
 * Goes once over the session's records and counts every sample. pass and pass_flags: as of
 * session_begin_pass(). Errors are those of session_run().
 */
int object_weights_run(struct object_weights *w, const char *pass, u32 pass_flags, struct perr *e);

/* Counts one sample. */
void object_weights_add(struct object_weights *w, const struct sample_view *v);

/* What was counted of an object; zeros when nothing was. */
struct object_weight object_weights_get(const struct object_weights *w, const struct dso *d);

/*
 * With --debuginfod: goes over the recording once, quietly, and names to the debuginfod client the
 * objects that are worth a request: those in at least 1 % of the samples, by their periods. The
 * next pass must be begun after it. Without a client it does nothing. A stream cannot be weighed:
 * it warns that every missing file is asked for.
 */
void object_weights_tell_debuginfod(struct session *s);

#endif
