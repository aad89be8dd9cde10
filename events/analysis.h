/* SPDX-License-Identifier: MIT */
/*
 * One pass over a recording by an analysis of plat that has options and a table of its own: it is
 * opened, read once, printed and closed.
 */
#ifndef EVENTS_ANALYSIS_H
#define EVENTS_ANALYSIS_H

#include "base/pager.h"
#include "events/live.h"
#include "events/record_words.h"
#include "profile/reader_command.h"
#include "session/sample_sink.h"

/* The first member of the struct of an analysis. */
struct analysis {
	const struct reader_command *rc;
	struct sample_sink sink;
	struct perfdata *pd;
	struct session *s;
};

/* What the command line says of the recording. Borrowed: all. */
struct analysis_input {
	const char *path; /* "-" with record */
	const struct symbols_config *symbols;
	struct pager *pager;
	struct diag *diag;
	const struct record_words *record; /* prec's command, which is started; NULL: none */
	const char *record_file;           /* gets its stream, too; NULL: none does */
	bool no_user_maps;                 /* see struct session_config */
};

/* Returns the analysis that a sink belongs to. */
static inline struct analysis *analysis_of(struct sample_sink *k)
{
	return (struct analysis *)((char *)k - offsetof(struct analysis, sink));
}

/*
 * Opens the recording, calls print(ctx, ...), closes the recording and prints messages. ctx: the
 * struct whose first member is *a. Returns main's exit status: 0, or 1 after a message.
 */
int analysis_run(struct analysis *a, const struct analysis_input *in, reader_output_fn *print,
		 void *ctx);

/* What an analysis records now. */
struct analysis_live {
	const struct record_target *target;
	struct record_words words; /* prec's command; with a target given */
	int err;                   /* of making the words, and why */
	struct perr why;
};

/* As analysis_run(), of what `live` records if its target is given. Frees the words. */
int analysis_run_live(struct analysis *a, const struct analysis_input *in,
		      struct analysis_live *live, reader_output_fn *print, void *ctx);

/* Ends prec, whose stream ended with err, for the reason why. Returns whether anything failed. */
bool analysis_end_live(struct live *l, const struct reader_command *rc, int err,
		       const struct perr *why);

/* For print: passes samples and records to a->sink. Shows progress. Errors as of session_run(). */
int analysis_read(struct analysis *a, struct sample_query query, struct perr *e) MUST_CHECK;

/* Returns the time (ns) of the last record that has one; at least `last`. */
u64 analysis_end_time(const struct analysis *a, u64 last);

/* Calls put(ctx, ...) with an output into the file of an option. PERR_IO. */
int analysis_write_text(const char *option, const char *path, void (*put)(void *ctx, struct out *o),
			void *ctx, struct perr *e) MUST_CHECK;

#endif
