/* SPDX-License-Identifier: MIT */
/*
 * Prints records as perf script -D does: their bytes, then their meaning. There is one difference:
 * the bytes are printed as the file has them, also if its byte order is not this machine's.
 */
#ifndef REPORT_TEXT_RAWDUMP_H
#define REPORT_TEXT_RAWDUMP_H

#include "base/out.h"
#include "fileformat/sample.h"
#include "machine/machine.h"
#include "report/text/attr_text.h"
#include "report/text/regs_text.h"

/* What perf prints of records that the command has no function for. */
#define RAWDUMP_UNHANDLED ": unhandled!\n"

/* The command of perf whose dump is printed: each leaves some types of records unhandled. */
enum rawdump_command { RAWDUMP_SCRIPT, RAWDUMP_REPORT, RAWDUMP_ANNOTATE };

/* The state of dumping one file. */
struct rawdump {
	const struct perfdata *pd;
	enum rawdump_command command;
	struct attr_text attrs;
	enum regs_arch arch;
	bool arch_known;
	size_t nr_attrs;     /* HEADER_ATTR records printed so far: a pipe's events */
	const u8 *last_data; /* pd_record.data of the last record printed */
	u64 last_off;        /* pd_record.off of the last record printed */
};

/* Starts a dump. pd is borrowed until rawdump_fini(). */
void rawdump_init(struct rawdump *d, const struct perfdata *pd, enum rawdump_command command);
void rawdump_fini(struct rawdump *d);

/*
 * Appends one record: its bytes in hex, the line with time and name, and its contents. For a SAMPLE
 * rawdump_place() prints the last lines. Call it in perf's order: for user-space records when they
 * are read, for kernel records when they are delivered in order of time. Appends nothing for
 * records that perf does not show (COMPRESSED, EVENT_TYPE, types without a name) and for the record
 * of the call before, which comes again for other members of a group. Returns false only for that
 * one.
 */
bool rawdump_record(struct rawdump *d, struct out *o, const struct pd_record *r);

/*
 * Appends the last lines of a SAMPLE's dump: " ... thread: COMM:TID" and " ...... dso: NAME". th:
 * the sample's thread in mc.
 */
void rawdump_place(struct out *o, struct machine *mc, const struct thread *th,
		   const struct pd_sample *s);

/* Appends what follows the name of a SAMPLE: registers, stacks, branches. For rawdump.c. */
void rawdump_sample(struct rawdump *d, struct out *o, const struct pd_record *r,
		    const struct pd_event *ev, const struct pd_sample *s);
/* Appends the frames of a recorded call chain, one a line. For rawdump*.c. */
void rawdump_callchain(struct out *o, struct span chain, const struct perfdata *pd);
/* Appends what follows the name of a record that perf wrote itself (type 64 up). For rawdump.c. */
void rawdump_user_record(struct rawdump *d, struct out *o, const struct pd_record *r);

#endif
