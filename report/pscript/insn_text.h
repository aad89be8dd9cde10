/* SPDX-License-Identifier: MIT */
/*
 * The instructions that samples and branch stacks ran through, read from the mapped files: -F insn,
 * insnlen, disasm, brstackinsn, brstackinsnlen, brstackdisasm. x86 only, as in perf.
 */
#ifndef REPORT_PSCRIPT_INSN_TEXT_H
#define REPORT_PSCRIPT_INSN_TEXT_H

#include "report/pscript/fields.h"
#include "profile/line_text.h"
#include "report/text/regs_text.h"
#include "session/replay.h"

/* The fields that this file prints. */
#define INSN_FIELDS (FIELD_BIT(INSN) | FIELD_BIT(INSNLEN) | FIELD_BIT(DISASM) | BRANCH_INSN_FIELDS)

struct insn_text;

/*
 * Makes a printer. sources is borrowed until insn_text_free(); it gives the lines of -F srccode
 * between the instructions of a branch stack. max_blocks: of a branch stack, the most blocks of
 * code between two branches that are printed, the newest; 0: all.
 */
struct insn_text *insn_text_new(struct line_source *sources, bool full_source_path, u64 max_blocks);
void insn_text_free(struct insn_text *t);

/* Appends those of INSN_FIELDS that are in fields for a sample. arch: where it was recorded. */
void insn_text_sample(struct insn_text *t, struct out *o, const struct replay_event *ev,
		      const struct task_view *task, enum regs_arch arch, u64 fields);

#endif
