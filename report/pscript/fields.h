/* SPDX-License-Identifier: MIT */
/* The fields of perf script's output, which of them each type of event prints, and -F. */
#ifndef REPORT_PSCRIPT_FIELDS_H
#define REPORT_PSCRIPT_FIELDS_H

#include "fileformat/perfdata.h"

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

#define FIELD_BIT(f) (1ull << FIELD_##f)

/* What needs the code along a branch stack. */
#define BRANCH_INSN_FIELDS \
	(FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM))

/* Kinds of events that have a field set of their own. The first six are enum pd_attr_type. */
enum field_type { FIELD_TYPE_SYNTH = 6, FIELD_TYPE_OTHER, NR_FIELD_TYPES };

struct field_set {
	u64 fields;
	u64 user_set; /* asked for by name: missing data is an error */
	u64 user_unset;
	bool given;    /* -F named fields for this type */
	bool wildcard; /* ... without a type */
};

struct fields {
	struct field_set type[NR_FIELD_TYPES];
};

void fields_init(struct fields *f);

enum field_type fields_type_of(u32 attr_type);

/*
 * Applies one -F argument: "[type:]f1,f2", "+f", "-f". 0 or PERR_USAGE. Fields that a type cannot
 * have are named in diag.
 */
int fields_parse(struct fields *f, const char *arg, struct diag *diag, struct perr *e) MUST_CHECK;

/*
 * Drops default fields that the file's events did not record; PERR_USAGE for one the user named.
 * From here on f fits pd. use_callchain: chains are to be printed.
 */
int fields_fit(struct fields *f, const struct perfdata *pd, bool use_callchain,
	       struct perr *e) MUST_CHECK;

#endif
