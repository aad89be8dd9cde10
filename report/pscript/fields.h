/* SPDX-License-Identifier: MIT */
/* The fields of perf script's output, which of them each type of event prints, and -F. */
#ifndef REPORT_PSCRIPT_FIELDS_H
#define REPORT_PSCRIPT_FIELDS_H

#include "fileformat/perfdata.h"

/* The fields of -F, in perf's order. */
enum field {
	FIELD_COMM,
	FIELD_TID,
	FIELD_PID,
	FIELD_TIME,
	FIELD_CPU,
	FIELD_EVENT,
	FIELD_TRACE,
	FIELD_IP,
	FIELD_SYM,
	FIELD_DSO,
	FIELD_DSOFF,
	FIELD_ADDR,
	FIELD_SYMOFF,
	FIELD_SRCLINE,
	FIELD_PERIOD,
	FIELD_IREGS,
	FIELD_UREGS,
	FIELD_BRSTACK,
	FIELD_BRSTACKSYM,
	FIELD_DATA_SRC,
	FIELD_WEIGHT,
	FIELD_BPF_OUTPUT,
	FIELD_CALLINDENT,
	FIELD_INSN,
	FIELD_DISASM,
	FIELD_INSNLEN,
	FIELD_BRSTACKINSN,
	FIELD_BRSTACKOFF,
	FIELD_SYNTH,
	FIELD_PHYS_ADDR,
	FIELD_METRIC,
	FIELD_MISC,
	FIELD_SRCCODE,
	FIELD_IPC,
	FIELD_TOD,
	FIELD_DATA_PAGE_SIZE,
	FIELD_CODE_PAGE_SIZE,
	FIELD_INS_LAT,
	FIELD_BRSTACKINSNLEN,
	FIELD_MACHINE_PID,
	FIELD_VCPU,
	FIELD_CGROUP,
	FIELD_RETIRE_LAT,
	FIELD_BRSTACKDISASM,
	FIELD_BRCNTR,
	FIELD_FLAGS,
	NR_FIELDS,
};

/* The bit of a field in field_set: FIELD_BIT(COMM). */
#define FIELD_BIT(f) (1ull << FIELD_##f)

/* The fields that disassemble the code along a branch stack. */
#define BRANCH_INSN_FIELDS \
	(FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM))

/* The kinds of events that have their own field set. Values 0 to 5 are PD_TYPE_*. */
enum field_type { FIELD_TYPE_SYNTH = 6, FIELD_TYPE_OTHER, NR_FIELD_TYPES };

/* The fields that one kind of event prints, as bits FIELD_BIT(). */
struct field_set {
	u64 fields;   /* to be printed */
	u64 user_set; /* named by the user: fields_fit() refuses a file without their data */
	u64 user_unset;
	bool given;    /* -F changed the fields of this kind */
	bool wildcard; /* the last such -F named no kind: it was for all of them */
};

/* The field sets of all kinds of events. */
struct fields {
	struct field_set type[NR_FIELD_TYPES];
};

/* Sets perf script's default fields. */
void fields_init(struct fields *f);

/* Returns the kind of an event from its perf_event_attr.type. */
enum field_type fields_type_of(u32 attr_type);

/*
 * Applies one argument of -F to f: "[type:]f1,f2", "+f" or "-f". Returns 0 or PERR_USAGE; f is then
 * half changed. If no type is given, types that cannot have a field keep their set, with a warning
 * in diag.
 */
int fields_parse(struct fields *f, const char *arg, struct diag *diag, struct perr *e) MUST_CHECK;

/*
 * Fits the fields to a file: drops default fields that its events did not record. use_callchain:
 * call chains will be printed, so tracepoints that have them get ip, sym and dso as well. Returns
 * 0, or PERR_USAGE if the user named a field that was not recorded.
 */
int fields_fit(struct fields *f, const struct perfdata *pd, bool use_callchain,
	       struct perr *e) MUST_CHECK;

#endif
