/* SPDX-License-Identifier: MIT */
/* What the parts of event_parse share. */
#ifndef RECORD_EVENT_PARSE_PRIV_H
#define RECORD_EVENT_PARSE_PRIV_H

#include "record/event_modifiers.h"
#include "record/event_parse.h"
#include "record/pmu.h"

/* One text of -e on its way to events. */
struct event_scan {
	const char *text;
	size_t pos; /* what is read next */
	struct rec_evlist *l;
	size_t first; /* of l: the first event of this text */
	const struct rec_opts *o;
	struct event_parse_error *where;
	struct perr *e;

	bool *guest_given; /* of event first + i: has modifier G or H */
	size_t nr_guest, cap_guest;
	struct pmu_list pmus; /* read when first asked for */
	bool pmus_read;
	char *tracefs; /* found when first asked for; NULL: not yet */
};

/* Fills perr and the place of the error; returns code. */
int scan_fail(struct event_scan *s, size_t pos, int code, const char *fmt, ...) PRINTF_LIKE(4, 5);

const struct pmu_list *scan_pmus(struct event_scan *s);

/* A new event with the attr bits that all events of perf record 6.1 have. */
struct rec_event *scan_add(struct event_scan *s, const char *name, u32 type, u64 config);

void scan_blanks(struct event_scan *s);

/* Number of bytes up to one of , { } / : a blank or the end. */
size_t scan_word(const char *s);

/*
 * Modifiers at s->pos up to a delimiter; with or without ':' before them. Errors as
 * event_modifiers_parse.
 */
int scan_modifiers(struct event_scan *s, struct event_modifiers *ret) MUST_CHECK;

/* Applies them to the events from index `from` on. */
int scan_apply(struct event_scan *s, size_t from, const struct event_modifiers *m, bool is_group,
	       size_t pos) MUST_CHECK;

/* One event at s->pos, which is no blank, with terms and modifiers; s->pos is behind it then. */
int scan_event(struct event_scan *s) MUST_CHECK;

/* Tracepoints and everything that starts with a name. */
int scan_named(struct event_scan *s) MUST_CHECK;

/* One "{a,b}:MODS" whose '{' is at s->pos. name: malloc'd and taken, NULL for none. */
int scan_group(struct event_scan *s, char *name) MUST_CHECK;

/* Kinds of events that start with a word of their own, s->pos at that word. */
int scan_breakpoint(struct event_scan *s) MUST_CHECK;
int scan_uprobe(struct event_scan *s) MUST_CHECK;

/* Adds the tracepoints of "system:name", both may be globs; pos is where system is. */
int scan_tracepoint(struct event_scan *s, size_t pos, const char *system,
		    const char *name) MUST_CHECK;

#endif
