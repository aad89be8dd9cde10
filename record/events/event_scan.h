/* SPDX-License-Identifier: MIT */
/*
 * The scanner of the text of -e: the text, the current position, and helpers that every kind of
 * event uses. It handles words, modifiers and errors but no particular kind of event.
 */
#ifndef RECORD_EVENTS_EVENT_SCAN_H
#define RECORD_EVENTS_EVENT_SCAN_H

#include "record/events/event_modifiers.h"
#include "record/events/event_parse.h"
#include "record/host/pmu.h"

/* State of parsing one text of -e. */
struct event_scan {
	const char *text;
	size_t pos; /* index of the next byte to read */
	struct rec_evlist *l;
	size_t first; /* index in l of the first event of this text */
	const struct rec_opts *o;
	struct event_parse_error *where;
	struct perr *e;

	bool *guest_given; /* for each event from `first` on: its modifiers contain G or H */
	size_t nr_guest, cap_guest;
	struct pmu_list pmus; /* empty until the first scan_pmus */
	bool pmus_read;
	char *tracefs; /* folder of tracefs, malloc'd; NULL until the first tracepoint */
};

/*
 * Sets s->e to the code and the formatted text, and s->where to byte pos of s->text. Returns code.
 */
int scan_fail(struct event_scan *s, size_t pos, int code, const char *fmt, ...) PRINTF_LIKE(4, 5);

/* Returns the PMUs of this machine; the first call reads them from sysfs. s owns the list. */
const struct pmu_list *scan_pmus(struct event_scan *s);

/*
 * Appends an event to s->l with the attr bits that all events of perf record 6.1 have. name is
 * copied.
 */
struct rec_event *scan_add(struct event_scan *s, const char *name, u32 type, u64 config);

/* Moves s->pos to the next byte that is not a blank. */
void scan_blanks(struct event_scan *s);

/* Returns the number of bytes of `text` before the first of , { } / : a blank or the end. */
size_t scan_word(const char *text);

/*
 * Reads modifiers at s->pos, with or without ':' before them, and moves s->pos behind them. Errors
 * are those of event_modifiers_parse.
 */
int scan_modifiers(struct event_scan *s, struct event_modifiers *ret) MUST_CHECK;

/*
 * Applies modifiers to the events of s->l from index `from` on. pos: position in the text for
 * errors, which are those of event_modifiers_apply.
 */
int scan_apply(struct event_scan *s, size_t from, const struct event_modifiers *m, bool is_group,
	       size_t pos) MUST_CHECK;

#endif
