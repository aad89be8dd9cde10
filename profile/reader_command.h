/* SPDX-License-Identifier: MIT */
/*
 * The steps that every command that reads a recording goes through, each in one place:
 *
 *	reader_open(rc, path, &pd, &e)			with progress
 *	reader_start(rc, pd, &config, &session, &e)	filters, symbols, debuginfod
 *	reader_count(rc, session, &counts, &c, &e)	with progress
 *	reader_judge(rc, &input)			-> verdict
 *	reader_output(rc, print, ctx, &e)		standard output and its pager
 *	reader_fail(rc, path, &e)			"prep: path: text (offset 0x10)"
 *	reader_finish(rc, verdicts, nr)			warnings and verdicts, at the very end
 */
#ifndef PROFILE_READER_COMMAND_H
#define PROFILE_READER_COMMAND_H

#include "base/out.h"
#include "base/pager.h"
#include "profile/verdict/verdict_text.h"

/* One run of a command. All pointers are borrowed. */
struct reader_command {
	const char *prog; /* the command's name, in front of its messages */
	FILE *output;     /* where results go */
	FILE *messages;   /* where errors, warnings, progress and verdicts go */
	struct pager *pager;
	bool force;                /* -f: read recordings of any owner */
	struct diag *diag;         /* collects warnings */
	enum verdict_form quality; /* of the verdict; VERDICT_NONE: none is made */
};

/* Opens a recording, showing progress. The caller closes *ret with pd_close. Errors: pd_open's. */
int reader_open(const struct reader_command *rc, const char *path, struct perfdata **ret,
		struct perr *e) MUST_CHECK;

/* How the records of an open recording are read. */
struct reader_config {
	struct session_config session;
	struct filter *filter; /* fitted to the recording; NULL: none, or it is fitted already */
	const char *time;      /* --time, which is put into the filter; NULL: not given */
};

/*
 * Makes the session of an open recording, and names to the debuginfod client the objects that are
 * worth a request. The caller frees *ret with session_free, before pd. PERR_USAGE when the filter
 * needs data that the recording does not have.
 */
int reader_start(const struct reader_command *rc, struct perfdata *pd,
		 const struct reader_config *cfg, struct session **ret, struct perr *e) MUST_CHECK;

/* counts_run with the command's progress, which ends before it returns. */
int reader_count(const struct reader_command *rc, struct session *s,
		 const struct counts_config *cfg, struct counts **ret, struct perr *e) MUST_CHECK;

/* The verdict on counted samples, for reader_finish; NULL when the user wants none. */
struct verdict *reader_judge(const struct reader_command *rc, const struct verdict_input *in);

/* Prints a command's results to o. Returns 0, or a negative code with *e filled. */
typedef int reader_output_fn(void *ctx, struct out *o, struct perr *e);

/*
 * Calls print with an output to rc->output, through the pager. Returns its code, or PERR_IO when
 * not everything could be written.
 */
int reader_output(const struct reader_command *rc, reader_output_fn *print, void *ctx,
		  struct perr *e) MUST_CHECK;

/* --why: which objects are explained, and with which symbol options. */
struct reader_why {
	struct perfdata *pd;
	struct session_config session;
	struct diag *diag;
	const char *object;
};
/* A reader_output_fn whose ctx is a struct reader_why. */
int reader_print_why(void *why, struct out *o, struct perr *e);

/* Prints an error on rc->messages; what: the file that it is about. Returns 1, the exit status. */
int reader_fail(const struct reader_command *rc, const char *what, const struct perr *e);

/*
 * Prints what a command says last, when the user has left the pager: the warnings, then the
 * verdicts, which it frees. NULL verdicts are left out. Afterwards rc->diag is empty.
 */
void reader_finish(const struct reader_command *rc, struct verdict **verdicts, size_t nr);

#endif
