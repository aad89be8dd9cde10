/* SPDX-License-Identifier: MIT */
/*
 * One driver for all that goes through the samples of a recording in time order: session_run()
 * reads the records, keeps the machine as of each, filters, and hands the samples to a sink. A sink
 * is embedded in the struct of its owner; its callbacks find the owner from there.
 */
#ifndef SESSION_SAMPLE_SINK_H
#define SESSION_SAMPLE_SINK_H

#include "base/progress.h"
#include "session/filter.h"
#include "session/replay.h"

/*
 * A sample on its way; borrowed until the callback returns. To keep it, take references:
 * pd_block_get(ev->rec.block), mapset_get() of the task's maps.
 */
struct sample_view {
	struct replay_event *ev;
	u64 nr; /* of the recording's samples, from 0; those filtered out count */
	struct thread
		*thread; /* NULL when the sample was filtered out before its thread was known */
	struct task_view task; /* with thread */
};

enum sink_flags {
	/* Samples come with ev->head_only where that is possible, see replay_heads_only(). */
	SINK_HEADS = 1u << 0,
	SINK_RECORDS = 1u << 1,        /* record() is called */
	SINK_FILE_ORDER = 1u << 2,     /* records as they lie in the file, not by time */
	SINK_NO_GUESTS = 1u << 3,      /* samples of guests are left out */
	SINK_DEFERRED_APART = 1u << 4, /* CALLCHAIN_DEFERRED is not joined to its samples */
	SINK_NO_TASKS = 1u << 6, /* samples that no filter looks at come without thread and task */
	/* shorten() looks at nothing but a sample's pid, tid, time, cpu, callchain and raw. It may
	 * be set later. */
	SINK_BRIEF = 1u << 7,
	SINK_LATE_KERNEL = 1u << 5, /* the sink calls machine_settle_kernel() where it needs it */
};

struct sample_sink {
	u32 flags;
	/* Each record, samples as well if they do not come short, before anything else is done
	 * about it. NULL: nothing to do. */
	void (*raw)(struct sample_sink *k, const struct replay_event *ev);
	/*
	 * A sample that passes the filters on its record (CPU, time), before those on its thread
	 * and place. Returns 0, 1 to leave the sample out, or a negative code. NULL: nothing to do.
	 */
	int (*seen)(struct sample_sink *k, const struct sample_view *v, struct perr *e);
	/* A sample that passes all filters. Returns 0, 1 to end the pass, or a negative code. */
	int (*sample)(struct sample_sink *k, const struct sample_view *v, struct perr *e);
	/* A sample that a filter left out. NULL: nothing to do. */
	int (*filtered)(struct sample_sink *k, const struct sample_view *v, struct perr *e);
	/* With SINK_RECORDS: a record that is no sample; it has been applied, EXIT has not yet. */
	int (*record)(struct sample_sink *k, const struct replay_event *ev, struct perr *e);
	/* When each query.interval_ns of the recording's clock has passed, for streams. NULL:
	 * never. */
	int (*tick)(struct sample_sink *k, u64 now, struct perr *e);
	/*
	 * NULL: samples come as they are. Else, in a pass without conditions, samples may come
	 * short, which takes less time and memory: shorten() is called for a sample as it is read,
	 * in file order. It writes up to PD_SHORT_WORDS words with all that the sink needs of it,
	 * and returns their number; 0: none of it is needed; PD_SHORT_NOT: this sample comes to
	 * sample(). When their turn comes, short_samples() gets nr > 0 of those with words, one
	 * after the other; where it needs their threads, it calls sink_thread(). What it gets is
	 * valid during the call. Returns as of sample().
	 */
	int (*shorten)(struct sample_sink *k, const struct pd_event *ev, const struct pd_sample *s,
		       u64 *words);
	int (*short_samples)(struct sample_sink *k, const struct pd_short *s, size_t nr,
			     struct perr *e);
	/* Filled by session_run() before it returns. */
	struct replay_stats stats;
	struct sink_run *run; /* of session_run(), while it runs */
};

struct sample_query {
	const char *pass;            /* what the pass is for, see session_begin_pass() */
	u32 pass_flags;              /* enum session_pass_flags */
	const struct filter *filter; /* NULL: all samples */
	const bool *wanted_events;   /* by pd_event.idx; NULL: all */
	/*
	 * Samples count once one of switch_on has come, until one of switch_off; these themselves
	 * only with show_switches. NULL: none. perf report asks for the switch before the filters
	 * on threads and places, perf script after them.
	 */
	const struct pd_event *switch_on, *switch_off;
	bool show_switches, switch_before_filter;
	u64 interval_ns;           /* of tick() */
	struct progress *progress; /* NULL: none is shown */
};

/*
 * In short_samples(): the thread of a sample of these ids and this time, as sample() would get it;
 * the kernel's maps may not be settled. Valid during the call.
 */
struct thread *sink_thread(struct sample_sink *k, u32 pid, u32 tid, u64 time);

/*
 * Goes once over the session's records. Returns 0, the first negative code of a callback, or that
 * of the reader; what came before damage has been delivered.
 */
int session_run(struct session *s, const struct sample_query *q, struct sample_sink *k,
		struct perr *e) MUST_CHECK;

#endif
