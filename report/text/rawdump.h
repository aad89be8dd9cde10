/* SPDX-License-Identifier: MIT */
/*
 * Every record as perf script -D shows it: its bytes, then what they mean. One difference: the
 * bytes are those of the file, also where its byte order is not this machine's.
 */
#ifndef REPORT_TEXT_RAWDUMP_H
#define REPORT_TEXT_RAWDUMP_H

#include "base/out.h"
#include "fileformat/sample.h"
#include "report/text/attr_text.h"
#include "report/text/regs_text.h"

struct rawdump {
	const struct perfdata *pd;
	struct attr_text attrs;
	enum regs_arch arch;
	bool arch_known;
	size_t nr_attrs;     /* HEADER_ATTR records shown: a pipe's events so far */
	const u8 *last_data; /* of the record shown last */
	u64 last_off;
};

/* pd is borrowed until rawdump_fini. */
void rawdump_init(struct rawdump *d, const struct perfdata *pd);
void rawdump_fini(struct rawdump *d);

/*
 * Appends one record: hex block, the line with time and name, and for SAMPLEs the lines up to
 * rawdump_thread's. Call in the order of delivery: perf shows user-space records when it reads
 * them and kernel records when they are delivered. Records that perf does not show (COMPRESSED,
 * EVENT_TYPE, types without a name) and the same record again (members of a group) append nothing.
 */
void rawdump_record(struct rawdump *d, struct out *o, const struct pd_record *r);

/*
 * Appends " ... thread: COMM:TID" and " ...... dso: NAME" of a SAMPLE; dso NULL where no map holds
 * the ip. The sample's own line of output follows.
 */
void rawdump_thread(struct out *o, const char *comm, u32 tid, const char *dso);

/* rawdump_sample.c, rawdump_user.c: what follows the record's name. */
void rawdump_sample(struct rawdump *d, struct out *o, const struct pd_record *r,
		    const struct pd_event *ev, const struct pd_sample *s);
void rawdump_callchain(struct out *o, struct span chain, const struct perfdata *pd);
void rawdump_user_record(struct rawdump *d, struct out *o, const struct pd_record *r);

#endif
