/* SPDX-License-Identifier: MIT */
/* One sample, or the leading columns of a side-band record, as a line of perf script's output. */
#ifndef REPORT_PSCRIPT_SAMPLE_TEXT_H
#define REPORT_PSCRIPT_SAMPLE_TEXT_H

#include "base/out.h"
#include "base/text_format.h"
#include "report/pscript/fields.h"
#include "report/text/tracetext.h"
#include "session/filter.h"
#include "session/replay.h"

struct sample_text_config {
	struct fields *fields;
	enum text_format format;
	bool hide_call_graph; /* -G */
	bool latency;         /* -L */
	bool ns, reltime, deltatime;
	bool show_kernel_path;
	bool full_source_path;
	bool no_inlines; /* --no-inline */
	u32 max_stack;
	u32 max_user_stack; /* user frames of a stack copy; 0: stack copies are left alone */
	const struct join_table *joins;  /* NULL: truncated stacks are not completed */
	bool *left_truncated;            /* see struct chain; NULL allowed */
	const struct name_list *stop_bt; /* NULL for none */
};

struct sample_text;

/*
 * cfg is borrowed until sample_text_free. nr_sharing: printers of this command, which share what
 * memory its caches may take. A printer is used by one thread at a time.
 */
struct sample_text *sample_text_new(struct session *s, struct tracetext *trace,
				    const struct sample_text_config *cfg, unsigned int nr_sharing);
void sample_text_free(struct sample_text *t);

/* The frame of the sample's own ip, symbol looked up; valid until the next sample. */
const struct frame *sample_text_own_frame(struct sample_text *t, const struct replay_event *ev,
					  const struct task_view *task);

void sample_text_print(struct sample_text *t, struct out *o, const struct replay_event *ev,
		       const struct task_view *task);

/*
 * comm, pid/tid, cpu, time columns of record type `type`; task NULL prints ":-1". Nothing for an
 * event type whose fields are all off.
 */
void sample_text_start(struct sample_text *t, struct out *o, const struct pd_event *ev,
		       const struct pd_sample *sample, u32 type, const struct task_view *task);

#endif
