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

/* Options of the text. Pointers are borrowed. */
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
	u32 max_user_stack; /* most user frames of a stack copy; 0: stack copies are not unwound */
	const struct join_table *joins; /* callers for truncated stacks; NULL: do not add any */
	bool *left_truncated; /* set if a stack stays truncated, see struct chain; or NULL */
	u64 max_blocks;       /* blocks of code shown of a branch stack; 0: all */
	const struct name_list *stop_bt; /* functions where call chains end; NULL: none */
};

struct sample_text;

/*
 * Makes a printer of samples, for use by one thread at a time. s, trace and cfg are borrowed until
 * sample_text_free(). nr_sharing is how many printers the command has: the limit on the memory of
 * caches is divided among them.
 */
struct sample_text *sample_text_new(struct session *s, struct tracetext *trace,
				    const struct sample_text_config *cfg, unsigned int nr_sharing);
void sample_text_free(struct sample_text *t);

/* Returns the frame of the sample's ip with its symbol, borrowed until the next sample. */
const struct frame *sample_text_own_frame(struct sample_text *t, const struct replay_event *ev,
					  const struct task_view *task);

/* Appends the lines of a sample: its fields, and its call chain if it is printed. */
void sample_text_print(struct sample_text *t, struct out *o, const struct replay_event *ev,
		       const struct task_view *task);

/*
 * Appends the leading columns of a line: comm, pid/tid, cpu and time of a record of this type. If
 * task is NULL the comm is ":-1". Appends nothing for an event whose fields are all off.
 */
void sample_text_start(struct sample_text *t, struct out *o, const struct pd_event *ev,
		       const struct pd_sample *sample, u32 type, const struct task_view *task);

#endif
