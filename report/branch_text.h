/* SPDX-License-Identifier: MIT */
/* Branch stacks (-F brstack, brstacksym, brstackoff) and the hex dump of bpf-output payloads. */
#ifndef REPORT_BRANCH_TEXT_H
#define REPORT_BRANCH_TEXT_H

#include "report/sample_text.h"

enum branch_form { BRANCH_ADDRS, BRANCH_SYMBOLS, BRANCH_OFFSETS };

/* All branches of a sample, " from/to/flags" each; resolved in the thread's space by frames. */
void branch_text(struct out *o, struct sample_text *t, const struct replay_event *ev,
		 const struct task_view *task, struct frames *frames, enum branch_form form,
		 u64 fields);

void bpf_output_text(struct out *o, struct span raw);

#endif
