/* SPDX-License-Identifier: MIT */
/* How much of a recording lies in each object: in samples' own places and anywhere in their stacks.
 */
#ifndef SESSION_OBJECT_WEIGHTS_H
#define SESSION_OBJECT_WEIGHTS_H

#include "session/chain.h"
#include "session/replay.h"

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
};

void object_weights_init(struct object_weights *w, struct session *s);
void object_weights_fini(struct object_weights *w);

/* Counts one sample, with the session as of it. */
void object_weights_add(struct object_weights *w, const struct replay_event *ev);

/* What was counted of an object; zeros when nothing was. */
struct object_weight object_weights_get(const struct object_weights *w, const struct dso *d);

/*
 * Reads s's recording once more, when it is a file, and tells its debuginfod client which objects
 * are worth asking for: those in at least 1 % of the samples, by their periods. Without a client,
 * of a stream, and of what cannot be read it tells nothing.
 */
void object_weights_tell_debuginfod(struct session *s, const struct session_config *cfg);

#endif
