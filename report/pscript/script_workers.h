/* SPDX-License-Identifier: MIT */
/*
 * Formats samples in several threads. The caller replays the file and hands over each sample with
 * the task state that it needs. Texts are written in the order in which samples were handed over,
 * so the output does not depend on the number of threads.
 */
#ifndef REPORT_PSCRIPT_SCRIPT_WORKERS_H
#define REPORT_PSCRIPT_SCRIPT_WORKERS_H

#include "report/pscript/sample_text.h"

struct script_workers;

/*
 * Starts nr_threads threads. Texts are written to out by the caller's thread only. All pointers are
 * borrowed until script_workers_free().
 */
struct script_workers *script_workers_new(struct session *s, struct tracetext *trace,
					  const struct sample_text_config *cfg, struct out *out,
					  unsigned int nr_threads);

/* Writes the remaining texts, ends the threads, and frees w. NULL is allowed. */
void script_workers_free(struct script_workers *w);

/*
 * Returns true if samples with these fields can be formatted in any order and while the session
 * goes on changing. Tracepoint texts, cgroup names, and columns that depend on earlier samples
 * cannot.
 */
bool script_workers_can(const struct perfdata *pd, const struct sample_text_config *cfg);

/* Hands over a sample, copying what it needs of ev and task. May write finished texts to out. */
void script_workers_add(struct script_workers *w, const struct replay_event *ev,
			const struct task_view *task);

/* Waits for all samples handed over so far and writes their texts. Call it before printing to out.
 */
void script_workers_flush(struct script_workers *w);

#endif
