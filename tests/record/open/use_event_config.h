/* SPDX-License-Identifier: MIT */
/* The events of a command line of prec, with the attrs that event_config gives them. */
#ifndef TESTS_RECORD_OPEN_USE_EVENT_CONFIG_H
#define TESTS_RECORD_OPEN_USE_EVENT_CONFIG_H

#include "base/diag.h"
#include "base/err.h"
#include "base/mem.h"
#include "fileformat/attr.h"
#include "record/model/rec_event.h"
#include "record/model/rec_opts.h"
#include "record/open/target.h"
#include "tests/frame/unit.h"

#define DIR "testdata/record_attrs"
#define NR_FIELDS 64

/* The options, events and target of one command line. */
struct config_case {
	struct rec_opts o;
	struct rec_evlist l;
	struct rec_target t;
	struct diag diag;
	char *text;
	char *argv[40];
	int argc;
};

/* Parses these arguments of prec, completes the attrs; returns 0 or a PERR code with the text in e.
 */
int config_args(struct config_case *c, const char *args, struct perr *e);
/* config_args() that has to succeed. */
void config_ok(struct config_case *c, const char *args);
/* Frees what config_args() made. */
void config_fini(struct config_case *c);
/* The attr of event i. */
const struct pd_attr *config_attr(const struct config_case *c, size_t i);

#endif
