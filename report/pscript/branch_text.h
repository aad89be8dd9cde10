/* SPDX-License-Identifier: MIT */
/* Branch stacks (-F brstack, brstacksym, brstackoff) and the hex dump of bpf-output payloads. */
#ifndef REPORT_PSCRIPT_BRANCH_TEXT_H
#define REPORT_PSCRIPT_BRANCH_TEXT_H

#include "report/pscript/sample_text.h"

/* How the two ends of a branch are printed: -F brstack, brstacksym, brstackoff. */
enum branch_form { BRANCH_ADDRS, BRANCH_SYMBOLS, BRANCH_OFFSETS };

/*
 * Appends "from/to/flags " for each branch of a sample's branch stack; nothing if it has none. form
 * says whether from and to are addresses, symbols, or offsets in objects; they are looked up in the
 * task's address space through frames. FIELD_BIT(DSO) and FIELD_BIT(DSOFF) in fields add the
 * object's name.
 */
void branch_text(struct out *o, const struct sample_text_config *cfg, const struct replay_event *ev,
		 const struct task_view *task, struct frames *frames, enum branch_form form,
		 u64 fields);

/* Appends the bytes of a bpf-output sample as a hex dump, 16 a line. */
void bpf_output_text(struct out *o, struct span raw);

#endif
