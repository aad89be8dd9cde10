/* SPDX-License-Identifier: MIT */
/* A command line of prec, parsed, with what the parser printed. */
#ifndef TESTS_RECORD_USE_PREC_OPTIONS_H
#define TESTS_RECORD_USE_PREC_OPTIONS_H

#include "base/diag.h"
#include "base/mem.h"
#include "record/model/rec_event.h"
#include "record/model/rec_opts.h"
#include "tests/frame/unit.h"

/* A parsed command line and what the parser printed. */
struct line {
	struct rec_opts o;
	struct rec_evlist l;
	struct diag diag;
	char *argv[40];
	int argc, rc;
	char said[8192]; /* on stdout and stderr */
};

#define ARGS(...)                         \
	(const char *const[])             \
	{                                 \
		"prec", __VA_ARGS__, NULL \
	}

/* Parses the arguments, which end with NULL; p->rc is what the parser returned. */
void line_parse(struct line *p, const char *const *args);
/* Frees what line_parse() made. */
void line_fini(struct line *p);
/* line_parse() that has to succeed. */
void line_good(struct line *p, const char *const *args);
/* Refused, in a text that has `part` in it; and in few lines. */
void line_bad(const char *const *args, const char *part);

#endif
