/* SPDX-License-Identifier: MIT */
/* The layouts of an annotated function as text. All members of an annot_view must be set. */
#ifndef REPORT_PANN_ANNOTATE_PRINT_H
#define REPORT_PANN_ANNOTATE_PRINT_H

#include "report/annotate/annotate_view.h"

/* Appends the function in the layout of --stdio. */
void annot_print_stdio(struct out *o, const struct annot_view *v);
/* Appends the function in the layout of --stdio2. */
void annot_print_stdio2(struct out *o, const struct annot_view *v);
/* Appends the summary of -l: source lines by their share, the highest first. */
void annot_print_summary(struct out *o, const struct annot_view *v);

#endif
