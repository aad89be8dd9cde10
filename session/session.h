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
	bool no_jitdumps;  /* maps stay as recorded, jitdumps are not opened */
	bool no_user_maps; /* no address of a process is looked up: its maps are left out */
	/* Of a stream, maps that no process has any more are freed: struct frames that are used
	 * then have been given the session by frames_follow(), and only one thread uses the
	 * session. */
	bool forgets_maps;
	bool keep_exited; /* threads that exited are still found by their ids, as in perf report */
	const char *arch; /* NULL: as the file says, else this host's */
	enum unwinder_kind unwinder;
};

struct session {
	struct perfdata *pd;
	struct diag *diag; /* of this pass: NULL while a quiet one lasts */
	struct machine *machine;
	char *arch, *os_release; /* as the file has them, NULL: it does not */
	unsigned int nr_passes;  /* that have begun */
	struct diag *diag_of_all, *diag_of_pd;
	struct machine *main_machine; /* during a SESSION_OFFLINE pass: that of the others */
};

/* pd and diag stay the caller's and must outlive the session. Reads no record. */
struct session *session_new(struct perfdata *pd, const struct session_config *cfg,
			    struct diag *diag);
/* NULL allowed. */
void session_free(struct session *s);

/* False for a stream: what needs a second pass over its records is left out. */
bool session_can_repeat(const struct session *s);

enum session_pass_flags {
	SESSION_QUIET = 1u << 0, /* no warnings: another pass over the same records reports them */
	/*
	 * A machine of its own for this pass, with symbols of its own: it asks no debuginfod server
	 * and opens no jitdump.
	 */
	SESSION_OFFLINE = 1u << 1,
};

/*
 * To be called before the records are read: the machine is as new, and the next record is the first
 * one. name says in an error message what the pass is for ("completing truncated stacks").
 * PERR_UNSUPPORTED when another pass has begun before and the recording is a stream. Nothing may be
 * reading the session's records.
 */
int session_begin_pass(struct session *s, const char *name, u32 flags, struct perr *e) MUST_CHECK;

/* Ends the pass, so that the session has its one machine and its warnings again. */
void session_end_pass(struct session *s);

#endif
