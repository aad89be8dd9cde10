/* SPDX-License-Identifier: MIT */
/* The loop of the interactive views: draws, waits for a key, acts. */
#ifndef REPORT_TUI_TUI_H
#define REPORT_TUI_TUI_H

#include "report/tui/view.h"

/* Shows views, from the first one on, until the user leaves; frees them. */
void tui_run(struct tui *t, struct screen *s, struct tui_view *first);

#endif
