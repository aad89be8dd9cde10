/* SPDX-License-Identifier: MIT */
/*
 * Text of tracepoint payloads, as the print fmt in the file's tracing data says. The only user of
 * libtraceevent. Formats are parsed when an event is first printed. Plugins of that library are not
 * loaded: the text depends on the file alone.
 */
#ifndef REPORT_TEXT_TRACETEXT_H
#define REPORT_TEXT_TRACETEXT_H

#include "base/out.h"
#include "fileformat/perfdata.h"

struct tracetext;

/*
 * Reads pd->tracing_data (call once the file's first records have been read, in pipes) and borrows
 * it until tracetext_free. Never NULL; damage is told to pd->diag and what came before it is kept.
 */
struct tracetext *tracetext_new(const struct perfdata *pd);
void tracetext_free(struct tracetext *t);

size_t tracetext_nr_events(const struct tracetext *t);

/* "sys:name" of a tracepoint id (the attr's config), NULL when the file does not describe it. */
const char *tracetext_event_name(const struct tracetext *t, u64 id);

/*
 * Name of the kernel function at a run-time address, for %pS and the like: returns it, with its
 * start address and, for modules, the module's name; NULL when there is none.
 */
typedef const char *(*tracetext_resolve_fn)(void *ctx, u64 addr, u64 *ret_start,
					    const char **ret_module);
void tracetext_set_resolver(struct tracetext *t, tracetext_resolve_fn fn, void *ctx);

/*
 * Appends what perf script prints after "event: ". False, and nothing printed, when the file does
 * not describe the event. Payloads shorter than the format says read as if zeros followed.
 */
bool tracetext_print(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
		     struct span raw);

/* Appends all fields as " name=value", also where a print fmt could be used. */
bool tracetext_print_fields(struct tracetext *t, struct out *o, u64 event_id, u32 cpu, u64 time,
			    struct span raw);

#endif
