/* SPDX-License-Identifier: MIT */
/*
 * A session: an open recording and the machine that its side-band records build up, for one pass
 * over the records after the other.
 */
#ifndef SESSION_SESSION_H
#define SESSION_SESSION_H

#include "base/diag.h"
#include "fileformat/perfdata.h"
#include "machine/machine.h"

struct session_config {
	struct symbols_config symbols;
	bool no_jitdumps; /* maps stay as recorded, jitdumps are not opened */
	bool keep_exited; /* threads that exited are still found by their ids, as in perf report */
	const char *arch; /* NULL: as the file says, else this host's */
	enum unwinder_kind unwinder;
};

struct session {
	struct perfdata *pd;
	struct diag *diag;
	struct machine *machine;
	char *arch, *os_release; /* as the file has them, NULL: it does not */
};

/* pd and diag stay the caller's and must outlive the session. Reads no record. */
struct session *session_new(struct perfdata *pd, const struct session_config *cfg,
			    struct diag *diag);
/* NULL allowed. */
void session_free(struct session *s);

#endif
