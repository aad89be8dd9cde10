/* SPDX-License-Identifier: MIT */
/* Branch stacks (-F brstack, brstacksym, brstackoff) and the hex dump of bpf-output payloads. */
#ifndef REPORT_PSCRIPT_BRANCH_TEXT_H
#define REPORT_PSCRIPT_BRANCH_TEXT_H

#include "report/pscript/sample_text.h"

enum branch_form { BRANCH_ADDRS, BRANCH_SYMBOLS, BRANCH_OFFSETS };

/*
 * Appends " from/to/flags" for each branch of a sample. Addresses are looked up in the task's
 * address space through frames. fields: FIELD_BIT(DSO) and FIELD_BIT(DSOFF) add the object.
 */
void branch_text(struct out *o, const struct sample_text_config *cfg, const struct replay_event *ev,
		 const struct task_view *task, struct frames *frames, enum branch_form form,
		 u64 fields);

/* Appends the bytes of a bpf-output sample as a hex dump, 16 a line. */
void bpf_output_text(struct out *o, struct span raw);

#endif
