/* SPDX-License-Identifier: MIT */
/* Annotated code of the functions of a report, for its views on the terminal. */
#ifndef REPORT_PREP_PREP_ANNOTATE_H
#define REPORT_PREP_PREP_ANNOTATE_H

#include "report/prep/prep_report_priv.h"
#include "report/table/table.h"
#include "report/tui/view.h"

struct prep_annotate;

/* r is borrowed until prep_annotate_free(), which frees NULL as well. */
struct prep_annotate *prep_annotate_new(struct report *r);
void prep_annotate_free(struct prep_annotate *a);

/*
 * Returns a view of the function at a place, by its names if the address is 0, with the costs of
 * these events, which are borrowed as long as views are open; NULL with the reason if it cannot be
 * shown.
 */
struct tui_view *prep_annotate_open(struct prep_annotate *a, const u32 *events, size_t nr_events,
				    const char *event_name, const struct table_place *place,
				    struct perr *e);

#endif
