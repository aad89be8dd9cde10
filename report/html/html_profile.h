/* SPDX-License-Identifier: MIT */
/*
 * The data of an HTML page, from profiles. The functions of two recordings are one if their names
 * and the base names of their objects are.
 *
 *	html_init(&h, page)
 *	html_add(&h, profile, side, quantum_ns)		for one recording, or for both
 *	html_fini(&h)
 */
#ifndef REPORT_HTML_HTML_PROFILE_H
#define REPORT_HTML_HTML_PROFILE_H

#include "base/hash.h"
#include "base/intern.h"
#include "picture/page.h"
#include "profile/profile.h"

struct html_maker {
	struct page *page;
	bool by_base;        /* functions are one although their objects lie in different folders */
	struct intern texts; /* names and objects */
	struct idmap names;  /* (name, object), in texts -> page_name */
	struct idmap events; /* (text of the name, 0) -> page_event */
	struct idmap columns; /* (event, side and unit) -> page_column */
	/* By pd_event.idx: the events whose times on and off the CPU make up one event of the page,
	 * the wall clock; rows of others are left out. Borrowed. NULL: each event is one. */
	const bool *wall;
};

/* compare: two recordings will be added. */
void html_init(struct html_maker *h, struct page *page, bool compare);
void html_fini(struct html_maker *h);

/*
 * Adds the rows of a profile, as those of a side: 0 where nothing is compared. quantum_ns: rows
 * have COUNT_TIME, COUNT_PID and COUNT_TID, and the page gets their times; 0: it does
 * not.
 */
void html_add(struct html_maker *h, const struct profile *p, unsigned int side, u64 quantum_ns);

/* Adds to the panel "about" which objects and build-ids the profile's code is from. */
void html_about_objects(struct page *page, const struct profile *p, const char *title);

#endif
