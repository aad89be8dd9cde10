/* SPDX-License-Identifier: MIT */
/* What the samples of a recording say about allocations: which event is one, its address, size and
 * stack. */
#ifndef EVENTS_LEAK_LEAK_SOURCE_H
#define EVENTS_LEAK_LEAK_SOURCE_H

#include "base/tuple_table.h"
#include "events/leak/leak_calls.h"
#include "events/leak/leak_presets.h"
#include "events/losses.h"
#include "events/roles.h"
#include "events/stacks/stack_texts.h"

/* Words of a group: objects that are counted together. */
enum leak_group_word { LEAK_GROUP_STACK, LEAK_GROUP_PID, LEAK_GROUP_COMM, LEAK_GROUP_WORDS };

struct leak_source {
	struct session *s;
	struct leak_table *table;
	struct stack_texts *stacks;       /* NULL: they are not wanted */
	const struct leak_preset *preset; /* what is followed; of a search: what was found */
	bool ready;                       /* the events are known */
	struct roles roles;               /* of tracepoints */
	struct expr **sizes;              /* by role; NULL: not known */
	struct leak_calls calls;          /* of malloc */
	struct leak_probe *probes;        /* by pd_event.idx; NULL: tracepoints */
	size_t nr_probes;
	struct tuple_table groups; /* LEAK_GROUP_COMM: a const char *, which the machine keeps */
	size_t nr_left;            /* groups when some were forgotten last */
	struct losses losses;
	u64 last_time;  /* ns, of the samples */
	u64 nr_no_regs; /* samples of calls without registers */
};

/* All is borrowed until leak_source_fini(). preset NULL: the first one that the recording has. */
void leak_source_init(struct leak_source *src, struct session *s, struct leak_table *table,
		      const struct leak_preset *preset);
void leak_source_fini(struct leak_source *src);

/*
 * Finds the events, when their formats are known: of a stream, with its first sample. Does nothing
 * when it was called before. PERR_NOTFOUND: the recording lacks them. PERR_USAGE: an expression is
 * wrong. PERR_UNSUPPORTED: samples lack what is needed.
 */
int leak_source_start(struct leak_source *src, struct perr *e) MUST_CHECK;
/* By pd_event.idx: the events in use; malloc'd. After leak_source_start(). */
bool *leak_source_events(const struct leak_source *src);

/* Forgets groups and stacks of which all objects were freed, when there may be many. */
void leak_source_forget(struct leak_source *src);

/* Bytes of memory of all that is remembered: objects, processes, calls, stacks. */
size_t leak_source_bytes(const struct leak_source *src);

void leak_source_take(struct leak_source *src, const struct sample_view *v);
/* A record that is no sample. */
void leak_source_take_record(struct leak_source *src, const struct replay_event *ev);

#endif
