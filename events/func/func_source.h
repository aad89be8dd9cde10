/* SPDX-License-Identifier: MIT */
/* What samples of probes say about calls: which function an event belongs to, whether it is entered
 * or returns, and where its return address lies. */
#ifndef EVENTS_FUNC_FUNC_SOURCE_H
#define EVENTS_FUNC_FUNC_SOURCE_H

#include "base/intern.h"
#include "events/func/func_table.h"
#include "events/losses.h"
#include "session/sample_sink.h"

/* One event. */
struct func_probe {
	u32 func; /* FUNC_NO_NODE: it is no probe of a function */
	bool is_return;
	bool exact;  /* the function's returns are seen at the instructions that return */
	bool is_go;  /* its calls belong to goroutines, whose stacks move */
	bool at_ret; /* the return address lies at the stack pointer still */
};

struct func_source {
	struct session *s;
	struct func_table *table;
	struct func_calls calls;
	struct func_probe *probes; /* by pd_event.idx */
	size_t nr_probes;
	bool ready;
	struct losses losses;
	u64 last_time; /* ns, of the samples */
	u64 nr_no_sp;  /* samples without the stack pointer, except of Go functions */
	u64 nr_no_g;   /* samples of Go functions without the register of the goroutine */
};

/* All is borrowed until func_source_fini(). */
void func_source_init(struct func_source *src, struct session *s, struct func_table *table);
void func_source_fini(struct func_source *src);

/*
 * Finds the events: of a stream, with its first sample. Does nothing when it was called before.
 * PERR_NOTFOUND: the recording has no probes of functions.
 */
int func_source_start(struct func_source *src, struct perr *e) MUST_CHECK;
/* By pd_event.idx: the events in use; malloc'd. After func_source_start(). */
bool *func_source_events(const struct func_source *src);

void func_source_take(struct func_source *src, const struct sample_view *v);
/* A record that is no sample. */
void func_source_take_record(struct func_source *src, const struct replay_event *ev);

#endif
