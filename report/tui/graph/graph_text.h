/* SPDX-License-Identifier: MIT */
/* Text around graphs in cells. */
#ifndef REPORT_TUI_GRAPH_GRAPH_TEXT_H
#define REPORT_TUI_GRAPH_GRAPH_TEXT_H

#include "report/tui/view.h"

/* Draws a title; where the line is too short for both, what steps did stays readable. */
void graph_title(struct tui *t, int row, struct out *title, struct out *steps);

#endif
