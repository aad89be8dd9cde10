/* SPDX-License-Identifier: MIT */
/* A list of events parsed from text on a host of made-up PMUs. */
#ifndef TESTS_RECORD_EVENTS_USE_EVENT_PARSE_H
#define TESTS_RECORD_EVENTS_USE_EVENT_PARSE_H

#include "base/mem.h"
#include "record/events/event_parse.h"
#include "tests/frame/host_tree.h"
#include "tests/frame/unit.h"

/* A host, a list of events, and what the last text gave. */
struct bed {
	struct host_tree t;
	struct rec_opts o;
	struct rec_evlist l;
	struct event_parse_error where;
	struct perr e;
	struct diag d;
};

/* A host with a tree of sysfs and tracefs that has no PMU yet. */
void bed_init(struct bed *b);
/* Frees what bed_init() made, and removes the tree. */
void bed_fini(struct bed *b);
/* As an Intel server has it. */
void bed_add_intel(struct bed *b);
/* Parses into an empty list. */
int bed_parse(struct bed *b, const char *text);
/* Parses text, which has to give the events that `want` lists. */
void bed_check(struct bed *b, const char *text, const char *want);
/* Parses text, which has to be refused with this code, column, message and help. */
void bed_check_error(struct bed *b, const char *text, int code, size_t pos, const char *said,
		     const char *help);

/* A text of -e and the events that it has to give. */
struct row {
	const char *text, *want;
};

/* Parses each text of the table, which has to give the events beside it. */
void bed_check_rows(struct bed *b, const struct row *rows, size_t nr);

#endif
