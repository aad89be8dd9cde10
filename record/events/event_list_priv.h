/* SPDX-License-Identifier: MIT */
/*
 * Entry point of event_list_print for tests, which say themselves which events the machine
 * supports.
 */
#ifndef RECORD_EVENTS_EVENT_LIST_PRIV_H
#define RECORD_EVENTS_EVENT_LIST_PRIV_H

#include "record/events/event_list.h"

/* Returns true if an event of this type and config can be opened. */
typedef bool event_supported_fn(void *ctx, u32 type, u64 config);

/* As event_list_print; calls supported(ctx, type, config) instead of the kernel. */
size_t event_list_print_with(const struct rec_opts *o, char **globs, size_t nr, bool json, FILE *f,
			     event_supported_fn *supported, void *ctx);

#endif
