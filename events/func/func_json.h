/* SPDX-License-Identifier: MIT */
/* plat func --json. */
#ifndef EVENTS_FUNC_FUNC_JSON_H
#define EVENTS_FUNC_FUNC_JSON_H

#include "events/func/func_options.h"
#include "events/func/func_source.h"

/*
 * Writes one object in a line: rows, what became of calls and returns, losses. All times are ns.
 * until: when an interval ended; 0: there are none.
 */
void func_json_put(struct out *o, const struct func_options *opt, const struct func_source *src,
		   u64 until);

#endif
