/* SPDX-License-Identifier: MIT */
#include "record/events/event_kinds.h"

#include <string.h>

#include "record/events/event_parse_priv.h"

int scan_event(struct event_scan *s)
{
	const char *t = s->text + s->pos;

	if (!strncmp(t, "mem:", 4))
		return scan_breakpoint(s);
	if (!strncmp(t, "uprobe:", 7) || !strncmp(t, "uretprobe:", 10) || !strncmp(t, "uret:", 5))
		return scan_uprobe(s);
	if (!strncmp(t, "usdt:", 5))
		return scan_usdt(s);
	return scan_named(s);
}
