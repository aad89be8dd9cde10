/* SPDX-License-Identifier: MIT */
/*
 * Formats samples in several threads. The caller replays the file and hands over each sample with
 * the state it needs; texts are written in the order of handing over, so any number of threads
 * prints the same bytes.
 */
#ifndef REPORT_PSCRIPT_SCRIPT_WORKERS_H
#define REPORT_PSCRIPT_SCRIPT_WORKERS_H

#include "report/pscript/sample_text.h"

struct script_workers;

/* Texts go to out, which only the caller's thread touches. cfg is borrowed until free. */
struct script_workers *script_workers_new(struct session *s, struct tracetext *trace,
					  const struct sample_text_config *cfg, struct out *out,
					  unsigned int nr_threads);

/* Writes what is not yet written, ends the threads. NULL allowed. */
void script_workers_free(struct script_workers *w);

/*
 * True where samples of these fields can be formatted apart from each other and from the session's
 * later changes. (Tracepoint text, cgroup names and columns that depend on earlier samples cannot.)
 */
bool script_workers_can(const struct perfdata *pd, const struct sample_text_config *cfg);

/* Hands a sample over; keeps what it needs of ev and the task. May write finished texts. */
void script_workers_add(struct script_workers *w, const struct replay_event *ev,
			const struct task_view *task);

/* Writes all texts handed over so far, before the caller prints something itself. */
void script_workers_flush(struct script_workers *w);

#endif
